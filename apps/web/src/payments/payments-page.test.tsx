/** Shared behaviour of both lists of payments: the export and a new batch. */
import { createBatch } from "@malote/contracts/batches";
import { createCheckpoint } from "@malote/contracts/company";
import { createPayoutReport } from "@malote/contracts/reports";
import { transferPageFilters } from "@malote/contracts/transfers";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks } from "../testing/marks.ts";
import { testId } from "../testing/payments.ts";
import { openBoletos, openTransfers, paymentsPage, started } from "../testing/payments-page.ts";
import { buildSession } from "../testing/token.ts";

const { served } = paymentsPage();

describe("the export", () => {
  it("FST-025 requests the report when its mark cannot be stored", async () => {
    fakeServer.on(createPayoutReport, () => ({ id: testId(91) }));
    openTransfers("?mes=2026-02");
    refuseMarks();
    await userEvent.click(await screen.findByRole("button", { name: "Exportar" }));
    await screen.findByText(started);
    await expectQuietReport();
    expect(recordedMarks()).toEqual(["HAS_SEEN_PAYOUT_REPORT_BUTTON"]);
  });

  it("TRF-057 TRF-058 TRF-060 TRF-061 FST-024 requests what the filter finds, and records that it was seen and used", async () => {
    const user = userEvent.setup();
    fakeServer.on(createPayoutReport, () => ({ id: testId(91) }));
    openTransfers("?mes=2026-02&busca=ana");
    const ask = await screen.findByRole("button", { name: "Exportar" });
    // Seeing the button is enough.
    await waitFor(() => expect(recordedMarks()).toEqual(["HAS_SEEN_PAYOUT_REPORT_BUTTON"]));
    await user.click(ask);
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

  it("SES-076 TRF-060 announces for 10 seconds that the report was started", async () => {
    fakeServer.on(createPayoutReport, () => ({ id: testId(91) }));
    openTransfers();
    const ask = await screen.findByRole("button", { name: "Exportar" });
    vi.useFakeTimers();
    const said = () => screen.queryByText(started);
    fireEvent.click(ask);
    for (let turn = 0; turn < 50 && !said(); turn++) await act(() => vi.advanceTimersByTimeAsync(0));
    await act(() => vi.advanceTimersByTimeAsync(9_900));
    expect(said()).not.toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(said()).toBeNull();
  });

  it("TRF-059 shows for 5 seconds that the range is too long", async () => {
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
    served.isBlank = true;
    served.transfers = [];
    served.boletos = [];
    fakeServer.on(createBatch, () => refuse("contract_not_accepted"));
    const start = async () => {
      await screen.findByText(firstUse);
      await user.click(screen.getByRole("button", { name: "Novo lote" }));
    };
    const { company } = buildSession();
    const without = page("", { session: { company: { ...company, acceptedContract: false } } });
    await start();
    expect(fakeServer.calls(createBatch)).toHaveLength(0);
    expect(screen.getByRole("region", { name: "Avisos", hidden: true }).textContent).toBe("");
    without.unmount();
    page();
    await start();
    await waitFor(() => expect(fakeServer.calls(createBatch)[0]?.body).toMatchObject({ type }));
  });
});
