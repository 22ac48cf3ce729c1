import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import type { Contract, ResponseOf } from "@malote/contracts/contract";
import {
  downloadReport,
  readReport,
  requestStatementCsv,
  requestStatementOfx,
  requestStatementPdf,
  requestStatementXlsx,
  requestStatementXlsxV2,
} from "@malote/contracts/reports";
import { readStatement } from "@malote/contracts/statement";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";

const id = testId(77);
let report: ResponseOf<typeof readReport>;
let usedOld: boolean;

beforeEach(() => {
  usedOld = false;
  report = {
    id,
    kind: "statement_ofx",
    state: "ready",
    initialDate: "2026-11-01",
    endDate: "2026-11-30",
    rows_count: 37,
    file_name: "extrato-2026-11-01-a-2026-11-30.ofx",
    requested_at: "2026-11-20T12:00:00.000Z",
    expires_at: "2026-11-27T12:00:00.000Z",
  };
  fakeServer.on(readCheckpoint, ({ params }) => ({
    exists: params["id"] === "HAS_USED_OLD_STATEMENT_REPORT" ? usedOld : true,
  }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(readReport, () => report);
  fakeServer.on(readStatement, ({ query }) => ({
    entries: [],
    prevBalance: { date: query["initialDate"] ?? "", value: 0 },
    afterBalance: { date: query["endDate"] ?? "", value: 0 },
    totals: { in: 0, out: 0 },
    metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
  }));
});

const open = (search = "") => renderApp(`/pagamentos/saldo${search}`);
const dialog = async () => within(await screen.findByRole("dialog", { name: "Relatório" }));
const choose = async (label: string) => {
  await userEvent.click(await screen.findByRole("button", { name: "Baixar extratos" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: label }));
};

it.each<[string, string, Contract]>([
  ["Extrato XLS", "POST /app/statement/entry/report/xlsx_v2", requestStatementXlsxV2],
  ["Extrato CSV", "POST /app/statement/entry/report/csv", requestStatementCsv],
  ["Extrato OFX", "GET /app/statement/entry/report/ofx", requestStatementOfx],
  ["Extrato PDF", "GET /app/statement/batch/report/pdf", requestStatementPdf],
  ["Relatório XLS", "POST /app/statement/entry/report/xlsx", requestStatementXlsx],
])(
  "STM-021 STM-023 STM-024 STM-025 requests the %s of the month by %s and announces an e-mail",
  async (label, address, contract) => {
    expect(`${contract.method} ${contract.path}`).toBe(address);
    usedOld = true;
    fakeServer.on(contract, () => ({ id }));
    open("?mes=2026-02");
    await choose(label);
    await screen.findByText("Seu relatório está sendo gerado e será enviado por e-mail.");
    const [asked] = fakeServer.calls(contract);
    expect(contract.method === "GET" ? asked?.query : asked?.body).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
    });
  },
);

it.each<[string, Contract]>([
  ["Extrato XLS", requestStatementXlsxV2],
  ["Extrato CSV", requestStatementCsv],
  ["Extrato OFX", requestStatementOfx],
  ["Extrato PDF", requestStatementPdf],
  ["Relatório XLS", requestStatementXlsx],
])(
  "STM-023 STM-024 requests the %s with a line for each payment once that is ticked",
  async (label, contract) => {
    usedOld = true;
    fakeServer.on(contract, () => ({ id }));
    open("?mes=2026-02");
    await userEvent.click(await screen.findByRole("button", { name: "Baixar extratos" }));
    const tick = () => screen.findByRole("menuitemcheckbox", { name: "Uma linha por pagamento" });
    expect((await tick()).getAttribute("aria-checked")).toBe("false");
    await userEvent.click(await tick());
    expect((await tick()).getAttribute("aria-checked")).toBe("true");
    await userEvent.click(await screen.findByRole("menuitem", { name: label }));
    await screen.findByText("Seu relatório está sendo gerado e será enviado por e-mail.");
    const [asked] = fakeServer.calls(contract);
    expect(contract.method === "GET" ? asked?.query : asked?.body).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      lines: "payments",
    });
  },
);

it("STM-025 announces an e-mail for 10 seconds", async () => {
  fakeServer.on(requestStatementOfx, () => ({ id }));
  open();
  await userEvent.click(await screen.findByRole("button", { name: "Baixar extratos" }));
  const item = await screen.findByRole("menuitem", { name: "Extrato OFX" });
  vi.useFakeTimers();
  const said = () => screen.queryByText("Seu relatório está sendo gerado e será enviado por e-mail.");
  fireEvent.click(item);
  for (let turn = 0; turn < 50 && !said(); turn++) await act(() => vi.advanceTimersByTimeAsync(0));
  await act(() => vi.advanceTimersByTimeAsync(9_900));
  expect(said()).not.toBeNull();
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(said()).toBeNull();
});

