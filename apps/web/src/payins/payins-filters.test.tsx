/** Filters above the payins: how they are chosen, and what the server receives. */
import { listPayins, type Payin, readPayinTotals } from "@malote/contracts/payins";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeServer } from "../testing/fake-server.ts";
import { buildPayin, payinsHome, rowOf, servePayins } from "../testing/payins.ts";
import { renderApp } from "../testing/render-app.tsx";

let all: Payin[];
beforeEach(() => {
  all = [buildPayin()];
  servePayins(() => all);
});
const lastOf = (name: string) =>
  [listPayins, readPayinTotals].map((of) => fakeServer.calls(of).at(-1)?.query[name]);

it("PAY-002 typed first and last days apply to the list and its totals alike", async () => {
  const app = renderApp(`${payinsHome}?de=2026-10-01&ate=2026-10-31`);
  await rowOf("Bruno Sales");
  const range = within(screen.getByRole("group", { name: "Período" }));
  const day = async (name: string, text: string) => {
    await userEvent.clear(range.getByRole("textbox", { name }));
    await userEvent.type(range.getByRole("textbox", { name }), text);
  };
  await day("De", "05102026");
  await day("Até", "20102026");
  await waitFor(() => expect(app.address()).toBe(`${payinsHome}?de=2026-10-05&ate=2026-10-20`));
  const shown = range.getAllByRole<HTMLInputElement>("textbox").map(({ value }) => value);
  expect(shown).toEqual(["05/10/2026", "20/10/2026"]);
  await waitFor(() => expect(lastOf("created_at__gte")).toEqual(Array(2).fill("2026-10-05T03:00:00.000Z")));
  await waitFor(() => expect(lastOf("created_at__lte")).toEqual(Array(2).fill("2026-10-21T02:59:59.999Z")));
});

it("PAY-003 requests each chosen status and method, as a repeated parameter, from the first page of ten on", async () => {
  const fetched = vi.spyOn(globalThis, "fetch");
  renderApp(`${payinsHome}?status=canceled,refunded&metodo=ted,boleto`);
  await rowOf("Bruno Sales");
  const asked = fetched.mock.calls
    .map(([address]) => new URL(String(address), "http://malote.test"))
    .filter(({ pathname }) => /\/app\/payins(_summary)?$/.test(pathname));
  expect(asked.length).toBeGreaterThanOrEqual(2);
  for (const { searchParams } of asked) {
    expect(searchParams.getAll("status__in")).toEqual(["canceled", "refunded"]);
    expect(searchParams.getAll("payment_type__in")).toEqual(["ted", "boleto"]);
  }
  const ofList = asked.filter(({ pathname }) => pathname.endsWith("/payins"));
  expect(ofList.map(({ searchParams: of }) => [of.get("page"), of.get("page_size")])).toEqual([["0", "10"]]);
});

it("PAY-002 PAY-014 offers each status by its name, and requests both that are shown as 'Processando' by one of them", async () => {
  renderApp(payinsHome);
  await rowOf("Bruno Sales");
  await userEvent.click(screen.getByRole("button", { name: /^Status:/ }));
  expect(screen.getAllByRole("checkbox").map((box) => box.getAttribute("aria-label"))).toEqual([
    "Recebido",
    "A receber",
    "Pendente",
    "Processando",
    "Devolvido",
    "Bloqueado",
    "Cancelado",
    "Negado",
    "Expirado",
    "Ativo",
  ]);
  await userEvent.click(screen.getByRole("checkbox", { name: "Processando" }));
  await waitFor(() => expect(lastOf("status__in")).toEqual(["refunding", "refunding"]));
});

it("PAY-002 PAY-006 waits half a second after a search is typed and then 300 ms, for the list and its totals alike", async () => {
  const app = renderApp(payinsHome);
  await rowOf("Bruno Sales");
  vi.useFakeTimers();
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "bru" } });
  await act(() => vi.advanceTimersByTimeAsync(490));
  expect(app.address()).toBe(payinsHome);
  // The field's own pause ends in this step, which renders before the list's pause begins.
  await act(() => vi.advanceTimersByTimeAsync(20));
  expect(app.address()).toBe(`${payinsHome}?busca=bru`);
  await act(() => vi.advanceTimersByTimeAsync(270));
  expect(lastOf("search")).toEqual([undefined, undefined]);
  await act(() => vi.advanceTimersByTimeAsync(40));
  expect(lastOf("search")).toEqual(["bru", "bru"]);
});

it("PAY-006 waits 300 ms after another filter, for the list and its totals alike", async () => {
  const app = renderApp(payinsHome);
  await rowOf("Bruno Sales");
  vi.useFakeTimers();
  act(() => app.history.push(`${payinsHome}?metodo=ted`));
  await act(() => vi.advanceTimersByTimeAsync(290));
  expect(app.address()).toBe(`${payinsHome}?metodo=ted`);
  expect(lastOf("payment_type__in")).toEqual([undefined, undefined]);
  await act(() => vi.advanceTimersByTimeAsync(30));
  expect(lastOf("payment_type__in")).toEqual(["ted", "ted"]);
});
