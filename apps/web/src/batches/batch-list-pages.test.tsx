/** Pages of the list of batches when fewer are left than the address names. */
import { listBatches } from "@malote/contracts/batches";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";

it("BAT-010 BAT-017 an address beyond the last page opens the last one", async () => {
  const batch = buildOpenBatch({ name: "Resto da folha" });
  serveBatch({ batch, transfers: [], balance: 0, filledFirstSteps: true });
  // Twenty batches are left: twelve on the first page, eight on the second.
  fakeServer.on(listBatches, ({ query }) => ({
    data: query["page"] === "1" ? [batch] : [],
    summary: { count: 20, value: 0 },
    metadata: { pagination: { itemsPerPage: 12, totalItems: 20 } },
  }));
  const app = renderApp("/pagamentos/lotes?pagina=4");
  await screen.findByRole("link", { name: "Abrir o lote Resto da folha" });
  expect(app.address()).toBe("/pagamentos/lotes?pagina=2");
  expect(screen.queryByText("Nenhum lote foi encontrado na sua busca")).toBeNull();
  const asked = fakeServer.calls(listBatches).map(({ query }) => query["page"]);
  expect(asked).toEqual(["3", "1"]);
});
