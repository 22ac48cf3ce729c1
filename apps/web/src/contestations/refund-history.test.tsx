/** Refunds of an infraction and every attempt, as its details show them. */
import * as contracts from "@malote/contracts/contestations";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import {
  button,
  idOf,
  infractionOf,
  inHours,
  listPath,
  openContestations,
  serveContestations,
} from "../testing/contestations.ts";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { settled } from "../testing/settled.ts";
import { formatDateTime } from "../ui/format.ts";

let items: contracts.Infraction[];
beforeEach(() => {
  items = [];
  serveContestations({ items: () => items, accepted: () => true });
});

async function openOne(changes: Partial<contracts.Infraction> = {}) {
  items = [infractionOf(1, changes)];
  const app = openContestations(`${listPath}/${idOf(1)}`);
  await screen.findByRole("heading", { name: "O que foi contestado" });
  return app;
}
const asked = () => fakeServer.calls(contracts.listInfractionRefunds);
const tryOf = (
  n: number,
  changes: Partial<contracts.InfractionRefundMovement> = {},
): contracts.InfractionRefundMovement => ({
  id: idOf(n),
  attempt_status: "succeeded",
  attempt_date: `2026-11-20T19:4${n}:00.000Z`,
  amount: (n + 1) * 10_00,
  return_id: `D999995932026112019400000000000${n}`,
  ...changes,
});

it("MED-036 MED-037 MED-039 MED-040 MED-041 shows what is returned, and every attempt", async () => {
  fakeServer.on(contracts.listInfractionRefunds, ({ query }) => ({
    items: query["search"]
      ? [tryOf(7)]
      : [
          tryOf(0),
          tryOf(1, { attempt_status: "processing" }),
          tryOf(2, { attempt_status: "failed", return_id: null }),
        ],
    meta: { next: null, previous: null },
  }));
  const refund = {
    status: "pending",
    refunded_amount: 50_00,
    refund_date: inHours(-1),
    monitoring_end_date: inHours(48),
  } as const;
  await openOne({ analysis_status: "accepted", status: "agreed", refund });
  screen.getByText("Devolução em monitoramento (90 dias)");
  screen.getByText("Em monitoramento");
  for (const [label, value] of [
    ["Valor devolvido", "R$\u00a050,00"],
    ["Última devolução", formatDateTime(refund.refund_date)],
    ["Monitorada até", formatDateTime(refund.monitoring_end_date)],
  ] as const)
    expect([label, screen.getByText(label).nextElementSibling?.textContent]).toEqual([label, value]);
  const table = within(await screen.findByRole("table", { name: "Histórico de devoluções" }));
  const headings = ["Data", "ID da devolução", "Valor", "Status"];
  expect(table.getAllByRole("columnheader").map(({ textContent }) => textContent)).toEqual(headings);
  const rows = table.getAllByRole("row").slice(1);
  const shown = rows.map((row) =>
    within(row)
      .getAllByRole("cell")
      .map((cell, at) => cell.textContent?.replace(headings[at] ?? "", "").replace("\u00a0", " ")),
  );
  expect(shown).toEqual([
    ["20/11/2026 16:40", "D9999959320261120194000000000000", "R$ 10,00", "Sucesso"],
    ["20/11/2026 16:41", "D9999959320261120194000000000001", "R$ 20,00", "Em processamento"],
    ["20/11/2026 16:42", "–", "R$ 30,00", "Falhou"],
  ]);
  expect(screen.queryByRole("navigation", { name: "Páginas" })).toBeNull();
  expect(asked().map(({ params, query }) => [params, query])).toEqual([
    [{ id: idOf(1) }, { page_size: "10" }],
  ]);
  await userEvent.type(screen.getByRole("searchbox", { name: "ID da devolução" }), "777");
  expect(asked()).toHaveLength(1);
  await table.findByText("D9999959320261120194000000000007");
  expect(asked().at(-1)?.query).toEqual({ page_size: "10", search: "777" });
});

