import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { listReceivers, type Receiver, readReceiver, removeReceivers } from "@malote/contracts/receivers";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { buildReceiver } from "../testing/payments.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { dialog, itau, openReceivers, serveReceivers, twoReceivers } from "../testing/receivers.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { buildSession } from "../testing/token.ts";
import { receivers as feature } from "./feature.ts";

const home = "/pagamentos/recebedores";
const asked = () => fakeServer.calls(listReceivers).map(({ query }) => query);

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

describe("opening the page", () => {
  it("RCV-006 redirects to the first steps while they are not filled, and records nothing", async () => {
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

  it("RCV-006 FST-024 records the visit, and by FST-025 opens when that fails", async () => {
    fakeServer.on(createCheckpoint, () => refuse("internal"));
    openReceivers();
    await screen.findByRole("link", { name: "Ana Lima" });
    await waitFor(() =>
      expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([
        { location: "HAS_OPENED_RECEIVER_MANAGEMENT" },
      ]),
    );
  });

  it("SHL-028 the group 'Pagamentos' of the side menu links here, after the batches, for analysts too", async () => {
    openReceivers("", { session: { profile: "analyst" } });
    const menu = await screen.findByRole("navigation", { name: "Pagamentos" });
    const entries = within(menu)
      .getAllByRole("link")
      .map((link) => link.textContent);
    expect(entries.indexOf("Recebedores")).toBeGreaterThan(entries.indexOf("Lotes"));
    expect(within(menu).getByRole("link", { name: "Recebedores" }).getAttribute("aria-current")).toBe("page");
  });
});

describe("list", () => {
  it("RCV-001 RCV-002 shows a row for each receiver with its columns and status", async () => {
    saved = [first, { ...second, agency_digit: "9" }];
    openReceivers();
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
      "0457-9",
      "31872-3",
      "Com falhaConta encerrada.",
    ]);
  });

  it("RCV-002 shows the last arrived payment in the list and above the form, also to people who pay", async () => {
    const paid = { ...first, last_payment: { at: "2026-08-12T02:30:00Z", value: 99_90 } };
    saved = [paid, second];
    fakeServer.on(readReceiver, () => paid);
    openReceivers("", { session: { profile: "operator" } });
    const text = "Último pagamento 11/08/2026 · R$\u00a099,90";
    const row = (await screen.findByRole("link", { name: "Ana Lima" })).closest("tr") as HTMLElement;
    expect(row.textContent).toContain(`Verificado${text}`);
    expect(screen.getAllByText(/^Último pagamento/)).toHaveLength(1);
    await userEvent.click(within(row).getByRole("link", { name: "Ana Lima" }));
    const otherKey = await screen.findByRole("radio", { name: "Celular" });
    const form = within(await dialog("Editar recebedor"));
    form.getByText((_, element) => element?.tagName === "P" && element.textContent === text);
    await userEvent.click(otherKey);
    await form.findByText("Com outro tipo de chave, este é um novo recebedor.");
    expect(form.queryByText(/^Último pagamento/)).toBeNull();
  });

  it("RCV-001 RCV-002 RCV-005 searches and filters by bank and status, all in the address", async () => {
    const user = userEvent.setup();
    const app = openReceivers();
    await user.type(
      await screen.findByRole("searchbox", { name: "Nome, CPF, agência ou conta" }),
      "gr{Enter}",
    );
    await waitFor(() => expect(app.address()).toContain("busca=gr"));
    await user.type(screen.getByRole("combobox", { name: "Banco" }), "341{Enter}");
    await user.click(screen.getByRole("button", { name: /^Status:/ }));
    const offered = await screen.findAllByRole("menuitemradio");
    // Every status that the server may send.
    expect(offered.map(({ textContent }) => textContent)).toEqual([
      "Todos os status",
      "Ainda não pago",
      "Verificado",
      "Com falha",
    ]);
    await user.click(await screen.findByRole("menuitemradio", { name: "Com falha" }));
    await waitFor(() =>
      expect(asked().at(-1)).toEqual({ page: "0", search: "gr", bankId: itau.id, status: "FAILED" }),
    );
    expect(app.address()).toContain("busca=gr&banco=60701190&status=falha");
    await screen.findByRole("link", { name: "Gráfica Ponto Final" });
    for (const [name, status] of [
      ["Ainda não pago", "CREATED"],
      ["Verificado", "VERIFIED"],
    ] as const) {
      await user.click(screen.getByRole("button", { name: /^Status:/ }));
      await user.click(await screen.findByRole("menuitemradio", { name }));
      await waitFor(() => expect(asked()).toContainEqual(expect.objectContaining({ search: "gr", status })));
    }
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(app.address()).toBe(home);
  });

  it("RCV-001 each entry of the filter requests its status, and the page requests none at first", async () => {
    const user = userEvent.setup();
    saved = [first, second, buildReceiver({ name: "Zeca", status: "CREATED" })];
    openReceivers();
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(asked()).toEqual([{ page: "0" }]);
    for (const [name, status] of [
      ["Ainda não pago", "CREATED"],
      ["Verificado", "VERIFIED"],
      ["Com falha", "FAILED"],
    ] as const) {
      await user.click(screen.getByRole("button", { name: /^Status:/ }));
      await user.click(await screen.findByRole("menuitemradio", { name }));
      await waitFor(() => expect([name, asked().at(-1)]).toEqual([name, { page: "0", status }]));
    }
  });

  it("RCV-005 counts pages from 0 for the server and from 1 for people", async () => {
    const byPhone = { pix_key_type: "TELEFONE", pix_key: "+5511987654321" } as const;
    saved = [first, second, buildReceiver({ name: "Zeca", ...byPhone })];
    const app = openReceivers();
    await userEvent.click(await screen.findByRole("button", { name: "Página 2" }));
    const last = (await screen.findByRole("link", { name: "Zeca" })).closest("tr");
    expect(last?.textContent).toContain("(11) 98765-4321");
    expect(app.address()).toBe(`${home}?pagina=2`);
    expect(asked().map(({ page }) => page)).toEqual(["0", "1"]);
  });

  it("falls back to the last existing page", async () => {
    const app = openReceivers("?pagina=9");
    await screen.findByRole("link", { name: "Ana Lima" });
    expect(app.address()).toBe(home);
  });

  it("RCV-003 on first use explains the page in place of a table", async () => {
    saved = [];
    openReceivers();
    await screen.findByRole("heading", { name: "Você ainda não tem recebedores" });
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.queryByRole("searchbox")).toBeNull();
    screen.getByRole("button", { name: "Novo recebedor" });
  });

  it("RCV-003 RCV-007 offers analysts no new receiver on first use either", async () => {
    saved = [];
    openReceivers("", { session: { profile: "analyst" } });
    await screen.findByRole("heading", { name: "Você ainda não tem recebedores" });
    expect(screen.queryByRole("button", { name: "Novo recebedor" })).toBeNull();
  });

  it("RCV-007 RCV-018 offers an operator a new receiver and the selection", async () => {
    openReceivers("", { session: { profile: "operator" } });
    await screen.findByRole("link", { name: "Ana Lima" });
    screen.getByRole("checkbox", { name: "Selecionar Ana Lima" });
    await userEvent.click(screen.getByRole("button", { name: "Novo recebedor" }));
    await dialog("Cadastrar novo recebedor");
  });

  it("RCV-007 the palette offers a new receiver to people who may save one, and not to analysts", () => {
    const offered = (profile: "admin" | "operator" | "analyst") =>
      (feature.commands ?? [])
        .filter(({ shows }) => !shows || shows(buildSession({ profile })))
        .map(({ label }) => label);
    expect([offered("admin"), offered("operator")]).toEqual([["Novo recebedor"], ["Novo recebedor"]]);
    expect(offered("analyst")).toEqual([]);
  });

  it("RCV-003 RCV-004 distinguishes an empty search from an empty list", async () => {
    const app = openReceivers("?busca=ninguem");
    await screen.findByRole("heading", { name: "Nenhum recebedor foi encontrado na sua busca" });
    await settled(app);
    screen.getByRole("heading", { name: "Nenhum recebedor foi encontrado na sua busca" });
    expect(screen.queryByText("Você ainda não tem recebedores")).toBeNull();
    screen.getByRole("searchbox");
  });

  it.each(["banco=00360305", "status=verificado"])(
    "RCV-003 RCV-004 distinguishes an empty filter result from an empty list: %s",
    async (filter) => {
      saved = [second];
      const app = openReceivers(`?${filter}`);
      await screen.findByRole("heading", { name: "Nenhum recebedor foi encontrado na sua busca" });
      await settled(app);
      expect(screen.queryByText("Você ainda não tem recebedores")).toBeNull();
    },
  );

  it("RCV-003 shows the same when no receiver is saved and the address holds a search", async () => {
    saved = [];
    openReceivers("?busca=ninguem");
    await screen.findByRole("heading", { name: "Você ainda não tem recebedores" });
  });

  it("reports that the list failed and retries", async () => {
    fakeServer.on(listReceivers, () => refuse("unavailable"));
    openReceivers();
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

it("SES-070 shows above the receivers that they could not be read again", async () => {
  const { queryClient } = openReceivers();
  await screen.findByRole("link", { name: "Ana Lima" });
  fakeServer.on(listReceivers, () => refuse("unavailable"));
  await act(() => queryClient.refetchQueries());
  await screen.findByText("Não foi possível carregar os recebedores");
  screen.getByRole("link", { name: "Ana Lima" });
});

describe("deleting several", () => {
  const box = (name: string) => screen.getByRole("checkbox", { name }) as HTMLInputElement;

  it("RCV-018 selecting all takes the current page alone", async () => {
    const user = userEvent.setup();
    saved = [first, second, buildReceiver({ name: "Zeca" })];
    openReceivers();
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

  it("RCV-018 the button of phones selects the current page, and clears the selection", async () => {
    const user = userEvent.setup();
    saved = [first, second, buildReceiver({ name: "Zeca" })];
    openReceivers();
    await user.click(await screen.findByRole("button", { name: "Selecionar todos desta página" }));
    screen.getByText("2 recebedores selecionados");
    await user.click(screen.getByRole("button", { name: "Limpar seleção" }));
    expect(box("Selecionar Ana Lima").checked).toBe(false);
    expect(screen.queryByRole("button", { name: "Excluir selecionados" })).toBeNull();
  });

  it("RCV-019 RCV-020 asks, deletes the selected ones and reports success", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceivers, () => {
      saved = [second];
      return { removed: 1 };
    });
    openReceivers();
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

  it("RCV-019 RCV-020 deletes nothing before the answer, and keeps the selection when it is 'Cancelar'", async () => {
    const user = userEvent.setup();
    openReceivers();
    await screen.findByRole("link", { name: "Ana Lima" });
    await user.click(box("Selecionar Ana Lima"));
    await user.click(screen.getByRole("button", { name: "Excluir selecionados" }));
    const question = within(await dialog("Excluir Recebedores"));
    await user.click(question.getByRole("button", { name: "Cancelar" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(fakeServer.calls(removeReceivers)).toEqual([]);
    expect(box("Selecionar Ana Lima").checked).toBe(true);
  });

  it("RCV-020 deletes all that are selected", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceivers, ({ body }) => ({ removed: body.ids.length }));
    openReceivers();
    await screen.findByRole("link", { name: "Ana Lima" });
    await user.click(box("Selecionar todos desta página"));
    await user.click(screen.getByRole("button", { name: "Excluir selecionados" }));
    const question = within(await dialog("Excluir Recebedores"));
    await user.click(question.getByRole("button", { name: "Excluir recebedores" }));
    await screen.findByText("Recebedores excluídos com sucesso");
    expect(fakeServer.calls(removeReceivers).map(({ body }) => body)).toEqual([
      { ids: [first.id, second.id] },
    ]);
  });

  it("RCV-020 reports that deleting failed, with the server's reason if any, and keeps the selection", async () => {
    const user = userEvent.setup();
    fakeServer.on(removeReceivers, () => refuseWithoutCode());
    openReceivers();
    await screen.findByRole("link", { name: "Ana Lima" });
    await user.click(box("Selecionar Ana Lima"));
    await user.click(screen.getByRole("button", { name: "Excluir selecionados" }));
    await user.click(
      within(await dialog("Excluir Recebedores")).getByRole("button", { name: "Excluir recebedores" }),
    );
    await screen.findByText("Ocorreu um erro ao excluir recebedor");
    fakeServer.on(removeReceivers, () => refuse("not_found"));
    await user.click(
      within(await dialog("Excluir Recebedores")).getByRole("button", { name: "Excluir recebedores" }),
    );
    await screen.findByText(/^Não encontramos o que você procura/);
    expect(box("Selecionar Ana Lima").checked).toBe(true);
  });
});
