/** Form of a receiver by its three sections, saved with a bank account. */
import {
  changeReceiver,
  createReceiver,
  type Receiver,
  readReceiver,
  removeReceiver,
} from "@malote/contracts/receivers";
import { readBlacklist } from "@malote/contracts/transfers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { fakeServer, refuseWithoutCode } from "../testing/fake-server.ts";
import { dialog, itau, openReceivers, serveReceivers, twoReceivers } from "../testing/receivers.ts";

let first: Receiver;
let second: Receiver;

// Loads the form in advance, so that the first test does not wait for it.
beforeAll(() => import("./receiver-modal.tsx"));
beforeEach(() => {
  [first, second] = twoReceivers();
  serveReceivers(first, () => [first, second]);
});

const section = (name: string) => within(screen.getByRole("region", { name }));

it("RCV-009 RCV-013 saves a new receiver with the values of each section of its form", async () => {
  const user = userEvent.setup();
  fakeServer.on(createReceiver, () => second);
  openReceivers("?recebedor=novo");
  const form = within(await dialog("Cadastrar novo recebedor"));
  expect(form.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent)).toEqual([
    "Dados do recebedor",
    "Dados pessoais",
    "Dados bancários",
  ]);
  section("Dados do recebedor").getByRole("group", { name: "Tipo de chave" });
  await user.click(section("Dados do recebedor").getByRole("radio", { name: "Conta bancária" }));
  const person = section("Dados pessoais");
  await user.type(person.getByLabelText("Nome ou razão social"), "Oficina Boa Hora");
  await user.type(person.getByLabelText("CPF ou CNPJ"), "11.222.333/0001-81");
  await user.type(person.getByLabelText(/^E-mail/), "contas@boahora.exemplo");
  const bank = section("Dados bancários");
  await user.click(bank.getByRole("combobox", { name: "Banco" }));
  await user.click(await screen.findByRole("option", { name: "341 · Itaú Unibanco" }));
  await user.click(bank.getByRole("combobox", { name: "Tipo de conta" }));
  await user.click(await screen.findByRole("option", { name: "Conta corrente" }));
  await user.type(bank.getByLabelText("Agência"), "1234");
  await user.type(bank.getByRole("textbox", { name: "Dígito da agência" }), "3");
  await user.type(bank.getByLabelText("Conta"), "56789");
  await user.type(bank.getByRole("textbox", { name: "Dígito da conta" }), "7");
  await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
  await screen.findByText("Recebedor salvo com sucesso");
  expect(fakeServer.calls(createReceiver).map(({ body }) => body)).toEqual([
    {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Oficina Boa Hora",
      cpf_cnpj: "11222333000181",
      email: "contas@boahora.exemplo",
      bank_id: itau.id,
      agency: "1234",
      agency_digit: "3",
      account_type: "CONTA_CORRENTE",
      account: "56789",
      account_digit: "7",
      pix_key: null,
      pix_key_type: null,
    },
  ]);
});

it("RCV-008 RCV-009 RCV-013 RCV-014 changes the receiver that was opened, and creates none", async () => {
  const user = userEvent.setup();
  const more = { agency_digit: "9", email: "contas@grafica.exemplo" };
  second = { ...second, ...more };
  fakeServer.on(changeReceiver, () => second);
  openReceivers();
  await user.click(await screen.findByRole("link", { name: "Gráfica Ponto Final" }));
  // The form replaces the dialog that shows while the receiver loads.
  const name = await screen.findByLabelText("Nome ou razão social");
  const form = within(await dialog("Editar recebedor"));
  form.getByRole("button", { name: "Cancelar" });
  await user.clear(name);
  await user.type(name, "Gráfica Ponto e Vírgula");
  await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
  await screen.findByText("Recebedor salvo com sucesso");
  const [sent, ...others] = fakeServer.calls(changeReceiver);
  expect(sent?.params).toEqual({ id: second.id });
  expect(sent?.body).toEqual({
    ...more,
    name: "Gráfica Ponto e Vírgula",
    cpf_cnpj: "72491638000183",
    bank_id: itau.id,
    agency: "0457",
    account_type: "CONTA_CORRENTE",
    account: "31872",
    account_digit: "3",
    pix_key: null,
    pix_key_type: null,
  });
  expect([...others, ...fakeServer.calls(createReceiver)]).toEqual([]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("RCV-012 choosing a type of key on an account empties the account too", async () => {
  const user = userEvent.setup();
  openReceivers(`?recebedor=${second.id}`);
  await user.click(await screen.findByRole("radio", { name: "Chave Pix" }));
  await user.click(screen.getByRole("radio", { name: "E-mail" }));
  const question = within(await dialog("Descartar o que foi preenchido?"));
  await user.click(question.getByRole("button", { name: "Descartar" }));
  await dialog("Cadastrar novo recebedor");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "E-mail" }).checked).toBe(true);
  await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
  const bank = section("Dados bancários");
  const numbers = ["Agência", "Dígito da agência", "Conta", "Dígito da conta"].map(
    (name) => bank.getByRole<HTMLInputElement>("textbox", { name }).value,
  );
  expect(numbers).toEqual(["", "", "", ""]);
  expect(bank.getByRole<HTMLInputElement>("combobox", { name: "Banco" }).value).toBe("");
  expect(bank.getByRole("combobox", { name: "Tipo de conta" }).textContent).not.toContain("Conta corrente");
});

