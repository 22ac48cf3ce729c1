/** Opens a batch of boletos on its screen. */
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach } from "vitest";
import { buildBoleto, buildOpenBatch } from "./payments.ts";
import { renderApp } from "./render-app.tsx";
import { type Desk, serveBatch } from "./serve-batch.ts";

export const user = userEvent.setup();

export const operator = { session: { profile: "operator" } } as const;

export const analyst = { session: { profile: "analyst" } } as const;

export const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

export const button = (name: string | RegExp) => screen.findByRole("button", { name });

export function batchOfBoletos() {
  const served = {} as { desk: Desk };
  // Loads the screen in advance, so that the first test does not wait for it.
  beforeAll(() =>
    Promise.all([
      import("../batches/batch-boletos.tsx"),
      import("../boletos/boleto-wizard.tsx"),
      import("../boletos/boleto-details-dialog.tsx"),
    ]),
  );
  beforeEach(() => {
    served.desk = {
      batch: buildOpenBatch({ type: "BILLET", name: "Contas da semana" }),
      transfers: [],
      boletos: [buildBoleto()],
      balance: 1_000_000,
      filledFirstSteps: true,
    };
    serveBatch(served.desk);
  });
  const show = (more = "", options: Parameters<typeof renderApp>[1] = {}) =>
    renderApp(`/pagamentos/lotes?lote=${served.desk.batch.id}${more}`, options);
  const change = (patch: Partial<Desk["batch"]>) => {
    served.desk.batch = { ...served.desk.batch, ...patch };
  };
  return { served, show, change };
}
