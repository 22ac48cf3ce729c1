/** Opens the form of a boleto, above a batch of the server. */
import { addBoleto, changeBoleto, readDuplicatedBoleto } from "@malote/contracts/boletos";
import { readCompanySettings } from "@malote/contracts/company";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, vi } from "vitest";
import { fakeServer } from "./fake-server.ts";
import { buildBoleto, buildOpenBatch } from "./payments.ts";
import { buildCompanySettings, renderApp } from "./render-app.tsx";
import { type Desk, serveBatch } from "./serve-batch.ts";

/** Sicoob's, of R$ 150,00, due on 2027-02-15. */
export const sicoob = {
  barcode: "75694172300000150001432101012345678000012301",
  line: "75691432120101234567280000123010417230000015000",
  shown: "75691.43212 01012.345672 80000.123010 4 17230000015000",
};

/** Itaú's, of R$ 0,50, due on 2025-02-22. */
export const overdue = "34191091233456789005771234570001610000000000050";

/** Nubank's without value, due on 2026-12-10. */
export const open = "26090000010000000000000000000000316560000000000";

/** A utility's, of R$ 123,45; its code has no due date. */
export const energy = {
  barcode: "82620000001234512341234567890123456789012345",
  line: "826200000014234512341236456789012345567890123456",
  shown: "82620000001-4 23451234123-6 45678901234-5 56789012345-6",
};

export const user = userEvent.setup();

export const dialog = async (name: string | RegExp) => within(await screen.findByRole("dialog", { name }));

export const button = (name: string | RegExp) => screen.findByRole("button", { name });

export const codeLabel = "Linha digitável ou código de barras";

export const field = (label: string | RegExp) => screen.findByLabelText<HTMLInputElement>(label);

export async function paste(label: string, text: string) {
  const box = await field(label);
  await user.clear(box);
  await user.click(box);
  await user.paste(text);
  return box;
}

export const describeIt = async () => user.type(await field("Descrição"), "Aluguel");

/** A Thursday, at noon in São Paulo. */
export function at(moment: string) {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(moment);
}

/** Answers without a code of ours, as a proxy does. */
export function answerBare(response: Response, method: string) {
  const before = fetch;
  vi.stubGlobal("fetch", (input: RequestInfo, init?: RequestInit) =>
    init?.method === method && String(input).includes("/billet")
      ? Promise.resolve(response)
      : before(input, init),
  );
}

export function boletoWizard() {
  const served = {} as { desk: Desk; hasIntegrationId: boolean };
  // Loads the form in advance, so that the first test does not wait for it.
  beforeAll(() =>
    Promise.all([import("../batches/batch-boletos.tsx"), import("../boletos/boleto-wizard.tsx")]),
  );
  beforeEach(() => {
    at("2026-11-19T15:00:00.000Z");
    served.hasIntegrationId = false;
    served.desk = {
      batch: buildOpenBatch({ type: "BILLET", name: "Contas" }),
      transfers: [],
      boletos: [buildBoleto()],
      balance: 0,
      filledFirstSteps: true,
    };
    serveBatch(served.desk);
    fakeServer.on(addBoleto, () => buildBoleto());
    fakeServer.on(changeBoleto, ({ body }) => buildBoleto({ id: body.id }));
    fakeServer.on(readDuplicatedBoleto, () => ({ isDuplicated: false, batch: null }));
  });
  function show(pagamento = "novo", options: Parameters<typeof renderApp>[1] = {}) {
    const app = renderApp(`/pagamentos/lotes?lote=${served.desk.batch.id}&pagamento=${pagamento}`, options);
    fakeServer.on(readCompanySettings, () => ({
      ...buildCompanySettings(options?.settings),
      accountLimits: { TED: 1, PIX: 1, TEV: 1, BILLET: 1_000_000_00 },
      hasIntegrationId: served.hasIntegrationId,
    }));
    return app;
  }
  return { served, show };
}
