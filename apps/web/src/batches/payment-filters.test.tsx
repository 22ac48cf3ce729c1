import { listBoletos } from "@malote/contracts/boletos";
import { listTransfers } from "@malote/contracts/transfers";
import { screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildBoleto, buildOpenBatch, buildTransfer } from "../testing/payments.ts";
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
  await screen.findByRole("button", { name: "Ivo Prado" });
  expect(screen.getByRole("button", { name: /^Tod[ao]s · 2$/ }).getAttribute("aria-pressed")).toBe("true");
  expect(fakeServer.calls(listTransfers).map(({ query }) => query["status"])).not.toContain("WITH_ERRORS");
});

it.each([
  ["transferências", "TRANSFER", listTransfers, "criada"],
  ["boletos", "BILLET", listBoletos, "criado"],
] as const)(
  "BAT-036 BAT-037 BAT-038 requests more %s with the same status and search",
  async (many, type, contract, word) => {
    const batch = buildOpenBatch({ type, payments_count: 60 });
    const transfers = Array.from({ length: 60 }, () => buildTransfer());
    const boletos = Array.from({ length: 60 }, () => buildBoleto());
    serveBatch({ batch, transfers, boletos, balance: 0, filledFirstSteps: true });
    renderApp(`/pagamentos/lotes?lote=${batch.id}&pagamentos=${word}&dados=maria`);
    await userEvent.click(await screen.findByRole("button", { name: `Mostrar mais ${many}` }));
    const further = () => fakeServer.calls(contract).find(({ query }) => query["page"] === "1");
    await waitFor(() => expect(further()?.query).toEqual({ page: "1", status: "CREATED", search: "maria" }));
  },
);
