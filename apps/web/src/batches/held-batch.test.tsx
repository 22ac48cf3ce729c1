/** A batch that a limit, a suspended function or the company's block holds back. */
import { act, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it, vi } from "vitest";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

// Loads the screen in advance, so that the first test does not wait for it.
beforeAll(() => Promise.all([import("./batch-modal.tsx"), import("./funding-data.tsx")]));

it.each([
  [123_44, 1],
  [123_45, 0],
])(
  "BAT-031 a blocked company's batch shows where to send balance only while money is missing, too: %i",
  async (balance, shown) => {
    const waiting_reason = "Sua conta está bloqueada para pagamentos.";
    const batch = buildOpenBatch({ status: "WAITING", value: 123_45, waiting_reason });
    serveBatch({ batch, transfers: [buildTransfer()], balance, filledFirstSteps: true });
    const app = renderApp(`/pagamentos/lotes?lote=${batch.id}`);
    await screen.findByText(waiting_reason);
    // Loads the part that shows where to send balance, so that its absence is proven.
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    await act(() => vi.dynamicImportSettled());
    await waitFor(() => expect(app.queryClient.isFetching()).toBe(0));
    expect(screen.queryAllByRole("region", { name: "Como enviar o saldo" })).toHaveLength(shown);
    expect(screen.queryByText("Aguardamos o recebimento do valor do lote.")).toBeNull();
  },
);
