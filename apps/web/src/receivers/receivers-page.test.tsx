import { createCheckpoint, listBanks, readCheckpoint } from "@malote/contracts/company";
import {
  changeReceiver,
  createReceiver,
  listReceivers,
  type Receiver,
  readReceiver,
  removeReceiver,
  removeReceivers,
} from "@malote/contracts/receivers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildReceiver } from "../testing/payments.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { buttonClass } from "../ui/button.tsx";
import { receivers as feature } from "./feature.ts";

const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
const home = "/pagamentos/recebedores";

let saved: Receiver[];
let first: Receiver;
let second: Receiver;

const open = (search = "", session: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(home + search, session);
const dialog = (name: string) => screen.findByRole("dialog", { name });
const fill = async (label: string | RegExp, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
/** The form, once the receiver is there. */
const editing = async () => {
  await screen.findByRole("radio", { name: "Celular" });
  return within(await dialog("Editar recebedor"));
};
const asked = () => fakeServer.calls(listReceivers).map(({ query }) => query);

// It loads when it is opened, and reading its parts for the first time is no part of any test.
beforeAll(() => import("./receiver-modal.tsx"));
beforeEach(() => {
  first = buildReceiver({ name: "Ana Lima", cpf_cnpj: "***.982.247-**", pix_key: "ana@exemplo.com.br" });
  second = buildReceiver({
    name: "Gráfica Ponto Final",
    cpf_cnpj: "72491638000183",
    pix_key: null,
    pix_key_type: null,
    bank_id: itau.id,
    Bank: itau,
    agency: "0457",
    account: "31872",
    account_digit: "3",
    account_type: "CONTA_CORRENTE",
    status: "FAILED",
    status_description: "Conta encerrada.",
  });
  saved = [first, second];
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(listBanks, () => ({ data: [itau] }));
  fakeServer.on(listReceivers, ({ query }) => {
    const found = saved.filter(
      ({ name, bank_id, status }) =>
        (!query["search"] || name?.toLowerCase().includes(query["search"])) &&
        (!query["bankId"] || bank_id === query["bankId"]) &&
        (!query["status"] || status === query["status"]),
    );
    const page = Number(query["page"] ?? 0);
    return {
      data: found.slice(page * 2, page * 2 + 2),
      metadata: { pagination: { itemsPerPage: 2, totalItems: found.length } },
    };
  });
  fakeServer.on(readReceiver, ({ params }) => {
    const found = saved.find(({ id }) => id === params["id"]);
    return found
      ? { ...found, cpf_cnpj: found === first ? "52998224725" : found.cpf_cnpj }
      : refuse("not_found");
  });
});

describe("opening the page", () => {
  it("RCV-006 leads to the first steps while they are not filled, and records nothing", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    const app = renderApp(home, {
      features: [feature, placeholderScreens("FirstStepsPage", "BatchesPage")],
      session: {
        company: {
          id: "0198f000-0000-7000-8000-0000000000c1",
          name: "Nova",
          cpfCnpj: "1",
          acceptedContract: true,
        },
      },
    });
    await screen.findByRole("heading", { name: "FirstStepsPage" });
    expect(app.address()).toContain(`redirectedFrom=${encodeURIComponent(home)}`);
    expect(fakeServer.calls(createCheckpoint)).toEqual([]);
    expect(asked()).toEqual([]);
  });

  it("RCV-006 FST-024 records that it was opened; FST-025 and opens though that fails", async () => {
    fakeServer.on(createCheckpoint, () => refuse("internal"));
    open();
    await screen.findByRole("link", { name: "Ana Lima" });
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
        { location: "HAS_OPENED_RECEIVER_MANAGEMENT" },
      ]),
    );
  });

  it("SHL-028 the group 'Pagamentos' of the side menu leads here, after the batches, for analysts too", async () => {
    open("", { session: { profile: "analyst" } });
    const menu = await screen.findByRole("navigation", { name: "Pagamentos" });
    const entries = within(menu)
      .getAllByRole("link")
      .map((link) => link.textContent);
    expect(entries.indexOf("Recebedores")).toBeGreaterThan(entries.indexOf("Lotes"));
    expect(within(menu).getByRole("link", { name: "Recebedores" }).getAttribute("aria-current")).toBe("page");
  });
});

