/** Cards of the list whose batches are in several states at once. */
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { buildOpenBatch } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { currentMonth } from "../ui/format.ts";
import { batchListQuery } from "./api.ts";

const closing = buildOpenBatch({ status: "PENDING" });
const waiting = buildOpenBatch({ status: "WAITING_APPROVAL" });

it.each([
  ["before", [closing, waiting]],
  ["after", [waiting, closing]],
] as const)(
  "BAT-008 polls every two seconds while a batch is closing, listed %s one that awaits approval",
  (_, data) => {
    const asked = batchListQuery({ month: currentMonth(), status: null, search: "", page: 0 });
    const everyMs = asked.refetchInterval as (query: unknown) => unknown;
    expect(everyMs({ state: { status: "success", data: { data } } })).toBe(2_000);
  },
);

it.each(["RETURNED", "FINISHED"] as const)(
  "BAT-009 a cancelled batch reads 'Cancelado' whatever its status is: %s",
  async (status) => {
    const batch = buildOpenBatch({
      status,
      is_canceled: true,
      cancel_requested_at: "2026-11-20T19:42:00.000Z",
    });
    serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: true });
    renderApp("/pagamentos/lotes");
    const card = within(await screen.findByRole("article"));
    card.getByText("Cancelado");
    expect(card.queryByText(/^(Cancelando|Finalizado|Devolvido)$/)).toBeNull();
  },
);
