/** Opens a transfer of a batch for its tests. */
import { readCompanySettings } from "@malote/contracts/company";
import { screen, within } from "@testing-library/react";
import { fakeServer } from "./fake-server.ts";
import { buildCompanySettings, renderApp } from "./render-app.tsx";
import type { Desk } from "./serve-batch.ts";

export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

export const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };

export function transferDetails(desk: () => Desk) {
  function open(pagamento: string) {
    renderApp(`/pagamentos/lotes?lote=${desk().batch.id}&pagamento=${pagamento}`);
    fakeServer.on(readCompanySettings, () => ({
      ...buildCompanySettings(),
      accountLimits: { TED: 500_000, PIX: 100_000, TEV: 900_000, BILLET: 1 },
    }));
  }

  return { open };
}