describe("the list", () => {
  it("RCV-001 RCV-002 shows a row for each receiver with its columns and status", async () => {
    open();
    const table = await screen.findByRole("table", { name: "Seus recebedores" });
    screen.getByRole("heading", { name: "Seus recebedores" });
    const headings = within(table)
      .getAllByRole("columnheader")
      .map((cell) => cell.textContent);
    expect(headings).toEqual(["Nome", "CPF/CNPJ", "Banco", "Agência", "Conta ou Chave Pix", "Status"]);
    const rows = within(table).getAllByRole("row").slice(1);
    const cells = (row: HTMLElement | undefined) =>
      within(row as HTMLElement)
        .getAllByRole("cell")
        .map((cell) =>
          [...cell.children]
            .filter((child) => !child.hasAttribute("aria-hidden"))
            .map((child) => child.textContent)
            .join(""),
        );
    expect(cells(rows[0])).toEqual([
      "Ana Lima",
      "***.982.247-**",
      "–",
      "–",
      "ana@exemplo.com.br",
      "Verificado",
    ]);
    expect(cells(rows[1])).toEqual([
      "Gráfica Ponto Final",
      "72.491.638/0001-83",
      "Itaú Unibanco",
      "0457",
      "31872-3",
      "Com falhaConta encerrada.",
    ]);
  });

  it("RCV-001 RCV-005 searches and filters by bank and status, all in the address", async () => {
    const user = userEvent.setup();
    const app = open();
    await user.type(
      await screen.findByRole("searchbox", { name: "Nome, CPF, agência ou conta" }),
      "gr{Enter}",
    );
    await waitFor(() => expect(app.address()).toContain("busca=gr"));
    await user.type(screen.getByRole("combobox", { name: "Banco" }), "341{Enter}");
    await user.click(screen.getByRole("button", { name: /^Status:/ }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Com falha" }));
    await waitFor(() =>
      expect(asked().at(-1)).toEqual({ page: "0", search: "gr", bankId: itau.id, status: "FAILED" }),
    );
    expect(app.address()).toContain("busca=gr&banco=60701190&status=falha");
    await screen.findByRole("link", { name: "Gráfica Ponto Final" });
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(app.address()).toBe(home);
  });

  it("RCV-005 counts pages from 0 for the server and from 1 for people", async () => {
    saved = [first, second, buildReceiver({ name: "Zeca" })];
    const app = open();
    await userEvent.click(await screen.findByRole("button", { name: "Página 2" }));
    await screen.findByRole("link", { name: "Zeca" });
    expect(app.address()).toBe(`${home}?pagina=2`);
    expect(asked().map(({ page }) => page)).toEqual(["0", "1"]);
  });

  it("goes back to the last page there is", async () => {
    const app = open("?pagina=9");
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(app.address()).toBe(home);
  });

  it("RCV-003 on first use says what the page is for instead of a table", async () => {
    saved = [];
    open();
    await screen.findByRole("heading", { name: "Você ainda não tem recebedores" });
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.queryByRole("searchbox")).toBeNull();
    screen.getByRole("button", { name: "Novo recebedor" });
  });

  it("RCV-003 RCV-004 distinguishes an empty search from an empty list", async () => {
    open("?busca=ninguem");
    await screen.findByRole("heading", { name: "Nenhum recebedor foi encontrado na sua busca" });
    expect(screen.queryByText("Você ainda não tem recebedores")).toBeNull();
    screen.getByRole("searchbox");
  });

  it("RCV-003 shows the same when nobody is saved and the address holds a search", async () => {
    saved = [];
    open("?busca=ninguem");
    await screen.findByRole("heading", { name: "Você ainda não tem recebedores" });
  });

  it("says that the list failed and asks again", async () => {
    fakeServer.on(listReceivers, () => refuse("unavailable"));
    open();
    const alert = await screen.findByRole("alert");
    within(alert).getByText("Não foi possível carregar os recebedores");
    fakeServer.on(listReceivers, () => ({
      data: [first],
      metadata: { pagination: { itemsPerPage: 2, totalItems: 1 } },
    }));
    await userEvent.click(within(alert).getByRole("button", { name: "Tentar de novo" }));
    await screen.findByRole("link", { name: "Ana Lima" });
  });
});

describe("the form", () => {
  it("RCV-007 RCV-009 RCV-013 RCV-014 RCV-016 saves a new receiver by key", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => first);
    const app = open();
    await user.click(await screen.findByRole("button", { name: "Novo recebedor" }));
    const form = within(await dialog("Cadastrar novo recebedor"));
    for (const name of ["Dados do recebedor", "Dados pessoais", "Dados bancários"])
      form.getByRole("heading", { name });
    form.getByRole("button", { name: "Cancelar" });
    expect(form.queryByRole("button", { name: "Excluir" })).toBeNull();
    await user.click(form.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", " Ana@Exemplo.com.br ");
    await fill("Nome ou razão social (opcional)", "Ana Lima");
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await screen.findByText("Recebedor salvo com sucesso");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(app.address()).toBe(home);
    const [sent] = fakeServer.calls(createReceiver);
    expect(sent?.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: "Ana Lima",
      cpf_cnpj: null,
      email: null,
      bank_id: null,
      agency: null,
      agency_digit: null,
      account_type: null,
      account: null,
      account_digit: null,
      pix_key: "ana@exemplo.com.br",
      pix_key_type: "EMAIL",
    });
    // The list is read anew.
    expect(asked().length).toBeGreaterThan(1);
  });

  it("RCV-011 refuses by the rules of the transfer form, in words beside the field and in a summary", async () => {
    const user = userEvent.setup();
    open("?recebedor=novo");
    const form = within(await dialog("Cadastrar novo recebedor"));
    await user.click(form.getByRole("radio", { name: "Conta bancária" }));
    await fill("Nome ou razão social", "Jo");
    await fill("CPF ou CNPJ", "111.111.111-11");
    await fill(/E-mail/, "sem arroba");
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    const summary = form.getByText("Corrija antes de continuar:").parentElement as HTMLElement;
    expect(document.activeElement).toBe(summary);
    for (const text of [
      "Nome ou razão social: O nome deve ter no mínimo 3 letras",
      "CPF ou CNPJ: O CPF/CNPJ deve ser válido",
      "Banco: Informe o banco",
      "Conta: Informe a conta, somente números",
      "E-mail: E-mail inválido",
    ])
      within(summary).getByText(text);
    expect(fakeServer.calls(createReceiver)).toEqual([]);
  });

  it("RCV-008 RCV-014 RCV-015 opens a row to edit it, whole, and sends what it says now", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeReceiver, () => first);
    const app = open();
    await user.click(await screen.findByRole("link", { name: "Ana Lima" }));
    const form = await editing();
    expect(app.address()).toBe(`${home}?recebedor=${first.id}`);
    expect((form.getByLabelText("CPF ou CNPJ (opcional)") as HTMLInputElement).value).toBe("529.982.247-25");
    await fill("Nome ou razão social (opcional)", "Ana Lima Souza");
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await screen.findByText("Recebedor salvo com sucesso");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("link", { name: "Ana Lima" })));
    expect(fakeServer.calls(changeReceiver)[0]?.body).toMatchObject({
      name: "Ana Lima Souza",
      cpf_cnpj: "52998224725",
      pix_key: "ana@exemplo.com.br",
    });
  });

  it("RCV-008 RCV-014 opens with what was saved, though the form closed before it was read again", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeReceiver, () => {
      saved = [{ ...first, name: "Ana Souza" }, second];
      return first;
    });
    open(`?recebedor=${first.id}`);
    await editing();
    let answer: (receiver: Receiver) => void = () => undefined;
    fakeServer.on(readReceiver, () => new Promise<Receiver>((resolve) => (answer = resolve)));
    await fill("Nome ou razão social (opcional)", "Ana Souza");
    await user.click(screen.getByRole("button", { name: "Salvar recebedor" }));
    await user.click(await screen.findByRole("link", { name: "Ana Souza" }));
    await dialog("Editar recebedor");
    answer({ ...first, name: "Ana Souza" });
    const form = await editing();
    expect((form.getByLabelText("Nome ou razão social (opcional)") as HTMLInputElement).value).toBe(
      "Ana Souza",
    );
  });

  it("RCV-008 opens by a click anywhere in the row", async () => {
    open();
    await userEvent.click(await screen.findByText("ana@exemplo.com.br"));
    await editing();
  });

  it("RCV-012 another type of key empties the form and begins a new receiver, which can be taken back", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => first);
    open(`?recebedor=${first.id}`);
    await user.click((await editing()).getByRole("radio", { name: "Celular" }));
    const form = within(await dialog("Cadastrar novo recebedor"));
    expect((form.getByLabelText("Chave Pix (Celular)") as HTMLInputElement).value).toBe("");
    expect((form.getByLabelText("Nome ou razão social (opcional)") as HTMLInputElement).value).toBe("");
    expect(form.queryByRole("button", { name: "Excluir" })).toBeNull();
    await user.click(form.getByRole("button", { name: "Voltar a editar" }));
    const again = await editing();
    expect((again.getByLabelText("Chave Pix (E-mail)") as HTMLInputElement).value).toBe("ana@exemplo.com.br");
    await user.click(again.getByRole("radio", { name: "Celular" }));
    await fill("Chave Pix (Celular)", "11987654321");
    await user.click(screen.getByRole("button", { name: "Salvar recebedor" }));
    await waitFor(() => expect(fakeServer.calls(createReceiver)).toHaveLength(1));
    expect(fakeServer.calls(createReceiver)[0]?.body).toMatchObject({
      pix_key_type: "TELEFONE",
      pix_key: "+5511987654321",
      name: null,
    });
    expect(fakeServer.calls(createReceiver)[0]?.body).not.toMatchObject({ id: first.id });
  });

  it("RCV-012 asks before another type of key throws away what was typed in an edit", async () => {
    const user = userEvent.setup();
    open(`?recebedor=${first.id}`);
    await editing();
    await fill("Nome ou razão social (opcional)", "Ana Souza");
    await user.click(screen.getByRole("radio", { name: "Celular" }));
    const question = within(await dialog("Descartar o que foi preenchido?"));
    expect((screen.getByRole("radio", { name: "E-mail" }) as HTMLInputElement).checked).toBe(true);
    await user.click(question.getByRole("button", { name: "Descartar" }));
    await dialog("Cadastrar novo recebedor");
    expect(sessionStorage).toHaveLength(0);
  });

  it("RCV-012 what was typed for a new receiver is never offered on the saved one it began at", async () => {
    const user = userEvent.setup();
    const app = open(`?recebedor=${first.id}`);
    await user.click((await editing()).getByRole("radio", { name: "Celular" }));
    await dialog("Cadastrar novo recebedor");
    await fill("Nome ou razão social (opcional)", "Outra Pessoa");
    app.unmount();
    const again = open(`?recebedor=${first.id}`);
    await editing();
    expect(screen.queryByRole("button", { name: "Recuperar" })).toBeNull();
    again.unmount();
    open("?recebedor=novo");
    await user.click(await screen.findByRole("button", { name: "Recuperar" }));
    expect((screen.getByLabelText("Nome ou razão social (opcional)") as HTMLInputElement).value).toBe(
      "Outra Pessoa",
    );
  });

  it("RCV-012 another type of key empties a new receiver too, and asks before what was typed is gone", async () => {
    const user = userEvent.setup();
    open("?recebedor=novo");
    // Nothing is lost: nothing is asked.
    await user.click(await screen.findByRole("radio", { name: "E-mail" }));
    await user.click(screen.getByRole("radio", { name: "CNPJ" }));
    await fill("Nome ou razão social (opcional)", "Meio Digitado");
    await fill("Chave Pix (CNPJ)", "72491638000183");
    await user.click(screen.getByRole("radio", { name: "Celular" }));
    const question = within(await dialog("Descartar o que foi preenchido?"));
    await user.click(question.getByRole("button", { name: "Descartar" }));
    expect(((await screen.findByLabelText("Chave Pix (Celular)")) as HTMLInputElement).value).toBe("");
    expect((screen.getByLabelText("Nome ou razão social (opcional)") as HTMLInputElement).value).toBe("");
    await fill("Nome ou razão social (opcional)", "Outra Pessoa");
    await user.click(screen.getByRole("button", { name: "Cancelar" }));
    await dialog("Descartar o que foi preenchido?");
  });

  it("RCV-016 says that saving failed, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => refuseWithoutCode());
    open("?recebedor=novo");
    const form = within(await dialog("Cadastrar novo recebedor"));
    await user.click(form.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "ana@exemplo.com.br");
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await screen.findByText("Ocorreu um erro ao salvar recebedor");
    expect((form.getByLabelText("Chave Pix (E-mail)") as HTMLInputElement).value).toBe("ana@exemplo.com.br");
  });

  it("sends the same receiver again under its id, and a corrected one under another", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => refuseWithoutCode());
    open("?recebedor=novo");
    const form = within(await dialog("Cadastrar novo recebedor"));
    await user.click(form.getByRole("radio", { name: "E-mail" }));
    const save = async (key: string, count: number) => {
      await fill("Chave Pix (E-mail)", key);
      await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
      await waitFor(() => expect(fakeServer.calls(createReceiver)).toHaveLength(count));
      await waitFor(() =>
        expect(form.getByRole("button", { name: "Salvar recebedor" })).toHaveProperty("disabled", false),
      );
    };
    await save("ana@exemplo.com.br", 1);
    await save("ana@exemplo.com.br", 2);
    await save("ana@exemplo.com", 3);
    const [first, again, corrected] = fakeServer
      .calls(createReceiver)
      .map(({ body }) => (body as { id: string }).id);
    expect(again).toBe(first);
    expect(corrected).not.toBe(first);
  });

  it("says that the key is taken, and shows under its field what only the server knows", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => refuse("receiver_exists"));
    open("?recebedor=novo");
    const form = within(await dialog("Cadastrar novo recebedor"));
    await user.click(form.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "ana@exemplo.com.br");
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await screen.findByText(/^Você já tem um recebedor com esta chave Pix ou conta/);
    const errors = [{ code: "tax_id_blocked", field: "pix_key" }];
    fakeServer.on(createReceiver, () => refuse("receiver_invalid", { errors }));
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await form.findByText("Chave Pix: CPF ou CNPJ bloqueado");
  });

  it("RCV-009 RCV-017 asks before deleting one, deletes it and says so", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceiver, () => {
      saved = [second];
      return { ok: true as const };
    });
    open(`?recebedor=${first.id}`);
    const remove = (await editing()).getByRole("button", { name: "Excluir" });
    // Red is the look of what destroys.
    expect(remove.className.trim()).toBe(buttonClass({ look: "danger" }).trim());
    await user.click(remove);
    const question = within(await dialog("Excluir recebedor"));
    question.getByText("Você tem certeza que deseja excluir esse recebedor?");
    question.getByText("Ana Lima");
    await user.click(question.getByRole("button", { name: "Excluir recebedor" }));
    await screen.findByText("Recebedor excluído com sucesso");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await waitFor(() => expect(screen.queryByRole("link", { name: "Ana Lima" })).toBeNull());
  });

  it("RCV-017 says that deleting failed", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceiver, () => refuseWithoutCode());
    open(`?recebedor=${first.id}`);
    await user.click((await editing()).getByRole("button", { name: "Excluir" }));
    await user.click(
      within(await dialog("Excluir recebedor")).getByRole("button", { name: "Excluir recebedor" }),
    );
    await screen.findByText("Ocorreu um erro ao excluir recebedor");
    await dialog("Excluir recebedor");
  });

  it("asks before throwing away what was typed, and offers it again after a reload", async () => {
    const user = userEvent.setup();
    const app = open("?recebedor=novo");
    await fill("Nome ou razão social (opcional)", "Meio Digitado");
    await user.click(screen.getByRole("button", { name: "Cancelar" }));
    await user.click(
      within(await dialog("Descartar o que foi preenchido?")).getByRole("button", {
        name: "Continuar preenchendo",
      }),
    );
    app.unmount();
    open("?recebedor=novo");
    await user.click(await screen.findByRole("button", { name: "Recuperar" }));
    expect((screen.getByLabelText("Nome ou razão social (opcional)") as HTMLInputElement).value).toBe(
      "Meio Digitado",
    );
    await user.click(screen.getByRole("button", { name: "Cancelar" }));
    await user.click(
      within(await dialog("Descartar o que foi preenchido?")).getByRole("button", { name: "Descartar" }),
    );
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sessionStorage).toHaveLength(0);
  });

  it("says that a receiver is gone", async () => {
    open("?recebedor=0198f000-0000-7000-8000-00000000dead");
    await screen.findByText("Não foi possível abrir o recebedor");
    screen.getByText(/^Não encontramos o que você procura/);
  });
});

