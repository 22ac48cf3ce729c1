import {
  changeReceiver,
  createReceiver,
  listReceivers,
  type Receiver,
  readReceiver,
  removeReceiver,
} from "@malote/contracts/receivers";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { dialog, openReceivers, serveReceivers, twoReceivers } from "../testing/receivers.ts";
import { buttonClass } from "../ui/button.tsx";

const home = "/pagamentos/recebedores";
const asked = () => fakeServer.calls(listReceivers).map(({ query }) => query);
const fill = async (label: string | RegExp, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};
/** Area that a dialog covers. */
const placeOf = (name: string) => screen.getByRole("dialog", { name }).getAttribute("data-place");
const linesOf = (view: { getAllByRole: (role: "term") => HTMLElement[] }) =>
  view.getAllByRole("term").map((term) => [term.textContent, term.nextElementSibling?.textContent]);
/** Waits for the form of the loaded receiver. */
const editing = async () => {
  await screen.findByRole("radio", { name: "Celular" });
  return within(await dialog("Editar recebedor"));
};

let saved: Receiver[];
let first: Receiver;
let second: Receiver;

// Loads the form in advance, so that the first test does not wait for it.
beforeAll(() => import("./receiver-modal.tsx"));
beforeEach(() => {
  [first, second] = twoReceivers();
  saved = [first, second];
  serveReceivers(first, () => saved);
});

describe("form", () => {
  it("PIX-002 RCV-007 RCV-009 RCV-013 RCV-014 RCV-016 saves a new receiver by a key of five kinds", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => first);
    const app = openReceivers();
    await user.click(await screen.findByRole("button", { name: "Novo recebedor" }));
    const form = within(await dialog("Cadastrar novo recebedor"));
    expect(placeOf("Cadastrar novo recebedor")).toBe("full");
    for (const name of ["Dados do recebedor", "Dados pessoais", "Dados bancários"])
      form.getByRole("heading", { name });
    form.getByRole("button", { name: "Cancelar" });
    expect(form.queryByRole("button", { name: "Excluir" })).toBeNull();
    const kinds = within(form.getByRole("group", { name: "Tipo de chave" })).getAllByRole("radio");
    expect(kinds.map((kind) => kind.closest("label")?.textContent)).toEqual([
      "CPF",
      "CNPJ",
      "E-mail",
      "Celular",
      "Chave aleatória",
    ]);
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
    // The list is fetched again.
    expect(asked().length).toBeGreaterThan(1);
  });

  it("RCV-011 refuses by the rules of the transfer form, in words beside the field and in a summary", async () => {
    const user = userEvent.setup();
    openReceivers("?recebedor=novo");
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

  it("RCV-008 RCV-014 RCV-015 opens a row to edit all of it, and sends the present content", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeReceiver, () => first);
    const app = openReceivers();
    await user.click(await screen.findByRole("link", { name: "Ana Lima" }));
    const form = await editing();
    expect(placeOf("Editar recebedor")).toBe("full");
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

  it("RCV-008 RCV-014 opens with what was saved, even when the form closed before it was read again", async () => {
    const user = userEvent.setup();
    fakeServer.on(changeReceiver, () => {
      saved = [{ ...first, name: "Ana Souza" }, second];
      return first;
    });
    openReceivers(`?recebedor=${first.id}`);
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
    openReceivers();
    await userEvent.click(await screen.findByText("ana@exemplo.com.br"));
    await editing();
  });

  it("RCV-012 another type of key empties the form and starts a new receiver, which can be undone", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => first);
    openReceivers(`?recebedor=${first.id}`);
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
      cpf_cnpj: null,
      email: null,
    });
    expect(fakeServer.calls(createReceiver)[0]?.body).not.toMatchObject({ id: first.id });
  });

  it("RCV-012 asks before another type of key discards what was typed in an edit", async () => {
    const user = userEvent.setup();
    openReceivers(`?recebedor=${first.id}`);
    await editing();
    await fill("Nome ou razão social (opcional)", "Ana Souza");
    await user.click(screen.getByRole("radio", { name: "Celular" }));
    const question = within(await dialog("Descartar o que foi preenchido?"));
    expect((screen.getByRole("radio", { name: "E-mail" }) as HTMLInputElement).checked).toBe(true);
    await user.click(question.getByRole("button", { name: "Descartar" }));
    await dialog("Cadastrar novo recebedor");
    expect(sessionStorage).toHaveLength(0);
  });

  it("RCV-012 never offers the text of a new receiver on the saved one where it started", async () => {
    const user = userEvent.setup();
    const app = openReceivers(`?recebedor=${first.id}`);
    await user.click((await editing()).getByRole("radio", { name: "Celular" }));
    await dialog("Cadastrar novo recebedor");
    await fill("Nome ou razão social (opcional)", "Outra Pessoa");
    app.unmount();
    const again = openReceivers(`?recebedor=${first.id}`);
    await editing();
    expect(screen.queryByRole("button", { name: "Recuperar" })).toBeNull();
    again.unmount();
    openReceivers("?recebedor=novo");
    await user.click(await screen.findByRole("button", { name: "Recuperar" }));
    expect((screen.getByLabelText("Nome ou razão social (opcional)") as HTMLInputElement).value).toBe(
      "Outra Pessoa",
    );
  });

  it("RCV-012 another type of key empties a new receiver too, and asks before typed text is lost", async () => {
    const user = userEvent.setup();
    openReceivers("?recebedor=novo");
    // Nothing would be lost, so no question appears.
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

  it("RCV-016 reports that saving failed, and keeps what was typed", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => refuseWithoutCode());
    openReceivers("?recebedor=novo");
    const form = within(await dialog("Cadastrar novo recebedor"));
    await user.click(form.getByRole("radio", { name: "E-mail" }));
    await fill("Chave Pix (E-mail)", "ana@exemplo.com.br");
    await user.click(form.getByRole("button", { name: "Salvar recebedor" }));
    await screen.findByText("Ocorreu um erro ao salvar recebedor");
    expect((form.getByLabelText("Chave Pix (E-mail)") as HTMLInputElement).value).toBe("ana@exemplo.com.br");
  });

  it("RCV-013 repeats the same receiver under its id, and sends a corrected one under another", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => refuseWithoutCode());
    openReceivers("?recebedor=novo");
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

  it("RCV-016 reports that the key is taken, and shows the server's findings under their field", async () => {
    const user = userEvent.setup();
    fakeServer.on(createReceiver, () => refuse("receiver_exists"));
    openReceivers("?recebedor=novo");
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

  it("RCV-009 RCV-017 asks before deleting one, deletes it and reports success", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceiver, ({ params }) => {
      saved = saved.filter(({ id }) => id !== params["id"]);
      return { ok: true as const };
    });
    openReceivers(`?recebedor=${first.id}`);
    const remove = (await editing()).getByRole("button", { name: "Excluir" });
    // Destructive buttons are red.
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

  it("RCV-017 reports that deleting failed, with the server's reason if any", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceiver, () => refuseWithoutCode());
    openReceivers(`?recebedor=${first.id}`);
    await user.click((await editing()).getByRole("button", { name: "Excluir" }));
    await user.click(
      within(await dialog("Excluir recebedor")).getByRole("button", { name: "Excluir recebedor" }),
    );
    await screen.findByText("Ocorreu um erro ao excluir recebedor");
    const question = within(await dialog("Excluir recebedor"));
    fakeServer.on(removeReceiver, () => refuse("not_found"));
    await user.click(question.getByRole("button", { name: "Excluir recebedor" }));
    await screen.findByText(/^Não encontramos o que você procura/);
  });

  it("asks before discarding what was typed, and offers it again after a reload", async () => {
    const user = userEvent.setup();
    const app = openReceivers("?recebedor=novo");
    await fill("Nome ou razão social (opcional)", "Meio Digitado");
    await user.click(screen.getByRole("button", { name: "Cancelar" }));
    await user.click(
      within(await dialog("Descartar o que foi preenchido?")).getByRole("button", {
        name: "Continuar preenchendo",
      }),
    );
    app.unmount();
    openReceivers("?recebedor=novo");
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

  it("reports that a receiver is gone", async () => {
    openReceivers("?recebedor=0198f000-0000-7000-8000-00000000dead");
    await screen.findByText("Não foi possível abrir o recebedor");
    screen.getByText(/^Não encontramos o que você procura/);
  });
});

