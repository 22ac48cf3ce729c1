/** Visibility and look of 'Novo lote' on the page of batches. */
import { screen } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
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
