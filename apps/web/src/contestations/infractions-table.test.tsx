/** Rows of the contestations: each fact under its heading, and a deadline that runs while the page is open. */
import type { Infraction } from "@malote/contracts/contestations";
import { act, screen, within } from "@testing-library/react";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import {
  infractionOf,
  inHours,
  listPath,
  openContestations,
  serveContestations,
} from "../testing/contestations.ts";

let items: Infraction[];
beforeEach(() => serveContestations({ items: () => items, accepted: () => true }));

async function openList(...made: Infraction[]) {
  items = made;
  openContestations(listPath);
  return within(await screen.findByRole("table", { name: "Contestações" }));
}

it("MED-013 shows each fact of an infraction under its own heading", async () => {
  const table = await openList(
    infractionOf(1, {
      infraction_date: "2026-11-20T19:42:00.000Z",
      analysis_due_date: "2026-11-24T20:43:00.000Z",
      analysis_status: "accepted",
      status: "agreed",
      returnable_amount: 0,
    }),
  );
  const headings = table.getAllByRole("columnheader").map(({ textContent }) => textContent ?? "");
  const [, row] = table.getAllByRole("row");
  const cells = within(row!)
    .getAllByRole("cell")
    .map(({ textContent }, at) => [headings[at], textContent?.slice(headings[at]?.length)]);
  expect(cells).toEqual([
    ["Data", "20/11/2026 16:42"],
    ["Prazo", "-Sem prazo a correr"],
    ["Pagador", "Pagador 1"],
    ["Documento", "***.982.247-**"],
    ["ID Pix", "E8888880..."],
    ["Valor", "R$\u00a0150,00"],
    ["Tipo", "Golpe"],
    ["Parecer", "Procedente"],
    ["Status", "Aprovada"],
  ]);
});

it("MED-011 counts down while the page is open, from yellow over red to the end", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  const table = await openList(
    infractionOf(1, { analysis_due_date: inHours(24 + 1 / 120) }),
    infractionOf(2, { analysis_due_date: inHours(1 / 120) }),
  );
  const pills = () =>
    table
      .getAllByRole("row")
      .slice(1)
      .map((row) => {
        const pill = row.querySelectorAll("td")[1]?.querySelector("[data-color]");
        return [pill?.textContent, pill?.getAttribute("data-color")];
      });
  expect(pills()).toEqual([
    ["24h 00min", "yellow"],
    ["0h 00min", "red"],
  ]);
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(pills()).toEqual([
    ["23h 59min", "red"],
    ["-Sem prazo a correr", "grey"],
  ]);
});

it.each(["accepted", "rejected", "delayed", "canceled"] as const)(
  "MED-010 MED-011 shows no deadline for an infraction that is %s, and keeps the e-mail mark",
  async (analysis_status) => {
    const open = { analysis_status, analysis_due_date: inHours(20) };
    await openList(infractionOf(1, open), infractionOf(2, { ...open, contested_at: inHours(-1) }));
    const cells = ["Pagador 1", "Pagador 2"].map((payer) => {
      const due = screen.getByText(payer).closest("tr")?.querySelectorAll("td")[1];
      const pill = due?.querySelector("[data-color]");
      const mark = due && within(due).queryByRole("img");
      return [pill?.textContent, pill?.getAttribute("data-color"), mark?.title];
    });
    expect(cells).toEqual([
      ["-Sem prazo a correr", "grey", undefined],
      ["-Sem prazo a correr", "grey", "Infração já contestada via e-mail"],
    ]);
  },
);
