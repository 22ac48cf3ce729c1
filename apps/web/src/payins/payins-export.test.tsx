import { createCheckpoint } from "@malote/contracts/company";
import {
  downloadPayinReport,
  type Payin,
  readPayinReport,
  requestPayinReport,
} from "@malote/contracts/payins";
import { act, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildPayin, payinsHome, rowOf, servePayins } from "../testing/payins.ts";
import { placeholderScreens } from "../testing/placeholder-screens.tsx";
import { renderApp } from "../testing/render-app.tsx";
import { watchSavedFiles } from "../testing/saved-files.ts";
import { payins as feature } from "./feature.ts";

const reportId = "01990000-0000-7000-8000-0000000000aa";
let all: Payin[];
let one: Payin;

beforeEach(() => {
  one = buildPayin();
  all = [one];
  servePayins(() => all);
});

it("PAY-036 PAY-037 exports: waits for the link, saves the file, and asks before the page is left", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let ready = false;
  fakeServer.on(requestPayinReport, () => ({ id: reportId }));
  fakeServer.on(readPayinReport, () => ({
    link: ready ? "/file" : null,
    filename: ready ? "Recebimentos 2026-11-10.csv" : null,
  }));
  fakeServer.on(downloadPayinReport, () => "Data;Pagador");
  const saved = watchSavedFiles();
  const filters = "busca=bruno&de=2026-10-01&ate=2026-10-31&status=received,canceled&metodo=ted";
  renderApp(`${payinsHome}?${filters}`, { features: [feature, placeholderScreens("BatchesPage")] });
  await rowOf("Bruno Sales");
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  expect(await screen.findByRole("button", { name: "Exportando..." })).toBeTruthy();
  // Requested at once, and then every two seconds.
  await act(() => vi.advanceTimersByTimeAsync(1_800));
  expect(fakeServer.calls(readPayinReport)).toHaveLength(1);
  await act(() => vi.advanceTimersByTimeAsync(300));
  expect(fakeServer.calls(requestPayinReport).map(({ body }) => body)).toEqual([
    {
      search: "bruno",
      created_at__gte: "2026-10-01T03:00:00.000Z",
      created_at__lte: "2026-11-01T02:59:59.999Z",
      status__in: ["received", "canceled"],
      payment_type__in: ["ted"],
    },
  ]);
  expect(fakeServer.calls(readPayinReport).map(({ params }) => params)).toEqual(
    Array(2).fill({ id: reportId }),
  );
  await user.click(screen.getByRole("link", { name: /página inicial/ }));
  await user.click(await screen.findByRole("button", { name: "Esperar a planilha" }));
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(saved).toEqual(["Recebimentos 2026-11-10.csv"]));
  expect(fakeServer.calls(downloadPayinReport).map(({ params }) => params)).toEqual([{ id: reportId }]);
  await waitFor(() =>
    expect(fakeServer.calls(createCheckpoint).at(-1)?.body).toEqual({ location: "HAS_DOWNLOADED_REPORT" }),
  );
  expect(screen.getByRole("button", { name: "Exportar" })).toBeTruthy();
});

it("SES-070 an error ends the polling, and is shown", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  fakeServer.on(requestPayinReport, () => ({ id: reportId }));
  fakeServer.on(readPayinReport, () => refuse("too_many_requests"));
  renderApp(payinsHome, { features: [feature] });
  await rowOf("Bruno Sales");
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  await screen.findByText(/^Muitas chamadas em pouco tempo/);
  await screen.findByRole("button", { name: "Exportar" });
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(fakeServer.calls(readPayinReport)).toHaveLength(1);
});

it("PAY-037 leaves after a confirmation, and then does not download the finished sheet", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let ready = false;
  fakeServer.on(requestPayinReport, () => ({ id: reportId }));
  fakeServer.on(readPayinReport, () => ({
    link: ready ? "/file" : null,
    filename: ready ? "Recebimentos.csv" : null,
  }));
  fakeServer.on(downloadPayinReport, () => "Data;Pagador");
  const app = renderApp(payinsHome, { features: [feature, placeholderScreens("BatchesPage")] });
  await rowOf("Bruno Sales");
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  await user.click(screen.getByRole("link", { name: /página inicial/ }));
  await user.click(await screen.findByRole("button", { name: "Sair da página" }));
  await screen.findByRole("heading", { name: "BatchesPage", level: 1 });
  expect(app.address()).toBe("/pagamentos/lotes");
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(4_100));
  expect(fakeServer.calls(downloadPayinReport)).toEqual([]);
});

it("PAY-037 asks no more about leaving once the sheet is ready, and the person stays", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  let ready = false;
  fakeServer.on(requestPayinReport, () => ({ id: one.id }));
  fakeServer.on(readPayinReport, () => ({
    link: ready ? "/file" : null,
    filename: ready ? "Recebimentos.csv" : null,
  }));
  fakeServer.on(downloadPayinReport, () => "Data;Pagador");
  const saved = watchSavedFiles();
  const app = renderApp(payinsHome, { features: [feature, placeholderScreens("BatchesPage")] });
  await rowOf("Bruno Sales");
  const leave = () => user.click(screen.getByRole("link", { name: /página inicial/ }));
  // The browser asks when the tab is closed.
  const isAskedOnClosing = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
  expect(isAskedOnClosing()).toBe(false);
  await user.click(screen.getByRole("button", { name: "Exportar" }));
  expect(isAskedOnClosing()).toBe(true);
  await leave();
  await screen.findByRole("dialog", { name: "Sair sem a planilha?" });
  ready = true;
  await act(() => vi.advanceTimersByTimeAsync(2_100));
  await waitFor(() => expect(saved).toEqual(["Recebimentos.csv"]));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(app.address()).toBe(payinsHome);
  // The person may leave again without a question.
  expect(isAskedOnClosing()).toBe(false);
  await leave();
  await screen.findByRole("heading", { name: "BatchesPage", level: 1 });
});
