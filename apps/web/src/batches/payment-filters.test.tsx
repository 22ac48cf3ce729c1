import { listTransfers } from "@malote/contracts/transfers";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

it.each([
  ["a draft whose last mistake was corrected", "DRAFT"],
  ["a batch that was sent to approval after its repair", "WAITING_APPROVAL"],
] as const)("the address of the mistakes shows every payment of %s", async (_what, status) => {
  const transfers = [buildTransfer(), buildTransfer({ to: { name: "Ivo Prado" } })];
  const batch = buildOpenBatch({ status, payments_count: 2, errors_count: 0 });
  serveBatch({ batch, transfers, balance: 0, filledFirstSteps: true });
  renderApp(`/pagamentos/lotes?lote=${batch.id}&pagamentos=com-erro`);
  await screen.findByText("Ivo Prado");
  expect(screen.getByRole("button", { name: /^Tod[ao]s · 2$/ }).getAttribute("aria-pressed")).toBe("true");
  expect(fakeServer.calls(listTransfers).map(({ query }) => query["status"])).not.toContain("WITH_ERRORS");
});
