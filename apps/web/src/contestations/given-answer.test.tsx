/** Details of an infraction that was answered. */
import type { Infraction } from "@malote/contracts/contestations";
import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it } from "vitest";
import {
  idOf,
  infractionOf,
  listPath,
  openContestations,
  serveContestations,
} from "../testing/contestations.ts";

let items: Infraction[];
beforeEach(() => serveContestations({ items: () => items, accepted: () => true }));

async function openAnswered(changes: Partial<Infraction>) {
  items = [infractionOf(1, { user: { name: "Helena Prado" }, ...changes })];
  openContestations(`${listPath}/${idOf(1)}`);
  return within(await screen.findByRole("region", { name: "Resposta" }));
}

it.each(["accepted", "rejected"] as const)(
  "MED-027 an infraction that is %s opens read-only",
  async (status) => {
    const answer = await openAnswered({
      analysis_status: status,
      analysis_date: "2026-11-21T13:00:00.000Z",
      analysis_description: "A nota está assinada.",
    });
    answer.getByText("A nota está assinada.");
    answer.getByText("Respondida por Helena Prado em 21/11/2026 10:00.");
    for (const role of ["radio", "textbox"]) expect(screen.queryByRole(role)).toBeNull();
    expect(screen.queryByRole("button", { name: "Enviar resposta" })).toBeNull();
  },
);

it("MED-033 shortens the name of an attachment in the middle from 31 characters on", async () => {
  const file = (name: string) => ({ name, signed_url: "/arquivo" });
  const answer = await openAnswered({
    analysis_status: "rejected",
    files: [file(`${"a".repeat(26)}.pdf`), file(`comprovante-${"b".repeat(15)}.pdf`)],
  });
  answer.getByText(`${"a".repeat(26)}.pdf`);
  const short = answer.getByText(/^comprovante-.*\.pdf$/);
  expect(short.textContent).toBe("comprovante-bb...bbbbbbbbb.pdf");
});
