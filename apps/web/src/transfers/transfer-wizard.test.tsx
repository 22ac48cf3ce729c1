/** New transfer: its form, its refusals, and how it is saved. */
import { readCheckpoint } from "@malote/contracts/company";
import { searchReceivers } from "@malote/contracts/receivers";
import { addTransfer, readDuplicatedIntegrationId } from "@malote/contracts/transfers";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { recordedMarks } from "../testing/marks.ts";
import { buildReceiver, buildTransfer } from "../testing/payments.ts";
import { itau, twoReceivers } from "../testing/receivers.ts";
import { added, button, dialog, fill, transferWizard } from "../testing/transfer-wizard.ts";

const { served, open } = transferWizard();
const blocked = { code: "tax_id_blocked" as const, field: "pix_key" };

describe("a new payment", () => {
  it("FST-024 RCV-022 points once at the search of receivers, which is recorded", async () => {
    open("novo");
    fakeServer.on(readCheckpoint, ({ params }) => ({
      exists: params["id"] !== "HAS_SEEN_RECEIVER_SEARCH_TOUR",
    }));
    const hint = within(await screen.findByRole("group", { name: "Dica" }));
    hint.getByText("Busque aqui seus recebedores");
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_SEEN_RECEIVER_SEARCH_TOUR"]));
    await userEvent.click(hint.getByRole("button", { name: "Entendi" }));
    await waitFor(() => expect(screen.queryByRole("group", { name: "Dica" })).toBeNull());
    expect(document.activeElement).toBe(screen.getByLabelText("Buscar um recebedor cadastrado"));
  });

  it("TRF-014 TRF-020 TRF-027 TRF-044 saves a Pix with what was typed and 'Hoje' as no date", async () => {
    const user = userEvent.setup();
    open("novo");
    await dialog("Criar novo pagamento");
    const layer = screen.getByRole("dialog", { name: "Criar novo pagamento" });
    expect(layer.getAttribute("data-place")).toBe("full");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", " Marina@Exemplo.com ");
    await fill(/Qual o valor/, "R$ 234,5");
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull());
    expect(added()).toMatchObject({
      value: 23_450,
      payment_date: null,
      pix_key_validation: null,
      destination_bank_account: { pix_key_type: "EMAIL", pix_key: "marina@exemplo.com", bank_id: null },
    });
  });

  it("TRF-020 shows the saved payment in the list of the batch, and no message beside it", async () => {
    const user = userEvent.setup();
    fakeServer.on(addTransfer, () => {
      const made = buildTransfer({ to: { name: "Ivo Reis" } });
      served.desk.transfers = [...served.desk.transfers, made];
      return made;
    });
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "ivo@exemplo.com");
    await fill(/Qual o valor/, "10");
    expect(screen.queryByText("Ivo Reis")).toBeNull();
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Ivo Reis");
    expect(screen.getByRole("region", { name: "Avisos", hidden: true }).textContent).toBe("");
  });

  it("TRF-024 TRF-036 TRF-037 refuses, explains each mistake in words and moves the focus to the summary", async () => {
    const user = userEvent.setup();
    open("novo");
    await fill("Chave Pix (CNPJ)", "123");
    await fill(/Qual o valor/, "2000");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Há dados inválidos na transferência");
    const summary = screen.getByText("Corrija antes de continuar:").parentElement as HTMLElement;
    expect(document.activeElement).toBe(summary);
    within(summary).getByText("Chave Pix: A chave Pix deve ser válida");
    // The field shows the same words.
    screen.getByText("A chave Pix deve ser válida");
    within(summary).getByText("Valor: O valor máximo é R$ 1.000,00");
    expect(fakeServer.calls(addTransfer)).toHaveLength(0);
  });

  it.each([
    ["finds after the save", () => ({ ...buildTransfer(), errors: [blocked] })],
    ["refuses", () => refuse("transfer_invalid", { errors: [blocked] })],
  ])("TRF-036 reports invalid data that the server %s, and keeps the form", async (_what, answer) => {
    const user = userEvent.setup();
    fakeServer.on(addTransfer, answer);
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "a@b.com");
    await fill(/Qual o valor/, "1");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText("Há dados inválidos na transferência");
    await screen.findByText("Chave Pix: CPF ou CNPJ bloqueado");
    expect(screen.queryByText("Transferência inválida")).toBeNull();
  });

  it("TRF-044 shows an impossible day and does not pay today instead", async () => {
    open("novo");
    await fill("Chave Pix (CNPJ)", "72491638000183");
    await fill(/Qual o valor/, "10");
    await fill("Data do pagamento", "31112026");
    await userEvent.click(await button("Salvar pagamento"));
    await screen.findByText("Data do pagamento: Data de pagamento inválida");
    expect(screen.getByLabelText<HTMLInputElement>("Data do pagamento").value).toBe("31/11/2026");
    expect(fakeServer.calls(addTransfer)).toEqual([]);
  });

  it("TRF-037 TRF-038 shows the maximum of the method in the label", async () => {
    const user = userEvent.setup();
    open("novo");
    await screen.findByLabelText("Qual o valor? (máximo de R$ 1.000,00)");
    await user.click(screen.getByRole("radio", { name: "Conta bancária" }));
    await screen.findByLabelText("Qual o valor? (máximo de R$ 5.000,00)");
    await user.type(screen.getByRole("combobox", { name: "Banco" }), "593{Enter}");
    await screen.findByLabelText("Qual o valor? (máximo de R$ 9.000,00)");
  });

  it("TRF-025 TRF-026 formats the key and detects its type on leaving the field", async () => {
    const user = userEvent.setup();
    open("novo");
    await fill("Chave Pix (CNPJ)", "52998224725");
    await user.tab();
    expect((await screen.findByLabelText<HTMLInputElement>("Chave Pix (CPF)")).value).toBe("529.982.247-25");
    await fill("Chave Pix (CPF)", "72491638000183");
    await user.tab();
    await screen.findByLabelText("Chave Pix (CNPJ)");
    await user.click(screen.getByRole("radio", { name: "Celular" }));
    await fill("Chave Pix (Celular)", "+55 11 98765-4321");
    await user.tab();
    expect(screen.getByLabelText<HTMLInputElement>("Chave Pix (Celular)").value).toBe("(11) 98765-4321");
  });

  it("TRF-028 TRF-039 pays an account by TED, with the bank found by its code and the digit proposed", async () => {
    const user = userEvent.setup();
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "Conta bancária" }));
    await user.type(await screen.findByRole("combobox", { name: "Banco" }), "341{Enter}");
    await fill("Agência", "1234");
    await fill("Conta", "12345");
    await fill("Dígito da conta", "9");
    await fill("Nome ou razão social", "Maria da Silva");
    await fill("CPF ou CNPJ", "52998224725");
    await fill(/Qual o valor/, "10");
    await user.click(await button("Salvar pagamento"));
    await user.click((await screen.findAllByRole("button", { name: /^Usar 12345-/ }))[0] as HTMLElement);
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
    expect(added()).toMatchObject({
      destination_bank_account: { bank_id: "60701190", agency: "1234", account: "12345", pix_key: null },
    });
  });

  it("TRF-035 reports that public entities are for companies", async () => {
    const user = userEvent.setup();
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "Conta bancária" }));
    await fill("CPF ou CNPJ", "529.982.247-25");
    const choose = async (name: string) => {
      await user.click(screen.getByRole("combobox", { name: "Tipo de conta" }));
      await user.click(await screen.findByRole("option", { name }));
    };
    const said = "Esse tipo de conta somente permite pagamento para pessoa jurídica";
    // A person may have accounts of the other types.
    await choose("Conta poupança");
    expect(screen.queryByText(said)).toBeNull();
    await choose("Entidades públicas");
    await screen.findByText(said);
  });

  it("RCV-021 TRF-017 finds a saved receiver from three letters and fills the form", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup();
    fakeServer.on(searchReceivers, () => ({ data: [buildReceiver()] }));
    open("novo");
    // Longer than the search's pause after typing.
    const afterPause = () => act(() => vi.advanceTimersByTimeAsync(1_000));
    const asked = () => fakeServer.calls(searchReceivers).map(({ query }) => query);
    const field = await screen.findByRole("combobox", { name: "Buscar um recebedor cadastrado" });
    await user.type(field, "ma");
    await afterPause();
    expect(asked()).toEqual([]);
    await user.type(field, "r");
    await afterPause();
    expect(asked()).toEqual([{ search: "mar" }]);
    await user.click(await screen.findByRole("option", { name: /Marina Lopes/ }));
    const textOf = async (label: string) => (await screen.findByLabelText<HTMLInputElement>(label)).value;
    expect(await textOf("Chave Pix (E-mail)")).toBe("marina@exemplo.com");
    expect(await textOf("Nome ou razão social (opcional)")).toBe("Marina Lopes");
    expect(await textOf("CPF ou CNPJ (opcional)")).toBe("529.982.247-25");
  });

  it("TRF-017 offers the search of saved receivers beside every way to pay", async () => {
    const user = userEvent.setup();
    open("novo");
    for (const way of ["Chave Pix", "Conta bancária", "Pix copia e cola"]) {
      await user.click(await screen.findByRole("radio", { name: way }));
      screen.getByRole("combobox", { name: "Buscar um recebedor cadastrado" });
    }
  });

  it("RCV-021 fills the form with the account of a receiver that has no key", async () => {
    const user = userEvent.setup();
    const [, withAccount] = twoReceivers();
    const more = { agency_digit: "9", email: "contas@grafica.exemplo" };
    fakeServer.on(searchReceivers, () => ({ data: [{ ...withAccount, ...more }] }));
    open("novo");
    await user.type(await screen.findByRole("combobox", { name: "Buscar um recebedor cadastrado" }), "gra");
    await user.click(await screen.findByRole("option", { name: /Gráfica Ponto Final/ }));
    expect((await screen.findByLabelText<HTMLInputElement>("Conta")).value).toBe("31872");
    await fill(/Qual o valor/, "10");
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
    const account = { agency: "0457", account: "31872", account_digit: "3", account_type: "CONTA_CORRENTE" };
    const holder = { name: "Gráfica Ponto Final", cpf_cnpj: "72491638000183" };
    expect(added()).toMatchObject({
      destination_bank_account: { ...holder, ...account, ...more, bank_id: itau.id, pix_key: null },
    });
  });

  it("TRF-017 asks for an integration id only in companies that use them", async () => {
    served.hasIntegrationId = false;
    const app = open("novo");
    await screen.findByLabelText("Qual o valor? (máximo de R$ 1.000,00)");
    expect(screen.queryByLabelText(/ID de integração/)).toBeNull();
    app.unmount();
    served.hasIntegrationId = true;
    open("novo");
    await screen.findByLabelText("ID de integração (opcional)");
  });

  it("TRF-022 warns of a used integration id without blocking", async () => {
    const user = userEvent.setup();
    fakeServer.on(readDuplicatedIntegrationId, () => ({ isDuplicated: true }));
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "a@b.com");
    await fill(/Qual o valor/, "1");
    await fill(/ID de integração/, "NF-1");
    await user.tab();
    await screen.findByText("ID de integração já usado em outro pagamento");
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(fakeServer.calls(addTransfer)).toHaveLength(1));
  });

  it("keeps a half-filled form over a reload and offers it again", async () => {
    const user = userEvent.setup();
    const app = open("novo");
    await fill("Chave Pix (CNPJ)", "27418639");
    app.unmount();
    open("novo");
    await screen.findByText("Encontramos um preenchimento que não foi salvo.");
    await user.click(await button("Recuperar"));
    expect((await screen.findByLabelText<HTMLInputElement>("Chave Pix (CNPJ)")).value).toBe("27418639");
  });

  it("asks before discarding what was typed, and then drops it", async () => {
    const user = userEvent.setup();
    open("novo");
    await fill("Chave Pix (CNPJ)", "27418639");
    await user.keyboard("{Escape}");
    await user.click(
      within(await dialog("Descartar o que foi preenchido?")).getByRole("button", { name: "Descartar" }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull());
    expect(sessionStorage).toHaveLength(0);
  });

  it("TRF-002 sends the same id again after a lost answer, so that the payment is made once", async () => {
    const user = userEvent.setup();
    fakeServer.on(addTransfer, () => refuse("unavailable"));
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "a@b.com");
    await fill(/Qual o valor/, "1");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText(/Estamos nos recuperando/);
    fakeServer.on(addTransfer, () => buildTransfer());
    await user.click(await button("Salvar pagamento"));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "Criar novo pagamento" })).toBeNull());
    const [first, ...later] = fakeServer.calls(addTransfer).map(({ body }) => (body as { id: string }).id);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(later).toEqual([first]);
  });

  it("TRF-020 reports that saving failed and keeps the form", async () => {
    const user = userEvent.setup();
    fakeServer.on(addTransfer, () => refuse("batch_not_draft"));
    open("novo");
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "a@b.com");
    await fill(/Qual o valor/, "1");
    await user.click(await button("Salvar pagamento"));
    await screen.findByText(/Este lote já não é um rascunho/);
    expect(screen.getByLabelText<HTMLInputElement>("Chave Pix (E-mail)").value).toBe("a@b.com");
  });
});