it("MED-037 pages forward and back by the cursors, and a search starts at the first page", async () => {
  fakeServer.on(contracts.listInfractionRefunds, ({ query }) => ({
    items: [tryOf(query["page_cursor"] === "older_1_x" ? 2 : 1)],
    meta: {
      next: query["page_cursor"] === "older_1_x" ? null : "older_1_x",
      previous: query["page_cursor"] === "older_1_x" ? "newer_2_x" : null,
    },
  }));
  await openOne({ analysis_status: "accepted" });
  await screen.findByText("20/11/2026 16:41");
  expect(button("Anterior")).toHaveProperty("disabled", true);
  await userEvent.click(button("Próxima"));
  await screen.findByText("20/11/2026 16:42");
  expect(button("Próxima")).toHaveProperty("disabled", true);
  await userEvent.click(button("Anterior"));
  await screen.findByText("20/11/2026 16:41");
  await userEvent.type(screen.getByRole("searchbox", { name: "ID da devolução" }), "D9{Enter}");
  await waitFor(() =>
    expect(asked().map(({ query }) => query)).toEqual([
      { page_size: "10" },
      { page_size: "10", page_cursor: "older_1_x" },
      { page_size: "10", page_cursor: "newer_2_x" },
      { page_size: "10", search: "D9" },
    ]),
  );
  // The next page of a search is a page of what it found.
  await waitFor(() => expect(button("Próxima")).toHaveProperty("disabled", false));
  await userEvent.click(button("Próxima"));
  await waitFor(() =>
    expect(asked().at(-1)?.query).toEqual({ page_size: "10", search: "D9", page_cursor: "older_1_x" }),
  );
});

it.each([
  ["closed", 48, "Concluído", "Finalizado"],
  ["canceled", 48, "Cancelado", undefined],
  ["pending", -1, "Em processamento", undefined],
] as const)(
  "MED-039 MED-041 shows a refund that is %s as such, without the monitoring that ended",
  async (status, ends, name, badge) => {
    await openOne({
      analysis_status: "delayed",
      refund: { status, refunded_amount: 0, refund_date: null, monitoring_end_date: inHours(ends) },
    });
    screen.getByText(name);
    expect(screen.queryByText("Devolução em monitoramento (90 dias)")).toBeNull();
    expect(screen.queryByText("Em monitoramento")).toBeNull();
    expect(screen.queryByText("Finalizado")?.textContent).toBe(badge);
  },
);

it("MED-037 searches once typing has paused for 300 ms", async () => {
  fakeServer.on(contracts.listInfractionRefunds, () => ({
    items: [tryOf(1)],
    meta: { next: null, previous: null },
  }));
  await openOne({ analysis_status: "accepted" });
  const box = await screen.findByRole("searchbox", { name: "ID da devolução" });
  const before = asked().length;
  vi.useFakeTimers();
  const type = (value: string) => fireEvent.change(box, { target: { value } });
  type("7");
  await act(() => vi.advanceTimersByTimeAsync(290));
  type("77");
  await act(() => vi.advanceTimersByTimeAsync(290));
  expect(asked()).toHaveLength(before);
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(asked()).toHaveLength(before + 1);
  expect(asked().at(-1)?.query).toEqual({
    page_size: "10",
    search: "77",
  });
});

it.each([null, inHours(-1)])(
  "MED-038 shows no history for a pending infraction, contested by e-mail: %s",
  async (contested_at) => {
    await settled(await openOne({ contested_at }));
    expect(screen.queryByRole("heading", { name: "Histórico de devoluções" })).toBeNull();
    expect(asked()).toEqual([]);
  },
);

it("MED-038 shows the history below every answer, with how far it reaches", async () => {
  for (const analysis_status of ["accepted", "rejected", "delayed", "canceled"] as const) {
    const app = await openOne({ analysis_status });
    await screen.findByRole("heading", { name: "Histórico de devoluções" });
    screen.getByText("As tentativas de devolver o valor, por até 3 meses.");
    app.unmount();
  }
});

it("MED-037 reports refunds that failed", async () => {
  fakeServer.on(contracts.listInfractionRefunds, () => refuse("internal"));
  await openOne({ analysis_status: "rejected" });
  await screen.findByText("Ocorreu um erro ao buscar os reembolsos");
});