it("RCV-010 the read-only view of a receiver with a key shows no account", async () => {
  // The API allows a receiver with both.
  const { pix_key, pix_key_type } = first;
  fakeServer.on(readReceiver, () => ({ ...second, pix_key, pix_key_type }));
  openReceivers(`?recebedor=${second.id}`, { session: { profile: "analyst" } });
  const view = within(await dialog("Recebedor"));
  await view.findByText("ana@exemplo.com.br");
  expect(view.getAllByRole("term").map(({ textContent }) => textContent)).toEqual([
    "Tipo de chave",
    "Chave Pix",
    "Nome",
    "CPF/CNPJ",
  ]);
});

it("RCV-008 RCV-010 an analyst reads the account with the digit of its agency", async () => {
  second = { ...second, agency_digit: "9" };
  openReceivers(`?recebedor=${second.id}`, { session: { profile: "analyst" } });
  const view = within(await dialog("Recebedor"));
  expect((await view.findByText("Agência")).nextElementSibling?.textContent).toBe("0457-9");
  expect(view.getByText("Conta").nextElementSibling?.textContent).toBe("31872-3");
});

it("RCV-008 opens a receiver by a click anywhere in its row for an analyst, too", async () => {
  openReceivers("", { session: { profile: "analyst" } });
  await userEvent.click(await screen.findByText("31872-3"));
  within(await dialog("Recebedor")).getByText("Recebedor");
});

it("RCV-017 deletes nothing before the answer, and nothing when it is 'Cancelar'", async () => {
  const user = userEvent.setup();
  openReceivers(`?recebedor=${second.id}`);
  await user.click(await screen.findByRole("button", { name: "Excluir" }));
  const question = within(await dialog("Excluir recebedor"));
  await user.click(question.getByRole("button", { name: "Cancelar" }));
  await waitFor(() => expect(screen.queryByRole("dialog", { name: "Excluir recebedor" })).toBeNull());
  await dialog("Editar recebedor");
  expect(fakeServer.calls(removeReceiver)).toEqual([]);
});

it("RCV-009 RCV-016 reports that a change of a receiver could not be saved, and closes by 'Cancelar'", async () => {
  const user = userEvent.setup();
  fakeServer.on(changeReceiver, () => refuseWithoutCode());
  openReceivers(`?recebedor=${second.id}`);
  await user.click(await screen.findByRole("button", { name: "Salvar recebedor" }));
  await screen.findByText("Ocorreu um erro ao salvar recebedor");
  await user.click(within(await dialog("Editar recebedor")).getByRole("button", { name: "Cancelar" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(fakeServer.calls(changeReceiver)).toHaveLength(1);
});

it("RCV-011 sends no wrong key, no blocked document and no public entity outside the Caixa", async () => {
  const user = userEvent.setup();
  fakeServer.on(readBlacklist, () => ({ data: ["11222333000181"] }));
  openReceivers("?recebedor=novo", { settings: { publicEntityNeedsCaixa: true } });
  const form = within(await dialog("Cadastrar novo recebedor"));
  const type = async (label: string, text: string) => {
    const field = await form.findByLabelText(label);
    await user.clear(field);
    await user.type(field, text);
  };
  const refusedBy = async (problem: string) => {
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await form.findByText(problem);
  };
  await type("Chave Pix (CNPJ)", "11.222.333/0001-80");
  await refusedBy("Chave Pix: A chave Pix deve ser válida");
  await type("Chave Pix (CNPJ)", "11.222.333/0001-81");
  await refusedBy("Chave Pix: CPF ou CNPJ bloqueado");
  await user.click(form.getByRole("radio", { name: "Conta bancária" }));
  await type("Nome ou razão social", "Prefeitura de Aurora");
  await type("CPF ou CNPJ", "11.222.333/0001-81");
  await refusedBy("CPF ou CNPJ: CPF ou CNPJ bloqueado");
  await type("CPF ou CNPJ", "72.491.638/0001-83");
  await user.click(form.getByRole("combobox", { name: "Tipo de conta" }));
  await user.click(await screen.findByRole("option", { name: "Entidades públicas" }));
  await user.type(form.getByRole("combobox", { name: "Banco" }), "341{Enter}");
  await refusedBy("Tipo de conta: Entidade pública inválida");
  expect(fakeServer.calls(createReceiver)).toEqual([]);
});