describe("analysts", () => {
  const analyst = { session: { profile: "analyst" as const } };

  it("RCV-007 RCV-019 have no way to create or delete", async () => {
    const app = open("", analyst);
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(screen.queryByRole("button", { name: "Novo recebedor" })).toBeNull();
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    app.unmount();
    open("?recebedor=novo", analyst);
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("RCV-008 RCV-010 read a receiver by key: key, name and document", async () => {
    fakeServer.on(readReceiver, () => ({
      ...first,
      last_payment: { at: "2026-08-12T02:30:00Z", value: 99_90 },
    }));
    open(`?recebedor=${first.id}`, analyst);
    const view = within(await dialog("Recebedor"));
    await view.findByText("Chave Pix");
    view.getByText((_, element) => element?.textContent === "Último pagamento 11/08/2026 · R$\u00a099,90");
    expect(view.getAllByRole("term").map((term) => term.textContent)).toEqual([
      "Tipo de chave",
      "Chave Pix",
      "Nome",
      "CPF/CNPJ",
    ]);
    view.getByText("***.982.247-**");
    expect(view.queryByRole("textbox")).toBeNull();
    expect(view.queryByRole("button", { name: "Excluir" })).toBeNull();
    expect(view.queryByRole("button", { name: "Copiar CPF/CNPJ" })).toBeNull();
  });

  it("RCV-010 read the account of a receiver without a key", async () => {
    open(`?recebedor=${second.id}`, analyst);
    const view = within(await dialog("Recebedor"));
    await view.findByText("341 · Itaú Unibanco");
    expect(view.getAllByRole("term").map((term) => term.textContent)).toEqual([
      "Banco",
      "Agência",
      "Conta",
      "Tipo de conta",
      "Nome",
      "CPF/CNPJ",
    ]);
  });
});

describe("deleting several", () => {
  const box = (name: string) => screen.getByRole("checkbox", { name }) as HTMLInputElement;

  it("RCV-018 all can be selected, and selecting all takes the current page alone", async () => {
    const user = userEvent.setup();
    saved = [first, second, buildReceiver({ name: "Zeca" })];
    open();
    await screen.findByRole("link", { name: "Ana Lima" });
    await user.click(box("Selecionar Ana Lima"));
    expect(box("Selecionar todos desta página").indeterminate).toBe(true);
    await user.click(box("Selecionar todos desta página"));
    screen.getByText("2 recebedores selecionados");
    expect([box("Selecionar Ana Lima").checked, box("Selecionar Gráfica Ponto Final").checked]).toEqual([
      true,
      true,
    ]);
    await user.click(screen.getByRole("button", { name: "Página 2" }));
    await screen.findByRole("link", { name: "Zeca" });
    expect(box("Selecionar Zeca").checked).toBe(false);
    expect(screen.queryByRole("button", { name: "Excluir selecionados" })).toBeNull();
  });

  it("RCV-019 RCV-020 asks, deletes the selected ones and says so", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceivers, () => {
      saved = [second];
      return { removed: 1 };
    });
    open();
    await screen.findByRole("link", { name: "Ana Lima" });
    await user.click(box("Selecionar Ana Lima"));
    await user.click(screen.getByRole("button", { name: "Excluir selecionados" }));
    const question = within(await dialog("Excluir Recebedores"));
    question.getByText("Você deseja excluir os recebedores selecionados?");
    question.getByText(/^Ana Lima\./);
    await user.click(question.getByRole("button", { name: "Excluir recebedores" }));
    await screen.findByText("Recebedores excluídos com sucesso");
    await waitFor(() =>
      expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Seus recebedores" })),
    );
    expect(fakeServer.calls(removeReceivers)[0]?.body).toEqual({ ids: [first.id] });
    await waitFor(() => expect(screen.queryByRole("link", { name: "Ana Lima" })).toBeNull());
    expect(screen.queryByRole("button", { name: "Excluir selecionados" })).toBeNull();
  });

  it("RCV-020 says that deleting failed, and keeps the selection", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceivers, () => refuseWithoutCode());
    open();
    await screen.findByRole("link", { name: "Ana Lima" });
    await user.click(box("Selecionar Ana Lima"));
    await user.click(screen.getByRole("button", { name: "Excluir selecionados" }));
    await user.click(
      within(await dialog("Excluir Recebedores")).getByRole("button", { name: "Excluir recebedores" }),
    );
    await screen.findByText("Ocorreu um erro ao excluir recebedor");
    expect(box("Selecionar Ana Lima").checked).toBe(true);
  });
});
