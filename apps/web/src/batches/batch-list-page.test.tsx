import {
  type Batch,
  createBatch,
  listBatches,
  readBatch,
  readBatchesBlankslate,
} from "@malote/contracts/batches";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { settled } from "../testing/settled.ts";
import { currentMonth, daysOfMonth, formatMonth } from "../ui/format.ts";
import { noteSystemTime } from "../ui/system-time.ts";
import { batchListQuery, blankslateQuery } from "./api.ts";
import { batchQuery } from "./open-batch-api.ts";

let made = 0;

function buildBatch(given: Partial<Batch> = {}): Batch {
  made += 1;
  return {
    id: `0198f000-0000-7000-8000-${String(made).padStart(12, "0")}`,
    name: "Folha 11/2026",
    type: "TRANSFER",
    status: "DRAFT",
    value: 51_248_000,
    created_at: "2026-11-20T19:42:00.000Z",
    created_by: { id: null, name: "Rui Nogueira" },
    received_date: null,
    finish_date: null,
    returned_date: null,
    reconciled: false,
    cancel_requested_at: null,
    is_canceled: false,
    was_imported: false,
    has_failed_or_returned_transfers: false,
    received_bank_account: null,
    spreadsheet_file_name: null,
    sheet_id: null,
    revision: 1,
    payments_count: 318,
    errors_count: 0,
    paid_count: 0,
    failed_count: 0,
    returned_count: 0,
    reprove_reason: null,
    sent_back_by: null,
    waiting_reason: null,
    ...given,
  };
}

function answerWith(batches: Batch[], totalItems = batches.length): void {
  fakeServer.on(listBatches, () => ({
    data: batches,
    summary: { count: totalItems, value: batches.reduce((sum, batch) => sum + batch.value, 0) },
    metadata: { pagination: { itemsPerPage: 9, totalItems } },
  }));
}

const lastQuery = () => fakeServer.calls(listBatches).at(-1)?.query;
const card = async (name: string) => {
  const link = await screen.findByRole("link", { name: `Abrir o lote ${name}` });
  return link.closest("article") as HTMLElement;
};

/** Dates follow the system's clock, whatever the browser's time zone is. */
const itIs = (instant: string) => {
  noteSystemTime(instant);
  onTestFinished(() => noteSystemTime(new Date().toISOString()));
};

beforeEach(() => {
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
});

