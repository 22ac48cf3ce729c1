import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { createCheckpoint } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { downloadReceipts, readReceipts } from "@malote/contracts/receipts";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";

type Requested = ResponseOf<typeof readReceipts>;

const id = testId(77);
let asked: Requested;

beforeEach(() => {
  asked = {
    id,
    state: "ready",
    receipts_count: 37,
    batch: { id: testId(1), name: "Folha 11/2026" },
    requested_at: "2026-11-20T12:00:00.000Z",
    expires_at: "2026-11-27T12:00:00.000Z",
  };
  fakeServer.on(readReceipts, () => asked);
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
  }));
});

const open = () => renderApp(`/pagamentos/lotes?comprovantes=${id}`);
const dialog = async (name = "Comprovantes") => within(await screen.findByRole("dialog", { name }));

describe("link of the e-mail", () => {
  it("TRF-064 FST-024 opens the receipts with their expiry, and saves them", async () => {
    const user = userEvent.setup();
    const saved = watchSavedFiles();
    fakeServer.on(downloadReceipts, () => ({}));
    const app = open();
    const shown = await dialog();
    await shown.findByText("37 comprovantes");
    shown.getByText("Folha 11/2026");
    shown.getByText("Disponível até 27/11/2026 09:00.");
    await user.click(shown.getByRole("button", { name: "Baixar comprovantes" }));
    await waitFor(() => expect(saved).toEqual(["comprovantes-folha-11-2026.zip"]));
    for (const contract of [readReceipts, downloadReceipts])
      expect(fakeServer.calls(contract).map(({ params }) => params)).toEqual([{ id }]);
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_DOWNLOADED_RECEIPTS"]));
    await user.click(shown.getByRole("button", { name: "Voltar" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/lotes"));
    expect(screen.queryByRole("dialog", { name: "Comprovantes" })).toBeNull();
  });

  it("FST-025 saves them when the mark cannot be stored", async () => {
    const saved = watchSavedFiles();
    fakeServer.on(downloadReceipts, () => ({}));
    open();
    refuseMarks();
    await userEvent.click(await (await dialog()).findByRole("button", { name: "Baixar comprovantes" }));
    await waitFor(() => expect(saved).toEqual(["comprovantes-folha-11-2026.zip"]));
    await expectQuietReport();
  });

  it("waits while they are in progress, and offers them when they are ready", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    asked = { ...asked, state: "making", batch: null, receipts_count: 1 };
    open();
    const shown = await dialog();
    await shown.findByText(/^Estamos preparando 1 comprovante\./);
    expect(shown.queryByRole("button", { name: "Baixar comprovantes" })).toBeNull();
    asked = { ...asked, state: "ready" };
    await vi.advanceTimersByTimeAsync(2_000);
    await shown.findByRole("button", { name: "Baixar comprovantes" });
  });

  it("SES-070 reports that polling failed, and resumes it on demand", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    asked = { ...asked, state: "making" };
    open();
    const shown = await dialog();
    await shown.findByText(/^Estamos preparando/);
    fakeServer.on(readReceipts, () => refuse("internal"));
    await vi.advanceTimersByTimeAsync(2_000);
    await shown.findByText("Não foi possível saber se os comprovantes estão prontos");
    asked = { ...asked, state: "ready" };
    fakeServer.on(readReceipts, () => asked);
    await user.click(shown.getByRole("button", { name: "Tentar de novo" }));
    await shown.findByRole("button", { name: "Baixar comprovantes" });
    expect(shown.queryByRole("alert")).toBeNull();
  });

  it.each([
    ["expired", /O prazo para baixar estes comprovantes acabou/],
    ["failed", /Não foi possível preparar estes comprovantes/],
  ] as const)("offers no file that is %s", async (state, text) => {
    asked = { ...asked, state };
    open();
    const shown = await dialog();
    await shown.findByText(text);
    expect(shown.queryByRole("button", { name: "Baixar comprovantes" })).toBeNull();
  });

  it("TRF-065 explains why it does not open, or does not save", async () => {
    const user = userEvent.setup();
    fakeServer.on(downloadReceipts, () => refuse("receipts_expired"));
    open();
    await user.click(await (await dialog()).findByRole("button", { name: "Baixar comprovantes" }));
    const failed = await dialog("Não foi possível baixar os comprovantes");
    failed.getByText("Estes comprovantes não estão mais disponíveis. Peça de novo.");
    await user.click(failed.getByRole("button", { name: "Voltar" }));
    await dialog();
  });

  it("TRF-065 reports when the link has no receipts", async () => {
    fakeServer.on(readReceipts, () => refuse("not_found"));
    open();
    const failed = await dialog("Não foi possível baixar os comprovantes");
    failed.getByText(/Não encontramos/);
  });
});