describe("analysts", () => {
  const analyst = { session: { profile: "analyst" as const } };

  it("RCV-007 RCV-019 cannot create or delete", async () => {
    const app = openReceivers("", analyst);
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(screen.queryByRole("button", { name: "Novo recebedor" })).toBeNull();
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    app.unmount();
    openReceivers("?recebedor=novo", analyst);
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("RCV-008 RCV-010 read a receiver by key: key, name and document", async () => {
    fakeServer.on(readReceiver, () => ({
      ...first,
      last_payment: { at: "2026-08-12T02:30:00Z", value: 99_90 },
    }));
    openReceivers(`?recebedor=${first.id}`, analyst);
    const view = within(await dialog("Recebedor"));
    await view.findByText("Chave Pix");
    expect(placeOf("Recebedor")).toBe("full");
    view.getByText((_, element) => element?.textContent === "Último pagamento 11/08/2026 · R$\u00a099,90");
    expect(linesOf(view)).toEqual([
      ["Tipo de chave", "E-mail"],
      ["Chave Pix", "ana@exemplo.com.br"],
      ["Nome", "Ana Lima"],
      ["CPF/CNPJ", "***.982.247-**"],
    ]);
    expect(view.queryByRole("textbox")).toBeNull();
    expect(view.queryByRole("button", { name: "Excluir" })).toBeNull();
    expect(view.queryByRole("button", { name: "Copiar CPF/CNPJ" })).toBeNull();
  });

  it("RCV-010 read the account of a receiver without a key", async () => {
    openReceivers(`?recebedor=${second.id}`, analyst);
    const view = within(await dialog("Recebedor"));
    await view.findByText("341 · Itaú Unibanco");
    expect(linesOf(view)).toEqual([
      ["Banco", "341 · Itaú Unibanco"],
      ["Agência", "0457"],
      ["Conta", "31872-3"],
      ["Tipo de conta", "Conta corrente"],
      ["Nome", "Gráfica Ponto Final"],
      ["CPF/CNPJ", "72.491.638/0001-83"],
    ]);
  });
});
