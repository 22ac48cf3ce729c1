import { readCheckpoint } from "@malote/contracts/company";
import { readStatement } from "@malote/contracts/statement";
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";

it("STM-005 the eight columns share the width by their weights, which add up to 104", async () => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
  fakeServer.on(readStatement, () => ({
    entries: [],
    prevBalance: { date: "2026-11-01", value: 0 },
    afterBalance: { date: "2026-11-30", value: 0 },
    totals: { in: 0, out: 0 },
    metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
  }));
  renderApp("/pagamentos/saldo");
  const table = await screen.findByRole("table", { name: "Extrato" });
  // A browser follows the weights only when no cell may stretch its column.
  expect(table.hasAttribute("data-fixed")).toBe(true);
  const widths = [...table.querySelectorAll("col")].map((column) => Number.parseFloat(column.style.width));
  const weights = [13, 17, 7, 12, 12, 13, 15, 15];
  expect(widths).toHaveLength(weights.length);
  for (const [at, weight] of weights.entries()) expect(widths[at]).toBeCloseTo((weight / 104) * 100, 3);
});
