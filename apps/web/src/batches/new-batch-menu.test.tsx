/** Visibility and look of 'Novo lote' on the page of batches. */
import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildOpenBatch } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { buttonClass } from "../ui/button.tsx";

beforeEach(() =>
  serveBatch({ batch: buildOpenBatch(), transfers: [], balance: 1_000_000, filledFirstSteps: true }),
);

it.each(["admin", "operator"] as const)(
  "BAT-013 is the main button of the page for an %s",
  async (profile) => {
    renderApp("/pagamentos/lotes", { session: { profile } });
    const main = await screen.findByRole("button", { name: "Novo lote" });
    expect(main.className.trim()).toBe(buttonClass({ look: "primary" }).trim());
    expect(main.className.trim()).not.toBe(buttonClass().trim());
  },
);

it.each(["admin", "operator", "analyst"] as const)(
  "BAT-013 the first use of the page offers a new batch, unless to analysts: %s",
  async (profile) => {
    fakeServer.on(readBatchesBlankslate, () => ({ data: true }));
    fakeServer.on(listBatches, () => ({
      data: [],
      summary: { count: 0, value: 0 },
      metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
    }));
    renderApp("/pagamentos/lotes", { session: { profile } });
    await screen.findByRole("heading", { name: "Faça seu primeiro lote de pagamentos" });
    const offered = screen.queryAllByRole("button", { name: "Novo lote" });
    expect(offered).toHaveLength(profile === "analyst" ? 0 : 1);
  },
);
