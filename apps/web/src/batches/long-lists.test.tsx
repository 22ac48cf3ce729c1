/** Lists of more than a hundred payments, of which only the rows in sight are drawn. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { buildBoleto, buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

it.each([
  ["transferências", "TRANSFER"],
  ["boletos", "BILLET"],
] as const)("BAT-037 BAT-038 the third fifty %s are their own", async (many, type) => {
  // The screen is tall enough for all rows.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(100_000);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(61);
  const names = Array.from({ length: 150 }, (_, at) => `Pagamento ${at + 1}`);
  const batch = buildOpenBatch({ type, payments_count: names.length });
  serveBatch({
    batch,
    transfers: names.map((name) => buildTransfer({ to: { name } })),
    boletos: names.map((description) => buildBoleto({ description })),
    balance: 0,
    filledFirstSteps: true,
  });
  renderApp(`/pagamentos/lotes?lote=${batch.id}`);
  for (const shown of ["50 de 150", "100 de 150"]) {
    await screen.findByText(`${shown} ${many}`);
    await userEvent.click(screen.getByRole("button", { name: `Mostrar mais ${many}` }));
  }
  await screen.findByText(`150 ${many}`, { selector: "[role=status]" });
  const rows = within(screen.getByRole("list", { name: "Pagamentos do lote" }));
  await waitFor(() =>
    expect(rows.getAllByText(/^Pagamento \d+$/).map(({ textContent }) => textContent)).toEqual(names),
  );
});
