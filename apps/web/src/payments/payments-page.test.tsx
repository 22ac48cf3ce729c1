import { createBatch } from "@malote/contracts/batches";
import {
  type Boleto,
  listAllBillets,
  listBilletsWithReceipts,
  readBilletDetails,
  readBilletsBlankslate,
} from "@malote/contracts/boletos";
import { createCheckpoint, listBanks, readCheckpoint } from "@malote/contracts/company";
import { requestBilletReceipts, requestReceipts } from "@malote/contracts/receipts";
import { createPayoutReport } from "@malote/contracts/reports";
import {
  type ListedTransfer,
  listAllTransfers,
  listTransfersWithReceipts,
  readTransfer,
  readTransfersBlankslate,
  transferPageFilters,
} from "@malote/contracts/transfers";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { buildBoleto, buildTransfer, testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { buildSession } from "../testing/token.ts";
import { currentMonth, daysOfMonth } from "../ui/format.ts";

const longName = "Companhia Brasileira de Distribuição de Papéis e Embalagens";
const receipt = "/api/payments/app/transfer/x/receipt";
const started = "Download iniciado com sucesso, enviaremos um e-mail assim que o download estiver concluído!";

let transfers: ListedTransfer[];
let boletos: Boleto[];
let isBlank: boolean;

const inBatch = (name = "Folha 11/2026") => ({ Batch: { id: testId(1), name } });
const pageOf = <Row,>(rows: Row[]) => ({
  data: rows,
  metadata: { pagination: { itemsPerPage: 50, totalItems: rows.length } },
});
const openTransfers = (search = "", options: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(`/pagamentos/transferencias${search}`, options);
const openBoletos = (search = "", options: Parameters<typeof renderApp>[1] = {}) =>
  renderApp(`/pagamentos/boletos${search}`, options);
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));
const rowOf = async (name: RegExp | string) => {
  const row = (await screen.findByRole("link", { name })).closest("tr");
  if (!row) throw new Error("no row");
  return within(row);
};

beforeEach(() => {
  isBlank = false;
  transfers = [
    {
      ...buildTransfer({
        status: "TRANSFERRED",
        receipt_url: receipt,
        transfer_date: "2026-11-20T12:00:00.000Z",
        to: { name: longName },
      }),
      ...inBatch(),
    },
    {
      ...buildTransfer({
        payment_method: "TED",
        payment_date: "2026-12-10",
        status: "SCHEDULED",
        to: {
          name: "Gráfica Ponto Final",
          pix_key: null,
          pix_key_type: null,
          Bank: { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null },
          agency: "0457",
          account: "123456789012345678901",
          account_digit: "3",
        },
      }),
      ...inBatch("Fornecedores de novembro de 2026"),
    },
  ];
  boletos = [
    buildBoleto({
      status: "PAID",
      receipt_url: receipt,
      description: "Aluguel do escritório da filial",
      batch: { id: testId(1), name: "Contas do mês de novembro" },
    }),
    buildBoleto({ description: "Energia" }),
  ];
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(listBanks, () => ({ data: [] }));
  fakeServer.on(listAllTransfers, () => pageOf(transfers));
  fakeServer.on(listAllBillets, () => pageOf(boletos));
  fakeServer.on(readTransfersBlankslate, () => ({ data: isBlank }));
  fakeServer.on(readBilletsBlankslate, () => ({ data: isBlank }));
});

