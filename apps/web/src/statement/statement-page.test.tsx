import { readCheckpoint, readCompanySettings } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import { readBalance, readStatement } from "@malote/contracts/statement";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { generalText } from "../shell/call.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { answerWith, buildEntry, rows, table } from "../testing/statement.ts";
import { currentMonth, daysOfMonth } from "../ui/format.ts";
import { noteSystemTime } from "../ui/system-time.ts";

beforeEach(() => {
  fakeServer.on(readCheckpoint, () => ({ exists: true }));
});

describe("Saldo", () => {
  it("STM-001 STM-002 STM-016 requests the current month, and the first page as page 1", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    await table();
    expect(screen.getByRole("heading", { name: "Saldo", level: 1 })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Extrato" })).toBeTruthy();
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      ...daysOfMonth(currentMonth()),
      page: "1",
    });
  });

  it("STM-002 opens on the month of the system's clock, whatever the browser's", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true, now: new Date("2026-11-22T15:00:00Z") });
    noteSystemTime("2026-12-03T15:00:00.000Z");
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    await table();
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      initialDate: "2026-12-01",
      endDate: "2026-12-31",
      page: "1",
    });
    noteSystemTime("2026-11-22T15:00:30.000Z", Date.parse("2026-11-22T15:00:00Z"));
  });

  it("STM-016 reads month and page from the address, and writes a chosen month to it", async () => {
    const user = userEvent.setup();
    answerWith([buildEntry()], { totalItems: 120 });
    const app = renderApp("/pagamentos/saldo?mes=2026-02&pagina=2");
    await table();
    expect(fakeServer.calls(readStatement).at(-1)?.query).toEqual({
      initialDate: "2026-02-01",
      endDate: "2026-02-28",
      page: "2",
    });
    await user.click(screen.getByRole("button", { name: "Mês: fevereiro de 2026" }));
    await user.click(await screen.findByRole("button", { name: "março de 2026" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/saldo?mes=2026-03"));
  });

  it("STM-003 SES-027 FST-009 sends a company without first steps to them, and afterwards back to the requested page", async () => {
    fakeServer.on(readCheckpoint, () => ({ exists: false }));
    fakeServer.keepWaiting(readCompanySettings);
    const company = {
      id: "0198f000-0000-7000-8000-00000000c003",
      name: "Nova",
      cpfCnpj: "1",
      acceptedContract: true,
    };
    const asked = "/pagamentos/saldo?mes=2026-03&lote=0198f000-0000-7000-8000-00000000000a";
    const app = renderApp(asked, { session: { company, profile: "analyst" } });
    await waitFor(() =>
      expect(app.address()).toBe(`/pagamentos/primeiros-passos?redirectedFrom=${encodeURIComponent(asked)}`),
    );
    expect(fakeServer.calls(readCheckpoint)[0]?.query).toEqual({ in_company: "true" });
    expect(fakeServer.calls(readStatement)).toHaveLength(0);
  });

  it("STM-006 STM-008 reports an empty month between its two balances, and no other month as empty", async () => {
    const nothing = "Nenhuma movimentação realizada neste período";
    answerWith([]);
    const app = renderApp("/pagamentos/saldo?mes=2026-02");
    await table();
    expect((await rows()).map((row) => row.textContent)).toEqual([
      "28/02/2026Saldo de fechamentoR$\u00a048.210,37",
      nothing,
      "01/02/2026Saldo de aberturaR$\u00a041.308,23",
    ]);
    app.unmount();
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo?mes=2026-02");
    expect(within(await table()).queryByText(nothing)).toBeNull();
  });

  it("STM-007 STM-008 shows the closing balance on the first page and the opening one on the last", async () => {
    const user = userEvent.setup();
    answerWith([buildEntry()], { totalItems: 120 });
    const app = renderApp("/pagamentos/saldo?mes=2026-02");
    const first = (await rows()).map((row) => row.textContent);
    // Phones show the R$ (SES-073).
    expect(first[0]).toContain("Saldo de fechamentoR$\u00a048.210,37");
    expect(first.join()).not.toContain("Saldo de abertura");
    await user.click(screen.getByRole("button", { name: "Página 2" }));
    await waitFor(() => expect(app.address()).toContain("pagina=2"));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await user.click(screen.getByRole("button", { name: "Página 3" }));
    await waitFor(async () => {
      const last = (await rows()).map((row) => row.textContent);
      expect(last.at(-1)).toContain("Saldo de aberturaR$\u00a041.308,23");
      expect(last.join()).not.toContain("Saldo de fechamento");
    });
  });

  it("STM-008 shows the opening balance on the last page when that page is full", async () => {
    answerWith([buildEntry()], { totalItems: 100 });
    renderApp("/pagamentos/saldo?mes=2026-02&pagina=2");
    expect((await rows()).at(-1)?.textContent).toContain("Saldo de abertura");
  });

  it("STM-015 shows why the statement could not be loaded, and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(readStatement, () => refuse("too_many_requests"));
    renderApp("/pagamentos/saldo");
    expect(await screen.findAllByText(/Muitas chamadas em pouco tempo/)).toHaveLength(2);
    const toast = within(screen.getByRole("region", { name: "Avisos" })).getByText(/Muitas chamadas/);
    expect(toast.closest("[data-tone]")?.getAttribute("data-tone")).toBe("bad");
    answerWith([buildEntry()]);
    await user.click(screen.getByRole("button", { name: "Tentar de novo" }));
    await table();
  });

  it.each([
    ["the statement", "a fault of the server", readStatement, () => refuse("internal")],
    ["the statement", "a refusal without a reason", readStatement, () => refuseWithoutCode()],
    ["the balance", "a fault of the server", readBalance, () => refuse("internal")],
    ["the balance", "a refusal without a reason", readBalance, () => refuseWithoutCode()],
  ] as const)("STM-015 shows the general sentence when %s meets %s", async (_, _what, read, refusal) => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    fakeServer.on<Contract>(read, refusal);
    await within(await screen.findByRole("region", { name: "Avisos" })).findByText(generalText);
  });

  it("STM-015 shows why the balance could not be loaded, beside a loaded statement", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    fakeServer.on(readBalance, () => refuse("too_many_requests"));
    await table();
    const [toast, ...more] = await screen.findAllByText(/Muitas chamadas em pouco tempo/);
    expect(more).toEqual([]);
    expect(toast?.closest("[data-tone]")?.getAttribute("data-tone")).toBe("bad");
  });

  it("STM-017 STM-019 shows balance, waiting amount and the month's sum, and that opening + in − out = closing", async () => {
    answerWith([buildEntry()]);
    renderApp("/pagamentos/saldo");
    // On a day after the month, so the figure differs from its closing balance.
    fakeServer.on(readBalance, () => ({ value: 4_000_001, waiting_value: 1_234_055 }));
    const figure = (name: string) => within(screen.getByRole("region", { name }));
    await screen.findByText(/Confere: abertura/);
    await figure("Saldo disponível").findByText(/40\.000,01/);
    figure("Aguardando recebimento").getByText(/12\.340,55/);
    figure("Entradas − saídas no mês").getByText(/\+ R\$.6\.902,14/);
    expect(screen.getByText(/41\.308,23 \+ R\$.12\.902,14 − R\$.6\.000,00 = R\$.48\.210,37/)).toBeTruthy();
  });

  it("STM-017 raises an alert when the month does not add up", async () => {
    answerWith([buildEntry()], { afterBalance: 4_821_038 });
    renderApp("/pagamentos/saldo");
    expect((await screen.findByRole("alert")).textContent).toContain("A soma do mês não fecha");
  });
});
