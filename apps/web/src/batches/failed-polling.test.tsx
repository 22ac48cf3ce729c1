/** An open batch whose polling fails keeps what was read, says that it may be old, and is read again on demand. */
import { readBatch, readBatchSummary } from "@malote/contracts/batches";
import { listBoletos } from "@malote/contracts/boletos";
import type { Contract } from "@malote/contracts/contract";
import { listTransfers } from "@malote/contracts/transfers";
import { act, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { batchScreen } from "../testing/batch-screen.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildBoleto, buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { type Desk, serveBatch } from "../testing/serve-batch.ts";

let desk: Desk;
const { openBatch, dialog } = batchScreen(() => desk);

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

it.each<[string, "TRANSFER" | "BILLET", Contract, string]>([
  ["the batch", "TRANSFER", readBatch, "Não foi possível atualizar o lote"],
  ["its summary", "TRANSFER", readBatchSummary, "Não foi possível atualizar o resumo"],
  ["its transfers", "TRANSFER", listTransfers, "Não foi possível atualizar os pagamentos"],
  ["its boletos", "BILLET", listBoletos, "Não foi possível atualizar os pagamentos"],
])(
  "SES-070 an error of the polling of %s ends it, is shown, and the person starts it again",
  async (_what, type, contract, title) => {
    desk = {
      batch: buildOpenBatch({ status: "PENDING", type }),
      transfers: type === "TRANSFER" ? [buildTransfer()] : [],
      boletos: type === "BILLET" ? [buildBoleto({ description: "Luz" })] : [],
      balance: 1_000_000,
      filledFirstSteps: true,
    };
    serveBatch(desk);
    openBatch();
    const shown = within(await dialog("Folha 11/2026"));
    const row = type === "TRANSFER" ? "Marina Lopes" : "Luz";
    await shown.findByText(row);
    await shown.findByText(type === "TRANSFER" ? "Pix · 1" : "Boletos · 1");
    expect(shown.queryByText(/^Não foi possível/)).toBeNull();
    fakeServer.on(contract, () => refuse("internal"));
    const notice = (await shown.findByText(title)).closest<HTMLElement>("[role=alert]");
    // What was read before stays.
    shown.getByText(row);
    shown.getByText(/Fechando o lote/);
    const asked = () => fakeServer.calls(contract).length;
    const before = asked();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(asked()).toBe(before);
    expect(screen.getAllByText(/^Não foi possível atualizar/)).toHaveLength(1);
    serveBatch(desk);
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    await user.click(within(notice!).getByRole("button", { name: "Tentar de novo" }));
    await waitFor(() => expect(shown.queryByText(title)).toBeNull());
    const again = asked();
    await act(() => vi.advanceTimersByTimeAsync(2_100));
    expect(asked()).toBeGreaterThan(again);
  },
);

it("SES-070 an error of the polling of a further page of payments is shown, and the person starts it again", async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  desk = {
    batch: buildOpenBatch({ status: "PENDING", payments_count: 60 }),
    transfers: Array.from({ length: 60 }, (_, at) => buildTransfer({ to: { name: `Pessoa ${at}` } })),
    balance: 1_000_000,
    filledFirstSteps: true,
  };
  serveBatch(desk);
  openBatch();
  const shown = within(await dialog("Folha 11/2026"));
  await user.click(await shown.findByRole("button", { name: "Mostrar mais transferências" }));
  await shown.findByText("Pessoa 59");
  let isBroken = true;
  const asked = () => fakeServer.calls(listTransfers).filter(({ query }) => query["page"] === "1").length;
  fakeServer.on(listTransfers, ({ query }) => {
    const page = Number(query["page"]);
    if (page === 1 && isBroken) return refuse("internal");
    return {
      data: desk.transfers.slice(page * 50, page * 50 + 50),
      metadata: { pagination: { itemsPerPage: 50, totalItems: 60 } },
      is_all_transfers_scheduled: false,
      failedTransfersSummary: { count: 0, value: 0, ids: [] },
    };
  });
  const title = "Não foi possível atualizar os pagamentos";
  const notice = (await shown.findByText(title)).closest<HTMLElement>("[role=alert]");
  shown.getByText("Pessoa 59");
  const before = asked();
  await act(() => vi.advanceTimersByTimeAsync(6_000));
  expect(asked()).toBe(before);
  isBroken = false;
  await user.click(within(notice!).getByRole("button", { name: "Tentar de novo" }));
  await waitFor(() => expect(shown.queryByText(title)).toBeNull());
  const again = asked();
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  expect(asked()).toBeGreaterThan(again);
});