describe("Suas transferências", () => {
  it("TRF-049 TRF-050 TRF-051 TRF-054 lists the month, with names cut as they are to be", async () => {
    openTransfers();
    await screen.findByRole("heading", { name: "Suas transferências", level: 1 });
    const paid = await rowOf(`${longName.slice(0, 40).trimEnd()}…`);
    paid.getByText("20/11/2026");
    paid.getByText("Transferida");
    const ted = await rowOf("Gráfica Ponto Final");
    ted.getByText("Itaú Unibanco");
    ted.getByText("0457");
    ted.getByText("12345678901234567890…");
    ted.getByText("10/12/2026");
    expect(fakeServer.calls(listAllTransfers)[0]?.query).toEqual({
      ...daysOfMonth(currentMonth()),
      page: "0",
    });
    const headings = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(headings).toEqual("Recebedor Banco Agência Conta Lote Valor Data Status Comprovante".split(" "));
  });

  it("TRF-049 TRF-052 sends what the address says, and says when nothing is found", async () => {
    const user = userEvent.setup();
    transfers = [];
    const app = openTransfers("?mes=2026-02&status=falha&busca=1234&banco=60701190&pagina=1");
    await screen.findByText("Nenhuma transferência foi encontrada na sua busca");
    expect(fakeServer.calls(listAllTransfers)[0]?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "0",
      status: "FAILED",
      search: "1234",
      bankId: "60701190",
    });
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).not.toContain("busca"));
    expect(fakeServer.calls(readTransfersBlankslate)).toHaveLength(1);
  });

  it("TRF-007 TRF-009 TRF-049 filters by status, month and bank by hand, and a draft's mistake is its status", async () => {
    const user = userEvent.setup();
    const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
    fakeServer.on(listBanks, () => ({ data: [itau] }));
    const mistake = { code: "pix_key_cpf_invalid", field: "pix_key" };
    transfers.push({ ...buildTransfer({ errors: [mistake], to: { name: "Ivo Reis" } }), ...inBatch() });
    const app = openTransfers("?mes=2026-11");
    const pill = (await rowOf("Ivo Reis")).getByText("CPF inválido");
    expect(pill.closest("[data-color]")?.getAttribute("data-color")).toBe("red");
    await user.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    const offered = await screen.findAllByRole("menuitemradio");
    expect(offered.map(({ textContent }) => textContent)).toEqual([
      "Todos os status",
      "Criada",
      "Agendado",
      "Em processamento",
      "Transferida",
      "Falha",
      "Devolvida",
    ]);
    await user.click(screen.getByRole("menuitemradio", { name: "Criada" }));
    await user.type(screen.getByRole("combobox", { name: "Banco" }), "341{Enter}");
    await user.click(screen.getByRole("button", { name: "Mês: novembro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "março de 2026" }));
    await waitFor(() =>
      expect(fakeServer.calls(listAllTransfers).at(-1)?.query).toEqual({
        initialDate: "2026-03-01",
        endDate: "2026-03-31",
        page: "0",
        status: "CREATED",
        bankId: itau.id,
      }),
    );
    expect(app.address()).toContain("status=criada");
  });

  it("TRF-053 a first use starts a batch", async () => {
    const user = userEvent.setup();
    isBlank = true;
    transfers = [];
    fakeServer.on(createBatch, () => refuse("contract_not_accepted"));
    openTransfers();
    await screen.findByText("Faça sua primeira transferência");
    await user.click(screen.getByRole("button", { name: "Novo lote" }));
    await waitFor(() => expect(fakeServer.calls(createBatch)).toHaveLength(1));
    expect(fakeServer.calls(createBatch)[0]?.body).toMatchObject({ type: "TRANSFER" });
  });

  it("TRF-053 a first use offers analysts no batch", async () => {
    isBlank = true;
    transfers = [];
    openTransfers("", { session: { profile: "analyst" } });
    await screen.findByText("Faça sua primeira transferência");
    expect(screen.queryByRole("button", { name: "Novo lote" })).toBeNull();
  });

  it("TRF-055 TRF-056 opens one by its address, with its batch and its receipt", async () => {
    const user = userEvent.setup();
    const [paid] = transfers;
    fakeServer.on(readTransfer, () => (paid ? { ...paid, key_holder: null } : refuse("not_found")));
    const app = openTransfers(`?detalhe=${paid?.id}`);
    await screen.findByRole("button", { name: "Baixar comprovante" });
    const details = await dialog("Detalhes da transferência");
    details.getByRole("link", { name: "Folha 11/2026" });
    await user.click(details.getByRole("button", { name: "Voltar" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/transferencias"));
  });

  it("TRF-062 TRF-060 TRF-064 only payments with a receipt can be chosen, those of the page at once", async () => {
    const user = userEvent.setup();
    fakeServer.on(requestReceipts, () => ({ id: testId(90), receipts_count: 1 }));
    openTransfers();
    const ted = await rowOf("Gráfica Ponto Final");
    expect(ted.getByRole("checkbox")).toHaveProperty("disabled", true);
    await user.click(screen.getByRole("checkbox", { name: "Selecionar todos os comprovantes desta página" }));
    screen.getByText("1 comprovante selecionado");
    await user.click(screen.getByRole("button", { name: "Baixar selecionados" }));
    await user.click((await dialog("Comprovantes")).getByRole("button", { name: "Baixar comprovantes" }));
    await screen.findByText(started);
    expect(fakeServer.calls(requestReceipts).map(({ body }) => body)).toEqual([{ ids: [transfers[0]?.id] }]);
    expect(screen.queryByText("1 comprovante selecionado")).toBeNull();
  });

  it("TRF-062 the bank's own receipt is one too, and what is chosen belongs to its page alone", async () => {
    const user = userEvent.setup();
    const pages = [
      transfers,
      [
        {
          ...buildTransfer({ status: "FINISHED", receipt_url: receipt, to: { name: "Zeca" } }),
          ...inBatch(),
        },
      ],
    ];
    transfers.push({
      ...buildTransfer({ status: "FINISHED", bank_receipt_url: receipt, to: { name: "Ivo Reis" } }),
      ...inBatch(),
    });
    fakeServer.on(listAllTransfers, ({ query }) => ({
      data: pages[Number(query["page"])] ?? [],
      metadata: { pagination: { itemsPerPage: 3, totalItems: 4 } },
    }));
    openTransfers();
    expect((await rowOf("Ivo Reis")).getByRole("checkbox")).toHaveProperty("disabled", false);
    await user.click(screen.getByRole("checkbox", { name: "Selecionar todos os comprovantes desta página" }));
    screen.getByText("2 comprovantes selecionados");
    await user.click(screen.getByRole("button", { name: "Página 2" }));
    expect((await rowOf("Zeca")).getByRole("checkbox")).toHaveProperty("checked", false);
    expect(screen.queryByText(/comprovantes? selecionados?/)).toBeNull();
  });

  it("TRF-063 TRF-065 asks for those of the whole filter, and says when there are none or when it fails", async () => {
    const user = userEvent.setup();
    let found = [{ id: testId(5), value: 1 }];
    fakeServer.on(listTransfersWithReceipts, () => ({ data: found }));
    fakeServer.on(requestReceipts, () => refuse("receipts_at_once", { max: 3 }));
    openTransfers("?status=transferida");
    const ask = async () => user.click(await screen.findByRole("button", { name: "Baixar comprovantes" }));
    await ask();
    const asked = await dialog("Comprovantes");
    await asked.findByText("1 comprovante");
    expect(fakeServer.calls(listTransfersWithReceipts)[0]?.query).toEqual({
      ...daysOfMonth(currentMonth()),
      status: "TRANSFERRED",
    });
    await user.click(asked.getByRole("button", { name: "Baixar comprovantes" }));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    failed.getByText(/Já há 3 pedidos/);
    await user.click(failed.getByRole("button", { name: "Voltar" }));
    found = [];
    await ask();
    await (await dialog("Comprovantes")).findByText("Nenhum comprovante disponível.");
  });
});

describe("the export", () => {
  it("FST-025 asks though no mark of it is kept", async () => {
    fakeServer.on(createPayoutReport, () => ({ id: testId(91) }));
    openTransfers("?mes=2026-02");
    refuseMarks();
    await userEvent.click(await screen.findByRole("button", { name: "Exportar" }));
    await screen.findByText(started);
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_SEEN_PAYOUT_REPORT_BUTTON"]);
  });

  it("TRF-057 TRF-058 TRF-060 TRF-061 FST-024 asks for what the filter finds, and records that it was seen and used", async () => {
    const user = userEvent.setup();
    fakeServer.on(createPayoutReport, () => ({ id: testId(91) }));
    openTransfers("?mes=2026-02&busca=ana");
    await user.click(await screen.findByRole("button", { name: "Exportar" }));
    await screen.findByText(started);
    expect(fakeServer.calls(createPayoutReport).map(({ body }) => body)).toEqual([
      {
        created_at__gte: "2026-02-01",
        created_at__lte: "2026-02-28",
        status__in: [...transferPageFilters],
        search: "ana",
      },
    ]);
    await waitFor(() =>
      expect(
        fakeServer.calls(createCheckpoint).map(({ body }) => (body as { location: string }).location),
      ).toEqual(["HAS_SEEN_PAYOUT_REPORT_BUTTON"]),
    );
  });

  it("TRF-059 says for 5 seconds that the range is too long", async () => {
    fakeServer.on(createPayoutReport, () => refuse("payout_report_range", { days: 31 }));
    openTransfers();
    const ask = await screen.findByRole("button", { name: "Exportar" });
    vi.useFakeTimers();
    const said = () => screen.queryByText("O intervalo de datas não pode ser maior que 31 dias.");
    fireEvent.click(ask);
    for (let turn = 0; turn < 50 && !said(); turn++) await act(() => vi.advanceTimersByTimeAsync(0));
    await act(() => vi.advanceTimersByTimeAsync(4_900));
    expect(said()).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(said()).toBeNull();
  });
});

describe("a new batch", () => {
  const pages = [
    { page: openTransfers, firstUse: "Faça sua primeira transferência", type: "TRANSFER" },
    { page: openBoletos, firstUse: "Pague seu primeiro boleto", type: "BILLET" },
  ];
  it.each(pages)("BAT-014 needs the accepted contract: $firstUse", async ({ page, firstUse, type }) => {
    const user = userEvent.setup();
    isBlank = true;
    transfers = [];
    boletos = [];
    fakeServer.on(createBatch, () => refuse("contract_not_accepted"));
    const start = async () => {
      await screen.findByText(firstUse);
      await user.click(screen.getByRole("button", { name: "Novo lote" }));
    };
    const { company } = buildSession();
    const without = page("", { session: { company: { ...company, acceptedContract: false } } });
    await start();
    expect(fakeServer.calls(createBatch)).toHaveLength(0);
    without.unmount();
    page();
    await start();
    await waitFor(() => expect(fakeServer.calls(createBatch)[0]?.body).toMatchObject({ type }));
  });
});

describe("Seus boletos", () => {
  it("BIL-030 BIL-031 lists the month, with descriptions and batches cut as they are to be", async () => {
    openBoletos();
    await screen.findByRole("heading", { name: "Seus boletos", level: 1 });
    const paid = await rowOf("Aluguel do escritório…");
    paid.getByRole("link", { name: "Contas do mês de novemb…" });
    paid.getByText("15/02/2027");
    paid.getByText("Pago");
    const headings = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
    expect(headings).toEqual(
      "Descrição Código Lote Vencimento Pagamento Valor Status Comprovante".split(" "),
    );
  });

  it("BIL-033 BIL-032 says when nothing is found", async () => {
    boletos = [];
    openBoletos("?status=processando&busca=luz");
    await screen.findByText("Nenhum boleto foi encontrado na sua busca");
    expect(fakeServer.calls(listAllBillets)[0]?.query).toMatchObject({ status: "EXECUTING", search: "luz" });
  });

  it("BIL-030 BIL-033 sends what the address says, bank and month with it", async () => {
    const user = userEvent.setup();
    boletos = [];
    const app = openBoletos("?mes=2026-02&status=falha&busca=1234&banco=60701190&pagina=1");
    await screen.findByText("Nenhum boleto foi encontrado na sua busca");
    expect(fakeServer.calls(listAllBillets)[0]?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "0",
      status: "FAILED",
      search: "1234",
      bankId: "60701190",
    });
    await user.click(screen.getByRole("button", { name: "Limpar filtros" }));
    await waitFor(() => expect(app.address()).not.toContain("busca"));
  });

  it("BIL-030 BIL-032 has a search, a month, a bank and a status to choose, and asks for what they say", async () => {
    const user = userEvent.setup();
    fakeServer.on(listBanks, () => ({
      data: [{ id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null }],
    }));
    const app = openBoletos("?mes=2026-02");
    await user.type(await screen.findByRole("searchbox", { name: /Código.*valor.*lote/ }), "1234{Enter}");
    await user.click(screen.getByRole("button", { name: "Status: Todos os status" }));
    await user.click(await screen.findByRole("menuitemradio", { name: "Pago" }));
    await user.click(screen.getByRole("combobox", { name: "Banco" }));
    await user.click(await screen.findByRole("option", { name: "341 · Itaú Unibanco" }));
    await user.click(screen.getByRole("button", { name: "Mês: fevereiro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "março de 2026" }));
    await waitFor(() =>
      expect(fakeServer.calls(listAllBillets).at(-1)?.query).toEqual({
        initialDate: "2026-03-01",
        endDate: "2026-03-31",
        page: "0",
        search: "1234",
        status: "PAID",
        bankId: "60701190",
      }),
    );
    expect(app.address()).toBe("/pagamentos/boletos?mes=2026-03&busca=1234&status=pago&banco=60701190");
  });

  it("BIL-036 only boletos with a receipt can be chosen, and a failure is said in the dialog", async () => {
    const user = userEvent.setup();
    fakeServer.on(requestBilletReceipts, () => refuse("receipts_at_once", { max: 3 }));
    openBoletos();
    expect((await rowOf("Energia")).getByRole("checkbox")).toHaveProperty("disabled", true);
    await user.click((await rowOf("Aluguel do escritório…")).getByRole("checkbox"));
    await user.click(screen.getByRole("button", { name: "Baixar selecionados" }));
    await user.click((await dialog("Comprovantes")).getByRole("button", { name: "Baixar comprovantes" }));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    failed.getByText(/Já há 3 pedidos/);
    expect(fakeServer.calls(requestBilletReceipts).map(({ body }) => body)).toEqual([
      { ids: [boletos[0]?.id] },
    ]);
  });

  it("BIL-034 has a first use of its own", async () => {
    isBlank = true;
    boletos = [];
    openBoletos();
    await screen.findByText("Pague seu primeiro boleto");
  });

  it("BIL-035 BIL-036 asks for the receipts of the filter", async () => {
    const user = userEvent.setup();
    fakeServer.on(listBilletsWithReceipts, () => ({ data: [{ id: testId(6), value: 1 }] }));
    fakeServer.on(requestBilletReceipts, () => ({ id: testId(90), receipts_count: 1 }));
    const [paid] = boletos;
    fakeServer.on(readBilletDetails, () => paid ?? refuse("not_found"));
    openBoletos("?mes=2026-02&status=pago&busca=1234&banco=60701190");
    await user.click(await screen.findByRole("link", { name: "Aluguel do escritório…" }));
    await screen.findByRole("button", { name: "Baixar comprovante" });
    await user.click((await dialog("Detalhes do boleto")).getByRole("button", { name: "Voltar" }));
    await user.click(screen.getByRole("button", { name: "Baixar comprovantes" }));
    const asked = await dialog("Comprovantes");
    await asked.findByText("1 comprovante");
    expect(fakeServer.calls(listBilletsWithReceipts)[0]?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      status: "PAID",
      search: "1234",
      bankId: "60701190",
    });
    await user.click(asked.getByRole("button", { name: "Baixar comprovantes" }));
    await screen.findByText(started);
    expect(fakeServer.calls(requestBilletReceipts).map(({ body }) => body)).toEqual([{ ids: [testId(6)] }]);
  });
});
