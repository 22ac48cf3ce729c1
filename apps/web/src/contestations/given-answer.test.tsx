/** Details of an infraction that was answered. */
import { downloadInfractionFile, type Infraction, readInfraction } from "@malote/contracts/contestations";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it } from "vitest";
import {
  idOf,
  infractionOf,
  listPath,
  openContestations,
  serveContestations,
} from "../testing/contestations.ts";
import { fakeServer } from "../testing/fake-server.ts";
import { watchSavedFiles } from "../testing/saved-files.ts";

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

it("MED-006 an attachment is fetched by a new signed address, because the one on the page may be over", async () => {
  const query = (expires: string) => ({ company: idOf(8), expires, signature: "a".repeat(64) });
  const file = (expires: string) => ({
    name: "nota.pdf",
    signed_url: `/api/payments/med/infractions/${idOf(1)}/file?${new URLSearchParams(query(expires))}`,
  });
  const answer = await openAnswered({ analysis_status: "rejected", files: [file("1000")] });
  items = items.map((item) => ({ ...item, files: [file("2000")] }));
  fakeServer.on(downloadInfractionFile, () => "%PDF-1.7");
  const saved = watchSavedFiles();
  const before = fakeServer.calls(readInfraction).length;
  await userEvent.click(answer.getByRole("button", { name: "Baixar o anexo nota.pdf" }));
  await waitFor(() => expect(saved).toEqual(["nota.pdf"]));
  expect(fakeServer.calls(readInfraction)).toHaveLength(before + 1);
  expect(fakeServer.calls(downloadInfractionFile).map(({ params, query: sent }) => [params, sent])).toEqual([
    [{ id: idOf(1) }, query("2000")],
  ]);
});