describe("Seus lotes", () => {
  it("BAT-010 BAT-011 BAT-012 requests the current month and the first page, without status and search", async () => {
    answerWith([buildBatch()]);
    renderApp("/pagamentos/lotes");
    await card("Folha 11/2026");
    screen.getByRole("heading", { name: "Seus lotes", level: 1 });
    expect(lastQuery()).toEqual({ ...daysOfMonth(currentMonth()), page: "0" });
    const month = formatMonth(currentMonth());
    expect(screen.getByRole("button", { name: `Mês: ${month}` })).toBeTruthy();
  });

  it("BAT-011 takes the current month from the clock of São Paulo", async () => {
    itIs("2028-03-01T02:59:00Z");
    answerWith([buildBatch()]);
    renderApp("/pagamentos/lotes");
    await screen.findByRole("button", { name: "Mês: fevereiro de 2028" });
    await card("Folha 11/2026");
    expect(lastQuery()).toEqual({ initialDate: "2028-02-01", endDate: "2028-02-29", page: "0" });
  });

  it("BAT-010 opens the page that is chosen", async () => {
    const user = userEvent.setup();
    answerWith([buildBatch()], 40);
    const app = renderApp("/pagamentos/lotes");
    await card("Folha 11/2026");
    await user.click(screen.getByRole("button", { name: "Página 2" }));
    await waitFor(() => expect(lastQuery()?.["page"]).toBe("1"));
    expect(app.address()).toBe("/pagamentos/lotes?pagina=2");
    await user.click(screen.getByRole("button", { name: "Página 1" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("BAT-010 BAT-011 BAT-012 reads month, status, search and page from the address", async () => {
    answerWith([buildBatch()], 40);
    renderApp("/pagamentos/lotes?mes=2026-02&status=aprovacao&busca=folha&pagina=3");
    await card("Folha 11/2026");
    expect(lastQuery()).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "2",
      status: "WAITING_APPROVAL",
      search: "folha",
    });
    expect(screen.getByRole("button", { name: "Página 3" }).getAttribute("aria-current")).toBe("page");
  });

  it("BAT-011 writes a chosen status to the address, returns to the first page, and clears back to the default", async () => {
    const user = userEvent.setup();
    answerWith([buildBatch()], 40);
    const app = renderApp("/pagamentos/lotes?pagina=2");
    await card("Folha 11/2026");
    await user.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Recebido" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes?status=recebido"));
    await waitFor(() => expect(lastQuery()).toMatchObject({ status: "RECEIVED", page: "0" }));
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
  });

  it("BAT-011 BAT-012 requests the month that is picked", async () => {
    const user = userEvent.setup();
    answerWith([buildBatch()]);
    const app = renderApp("/pagamentos/lotes?mes=2026-11&pagina=2");
    await card("Folha 11/2026");
    await user.click(screen.getByRole("button", { name: "Mês: novembro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "abril de 2026" }));
    await waitFor(() =>
      expect(lastQuery()).toEqual({ initialDate: "2026-04-01", endDate: "2026-04-30", page: "0" }),
    );
    expect(app.address()).toBe("/pagamentos/lotes?mes=2026-04");
  });

  it("BAT-011 offers the five statuses, and the current month", async () => {
    const user = userEvent.setup();
    answerWith([buildBatch()]);
    renderApp("/pagamentos/lotes");
    await card("Folha 11/2026");
    screen.getByRole("button", { name: `Mês: ${formatMonth(currentMonth())}` });
    await user.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    const offered = await screen.findAllByRole("menuitemradio");
    expect(offered.map((one) => one.textContent)).toEqual([
      "Todos os status",
      "Rascunho",
      "Aguardando recebimento",
      "Aguardando aprovação",
      "Recebido",
      "Finalizado",
    ]);
  });

  it("BAT-011 searches by name or value", async () => {
    const user = userEvent.setup();
    answerWith([buildBatch()]);
    const app = renderApp("/pagamentos/lotes");
    await user.type(
      await screen.findByRole("searchbox", { name: "Nome ou valor do lote" }),
      "512.480,00{Enter}",
    );
    await waitFor(() => expect(lastQuery()?.["search"]).toBe("512.480,00"));
    expect(app.address()).toContain("busca=512.480");
  });

  it("BAT-019 BAT-020 SES-072 a card shows the shortened name, status, value, creation and creator", async () => {
    itIs("2026-11-20T20:00:00Z");
    answerWith([
      buildBatch({ name: "Fornecedores da semana 47", status: "WAITING" }),
      buildBatch({ name: "Vinte letras ao todo", created_at: "2026-11-18T15:00:00.000Z" }),
    ]);
    renderApp("/pagamentos/lotes");
    const shown = within(await card("Fornecedores da semana 47"));
    expect(shown.getByRole("heading").textContent).toContain("Fornecedores da sema…");
    shown.getByText("Aguardando recebimento");
    shown.getByText(/512\.480,00/);
    expect(shown.getByTitle("Criado em 20/11/2026 16:42 por Rui Nogueira").textContent).toBe(
      "Rui · hoje 16:42",
    );
    const older = within(await card("Vinte letras ao todo"));
    older.getByText("Vinte letras ao todo");
    older.getByText("Rui · 18/11");
  });

  it.each([
    ["DRAFT", "Rascunho", "grey", "ring"],
    ["VALIDATING", "Validando", "grey", "spinner"],
    ["PENDING", "Fechando lote", "white", "spinner"],
    ["WAITING_APPROVAL", "Aguardando aprovação", "red", "dot"],
    ["WAITING", "Aguardando recebimento", "yellow", "dot"],
    ["RECEIVED", "Recebido", "green", "dot"],
    ["FINISHED", "Finalizado", "blue", null],
    ["RETURNED", "Devolvido", "yellow", "dash"],
    ["REMOVED", "Removido", "red", "dash"],
  ] as const)("BAT-006 BAT-007 names %s %s, in %s with the sign %s", async (status, name, color, sign) => {
    answerWith([buildBatch({ status })]);
    renderApp("/pagamentos/lotes");
    const pill = within(await card("Folha 11/2026")).getByText(name);
    expect(pill.closest("[data-color]")?.getAttribute("data-color")).toBe(color);
    expect(
      pill.closest("[data-color]")?.querySelector("[data-shape]")?.getAttribute("data-shape") ?? null,
    ).toBe(sign);
  });

  it("BAT-009 a cancellation takes precedence over the status", async () => {
    const requested = { cancel_requested_at: "2026-11-20T19:42:00.000Z" };
    answerWith([
      buildBatch({ name: "Pedido", status: "RECEIVED", ...requested }),
      buildBatch({ name: "Pago", status: "FINISHED", ...requested }),
      // The server keeps the moment of the request beside the status.
      buildBatch({ name: "Feito", status: "RETURNED", is_canceled: true, ...requested }),
    ]);
    renderApp("/pagamentos/lotes");
    within(await card("Pedido")).getByText("Cancelando");
    within(await card("Pago")).getByText("Finalizado");
    const done = within(await card("Feito"));
    done.getByText("Cancelado");
    expect(done.queryByText("Cancelando")).toBeNull();
  });

  it("BAT-008 polls every two seconds while a batch is closing, and stops afterwards", async () => {
    const closing = buildBatch({ status: "PENDING" });
    answerWith([closing]);
    renderApp("/pagamentos/lotes");
    within(await card("Folha 11/2026")).getByText("Fechando lote");
    answerWith([{ ...closing, status: "RECEIVED" }]);
    await waitFor(() => within(screen.getByRole("article")).getByText("Recebido"), {
      timeout: 3_000,
    });
    expect(fakeServer.calls(listBatches)).toHaveLength(2);
  });

  it("BAT-008 polls the list and the open batch every two seconds while it is closing, and the approvals every five seconds", () => {
    const everyMs = (status: "PENDING" | "WAITING_APPROVAL" | "FINISHED", query: "list" | "batch") => {
      const batch = buildBatch({ status });
      const asked =
        query === "list"
          ? batchListQuery({ month: currentMonth(), status: null, search: "", page: 0 })
          : batchQuery(batch.id);
      const data = query === "list" ? { data: [buildBatch(), batch] } : batch;
      return (asked.refetchInterval as (query: unknown) => unknown)({ state: { status: "success", data } });
    };
    expect(everyMs("PENDING", "list")).toBe(2_000);
    expect(everyMs("PENDING", "batch")).toBe(2_000);
    expect(everyMs("WAITING_APPROVAL", "list")).toBe(5_000);
    expect(everyMs("WAITING_APPROVAL", "batch")).toBe(5_000);
    expect(everyMs("FINISHED", "list")).toBe(false);
    expect(everyMs("FINISHED", "batch")).toBe(false);
  });

  it("BAT-013 hides the button from analysts", async () => {
    answerWith([buildBatch()]);
    renderApp("/pagamentos/lotes", { session: { profile: "analyst" } });
    await card("Folha 11/2026");
    expect(screen.queryByRole("button", { name: "Novo lote" })).toBeNull();
  });

  async function chooseNew(user: ReturnType<typeof userEvent.setup>, option: string) {
    await user.click(await screen.findByRole("button", { name: "Novo lote" }));
    await user.click(await screen.findByRole("menuitem", { name: option }));
  }

  it.each([
    ["Lotes de Transferências", "TRANSFER"],
    ["Lotes de Boletos", "BILLET"],
  ] as const)("BAT-013 '%s' starts a batch of that type and opens it", async (option, type) => {
    const user = userEvent.setup();
    answerWith([buildBatch()]);
    fakeServer.on(createBatch, ({ body }) =>
      buildBatch({ ...(body.id && { id: body.id }), name: body.name, type }),
    );
    fakeServer.keepWaiting(readBatch);
    const app = renderApp("/pagamentos/lotes");
    await chooseNew(user, option);
    await waitFor(() => expect(app.address()).toMatch(/lote=[0-9a-f-]{36}$/));
    const [sent] = fakeServer.calls(createBatch).map(({ body }) => body as { id: string });
    expect(sent).toMatchObject({ type });
    expect(app.address()).toBe(`/pagamentos/lotes?lote=${sent?.id}`);
  });

  it("BAT-013 choosing a type again after a lost answer repeats the same batch; the other type creates another", async () => {
    const user = userEvent.setup();
    answerWith([buildBatch()]);
    fakeServer.on(createBatch, () => refuse("unavailable"));
    renderApp("/pagamentos/lotes");
    for (const option of ["Lotes de Boletos", "Lotes de Boletos", "Lotes de Transferências"]) {
      const before = fakeServer.calls(createBatch).length;
      await chooseNew(user, option);
      await waitFor(() => expect(fakeServer.calls(createBatch)).toHaveLength(before + 1));
      await waitFor(() =>
        expect(screen.getByRole("button", { name: "Novo lote" }).hasAttribute("aria-busy")).toBe(false),
      );
    }
    const [first, second, other] = fakeServer
      .calls(createBatch)
      .map(({ body }) => (body as { id: string }).id);
    expect(second).toBe(first);
    expect(other).not.toBe(first);
  });

  it("BAT-013 shows the button once its place is fixed, so that its menu stays open", async () => {
    let answer = (_isFirstUse: boolean) => {};
    fakeServer.on(
      readBatchesBlankslate,
      () => new Promise((resolve) => (answer = (data) => resolve({ data }))),
    );
    answerWith([]);
    renderApp("/pagamentos/lotes");
    await waitFor(() => expect(fakeServer.calls(readBatchesBlankslate)).toHaveLength(1));
    expect(screen.queryByRole("button", { name: "Novo lote" })).toBeNull();
    answer(true);
    await screen.findByRole("heading", { name: "Faça seu primeiro lote de pagamentos" });
    expect(screen.getAllByRole("button", { name: "Novo lote" })).toHaveLength(1);
  });

  it.each(["Lotes de Transferências", "Lotes de Boletos"])(
    "BAT-014 '%s' starts nothing without the accepted contract",
    async (option) => {
      const user = userEvent.setup();
      answerWith([buildBatch()]);
      const company = {
        id: "0198f000-0000-7000-8000-000000000004",
        name: "A",
        cpfCnpj: "1",
        acceptedContract: false,
      };
      const app = renderApp("/pagamentos/lotes", { session: { company } });
      await chooseNew(user, option);
      expect(fakeServer.calls(createBatch)).toHaveLength(0);
      expect(app.address()).toBe("/pagamentos/lotes");
      expect(screen.getByRole("region", { name: "Avisos", hidden: true }).textContent).toBe("");
    },
  );

  it.each([
    ["batches", [buildBatch()]],
    ["nothing", []],
  ] as const)("BAT-016 shows the legend of the statuses beside %s", async (_, batches) => {
    answerWith([...batches]);
    renderApp("/pagamentos/lotes");
    const legend = within(await screen.findByRole("list", { name: "Legenda dos status" }));
    const colorOf = (item: HTMLElement) => item.querySelector<HTMLElement>("[data-color]")?.dataset["color"];
    expect(legend.getAllByRole("listitem").map((item) => `${item.textContent} ${colorOf(item)}`)).toEqual([
      "Rascunho grey",
      "Aguardando aprovação red",
      "Aguardando recebimento yellow",
      "Recebido green",
      "Finalizado blue",
      "Devolvido yellow",
    ]);
  });

  it("BAT-017 reports that nothing was found", async () => {
    answerWith([]);
    renderApp("/pagamentos/lotes?busca=nada");
    await screen.findByRole("heading", { name: "Nenhum lote foi encontrado na sua busca" });
  });

  const firstUse = "Faça seu primeiro lote de pagamentos";
  const emptyMonth = "Nenhum lote foi encontrado na sua busca";
  it.each([
    [true, firstUse, emptyMonth],
    [false, emptyMonth, firstUse],
  ])("BAT-018 a company without any batch ever (%s) sees '%s'", async (data, shown, absent) => {
    answerWith([]);
    fakeServer.on(readBatchesBlankslate, () => ({ data }));
    await settled(renderApp("/pagamentos/lotes"), blankslateQuery.queryKey);
    screen.getByRole("heading", { name: shown });
    expect(screen.queryByText(absent)).toBeNull();
  });

  it("reports what failed and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(listBatches, () => refuse("internal"));
    renderApp("/pagamentos/lotes");
    const alert = await screen.findByRole("alert", {}, { timeout: 3_000 });
    within(alert).getByText(/Ops, ocorreu um erro!/);
    answerWith([buildBatch()]);
    await user.click(within(alert).getByRole("button", { name: "Tentar de novo" }));
    await card("Folha 11/2026");
  });
});