it("STM-021 STM-022 hides the old report from people who never used it, and shows why a request fails", async () => {
  fakeServer.on(requestStatementPdf, () => refuse("statement_pdf_too_long", { max: "50.000" }));
  open();
  await choose("Extrato PDF");
  await screen.findByText(/mais de 50.000 lançamentos/);
  await userEvent.click(await screen.findByRole("button", { name: "Baixar extratos" }));
  await screen.findByRole("menuitem", { name: "Extrato XLS" });
  expect(screen.getAllByRole("menuitem").map(({ textContent }) => textContent)).toEqual([
    "Extrato XLS",
    "Extrato CSV",
    "Extrato OFX",
    "Extrato PDF",
  ]);
});

it("STM-022 offers the old report below the entries once, and in the menu to people who used it", async () => {
  fakeServer.on(requestStatementXlsx, () => ({ id }));
  open("?mes=2026-02");
  const old = await screen.findByRole("button", { name: "Receber o Relatório XLS" });
  const entries = await screen.findByRole("table", { name: "Extrato" });
  expect(entries.compareDocumentPosition(old)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  await userEvent.click(old);
  await screen.findByText("Seu relatório está sendo gerado e será enviado por e-mail.");
  expect(fakeServer.calls(requestStatementXlsx).map(({ body }) => body)).toEqual([
    { initialDate: "2026-02-01", endDate: "2026-02-28" },
  ]);
  await waitFor(() => expect(screen.queryByRole("button", { name: "Receber o Relatório XLS" })).toBeNull());
  await choose("Relatório XLS");
  await waitFor(() => expect(fakeServer.calls(requestStatementXlsx)).toHaveLength(2));
});

it("FST-025 saves a report when the mark cannot be stored", async () => {
  const saved = watchSavedFiles();
  fakeServer.on(downloadReport, () => ({}));
  open(`?arquivo=${id}`);
  refuseMarks();
  await userEvent.click(await (await dialog()).findByRole("button", { name: "Baixar relatório" }));
  await waitFor(() => expect(saved).toEqual(["extrato-2026-11-01-a-2026-11-30.ofx"]));
  await expectQuietReport();
});

it("STM-025 FST-024 the link of the e-mail opens the report and saves it", async () => {
  const saved = watchSavedFiles();
  fakeServer.on(downloadReport, () => ({}));
  const app = open(`?arquivo=${id}`);
  const shown = await dialog();
  await shown.findByText("37 lançamentos");
  shown.getByText("Disponível até 27/11/2026 09:00.");
  await userEvent.click(shown.getByRole("button", { name: "Baixar relatório" }));
  await waitFor(() => expect(saved).toEqual(["extrato-2026-11-01-a-2026-11-30.ofx"]));
  for (const contract of [readReport, downloadReport])
    expect(new Set(fakeServer.calls(contract).map(({ params }) => params["id"]))).toEqual(new Set([id]));
  await waitFor(() => expect(recordedMarks()).toContain("HAS_DOWNLOADED_REPORT"));
  await userEvent.click(shown.getByRole("button", { name: "Voltar" }));
  await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo"));
});

it("retries a download that failed", async () => {
  const saved = watchSavedFiles();
  fakeServer.on(downloadReport, () => refuse("unavailable"));
  open(`?arquivo=${id}`);
  const shown = await dialog();
  await userEvent.click(await shown.findByRole("button", { name: "Baixar relatório" }));
  await shown.findByRole("alert");
  shown.getByText("37 lançamentos");
  fakeServer.on(downloadReport, () => ({}));
  await userEvent.click(shown.getByRole("button", { name: "Baixar relatório" }));
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(shown.queryByRole("alert")).toBeNull();
});

it.each([
  ["making", /Estamos preparando o relatório de 01\/11\/2026 a 30\/11\/2026/],
  ["expired", /O prazo para baixar este relatório acabou/],
  ["failed", /Não foi possível preparar este relatório/],
] as const)("offers no file that is %s", async (state, text) => {
  report = { ...report, state };
  open(`?arquivo=${id}`);
  const shown = await dialog();
  await shown.findByText(text);
  expect(shown.queryByRole("button", { name: "Baixar relatório" })).toBeNull();
});

it("SES-070 reports that polling failed, and resumes it on demand", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  report = { ...report, state: "making" };
  open(`?arquivo=${id}`);
  const shown = await dialog();
  await shown.findByText(/^Estamos preparando/);
  fakeServer.on(readReport, () => refuse("internal"));
  await vi.advanceTimersByTimeAsync(2_000);
  await shown.findByText("Não foi possível saber se o relatório está pronto");
  report = { ...report, state: "ready" };
  fakeServer.on(readReport, () => report);
  await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
  await shown.findByRole("button", { name: "Baixar relatório" });
  expect(shown.queryByRole("alert")).toBeNull();
});

it("reports when the link has no report", async () => {
  fakeServer.on(readReport, () => refuse("not_found"));
  open(`?arquivo=${id}`);
  const shown = await dialog();
  await shown.findByText(/Não encontramos/);
  fakeServer.on(readReport, () => report);
  await userEvent.click(shown.getByRole("button", { name: "Tentar de novo" }));
  await shown.findByText("37 lançamentos");
});
