/** Opens the form of a transfer, above a batch of the server. */
import { readCompanySettings } from "@malote/contracts/company";
import { addTransfer, changeTransfer, readDuplicatedIntegrationId } from "@malote/contracts/transfers";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach } from "vitest";
import { fakeServer } from "./fake-server.ts";
import { buildOpenBatch, buildTransfer } from "./payments.ts";
import { buildCompanySettings, renderApp } from "./render-app.tsx";
import { type Desk, serveBatch } from "./serve-batch.ts";

export const limits = { TED: 500_000, PIX: 100_000, TEV: 900_000, BILLET: 1 };

export const dialog = (name: string | RegExp) => screen.findByRole("dialog", { name });

export const button = (name: string | RegExp) => screen.findByRole("button", { name });

export const fill = async (label: string | RegExp, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

export const added = () => fakeServer.calls(addTransfer)[0]?.body;

export function transferWizard() {
  const served = {} as { desk: Desk; hasIntegrationId: boolean };
  // Loads the form in advance, so that the first test does not wait for it.
  beforeAll(() => import("../transfers/transfer-wizard.tsx"));
  beforeEach(() => {
    served.hasIntegrationId = true;
    served.desk = {
      batch: buildOpenBatch(),
      transfers: [buildTransfer()],
      balance: 0,
      filledFirstSteps: true,
    };
    serveBatch(served.desk);
    fakeServer.on(addTransfer, () => buildTransfer());
    fakeServer.on(changeTransfer, ({ params }) => buildTransfer({ id: params["tid"] ?? "" }));
    fakeServer.on(readDuplicatedIntegrationId, () => ({ isDuplicated: false }));
  });
  function open(pagamento: string, given: Parameters<typeof renderApp>[1] = {}) {
    const app = renderApp(`/pagamentos/lotes?lote=${served.desk.batch.id}&pagamento=${pagamento}`, given);
    fakeServer.on(readCompanySettings, () => ({
      ...buildCompanySettings(given.settings),
      accountLimits: limits,
      hasIntegrationId: served.hasIntegrationId,
      publicEntityNeedsCaixa: true,
    }));
    return app;
  }
  return { served, open };
}
