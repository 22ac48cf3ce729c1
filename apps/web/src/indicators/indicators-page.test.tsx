import {
  readCountByStatus,
  readDistributionPerBank,
  readFailedPerStatusDescription,
  readQuantityPerDay,
  readQuantityPerMonth,
} from "@malote/contracts/indicators";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { generalText } from "../shell/call.ts";
import { fakeServer, refuse, refuseWithoutCode } from "../testing/fake-server.ts";
import { renderApp } from "../testing/render-app.tsx";
import { toast } from "../ui/toasts.tsx";

const titles = [
  "Pagamentos por mês",
  "Pagamentos por dia",
  "Pagamentos por banco",
  "Falhas por banco",
  "Finalizado x Devolvido",
  "Principais motivos de falhas",
];
const calls = [
  readQuantityPerMonth,
  readQuantityPerDay,
  readDistributionPerBank,
  readCountByStatus,
  readFailedPerStatusDescription,
];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T15:00:00Z") });
  fakeServer.on(readQuantityPerMonth, () => ({ data: [{ date: "2026-11-01", quantity: 7 }] }));
  fakeServer.on(readQuantityPerDay, () => ({
    data: [
      { date: "2026-11-19", quantity: 3 },
      { date: "2026-11-20", quantity: 4 },
      { date: "2026-11-21", quantity: 0 },
    ],
  }));
  fakeServer.on(readDistributionPerBank, ({ query }) => ({
    data:
      query["status"] === "finished"
        ? [
            { name: "Itaú Unibanco", percentage: 57.14, quantity: 4 },
            { name: "Pix por chave", percentage: 28.57, quantity: 2 },
          ]
        : [{ name: "Inter", percentage: 100, quantity: 1 }],
  }));
  fakeServer.on(readCountByStatus, () => ({ finished: 6, returned: 1 }));
  fakeServer.on(readFailedPerStatusDescription, () => ({
    data: [{ description: "Chave PIX não encontrada.", percentage: 100, quantity: 2 }],
  }));
});

const card = (title: string) => within(screen.getByRole("region", { name: title }));
const drawn = (title: string) => screen.findByRole("img", { name: new RegExp(`^${title}\\. `) });
const openTable = async (user: ReturnType<typeof userEvent.setup>, title: string) => {
  await user.click(await screen.findByRole("button", { name: `Ver como tabela: ${title}` }));
  return within(screen.getByRole("table", { name: title }))
    .getAllByRole("row")
    .map((row) => [...row.querySelectorAll("th, td")].map((cell) => cell.textContent));
};

describe("the indicators", () => {
  it("IND-001 shows six cards, each a chart of its kind", async () => {
    renderApp("/pagamentos/indicadores");
    await screen.findByRole("heading", { level: 1, name: "Indicadores" });
    const kinds = [
      "Gráfico de barras",
      "Gráfico de linha",
      "Gráfico de rosca",
      "Gráfico de barras empilhadas",
      "Gráfico de rosca",
      "Gráfico de rosca",
    ];
    for (const [index, title] of titles.entries())
      expect((await drawn(title)).getAttribute("aria-label")).toContain(`${title}. ${kinds[index]}. `);
    expect(screen.getAllByRole("heading", { level: 2 }).map((heading) => heading.textContent)).toEqual(
      titles,
    );
  });

  it("IND-002 IND-005 IND-006 IND-007 IND-008 IND-009 requests the current month, each call with its own parameters", async () => {
    renderApp("/pagamentos/indicadores");
    for (const title of titles) await drawn(title);
    const period = { startDate: "2026-11-01", endDate: "2026-11-30" };
    const asked = (contract: (typeof calls)[number]) => fakeServer.calls(contract).map(({ query }) => query);
    expect(asked(readQuantityPerMonth)).toEqual([{ ...period, status: "finished,transferred" }]);
    expect(asked(readQuantityPerDay)).toEqual([{ ...period, status: "finished,transferred" }]);
    expect(asked(readDistributionPerBank)).toEqual([
      { ...period, status: "finished" },
      { ...period, status: "returned" },
    ]);
    expect(asked(readCountByStatus)).toEqual([{ ...period, status: "finished,returned" }]);
    expect(asked(readFailedPerStatusDescription)).toEqual([period]);
    screen.getByText("Pagamentos de novembro de 2026");
  });

  it.each([
    ["2026-12-01T02:59:00Z", "2026-11-01"],
    ["2026-12-01T03:01:00Z", "2026-12-01"],
  ])("IND-002 takes the month from the clock of São Paulo: at %s from %s", async (now, startDate) => {
    vi.setSystemTime(new Date(now));
    renderApp("/pagamentos/indicadores");
    await waitFor(() => expect(fakeServer.calls(readCountByStatus)[0]?.query).toMatchObject({ startDate }));
  });

  it.each([
    ["de=2026-13&ate=x", "2026-11-01", "2026-11-30"],
    ["ate=2026-12", "2026-11-01", "2026-12-31"],
    ["de=2026-10", "2026-10-01", "2026-11-30"],
  ])(
    "IND-002 takes the current month for an end that '%s' does not name",
    async (search, startDate, endDate) => {
      renderApp(`/pagamentos/indicadores?${search}`);
      await drawn("Pagamentos por mês");
      expect(fakeServer.calls(readCountByStatus).map(({ query }) => query)).toMatchObject([
        { startDate, endDate },
      ]);
    },
  );

  it("IND-001 keeps the chosen months in the address, and Back restores the earlier ones", async () => {
    const user = userEvent.setup();
    const app = renderApp("/pagamentos/indicadores");
    await user.click(await screen.findByRole("button", { name: "Mês inicial: novembro de 2026" }));
    await user.click(screen.getByRole("button", { name: "março de 2026" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/indicadores?de=2026-03"));
    await waitFor(() =>
      expect(fakeServer.calls(readCountByStatus).at(-1)?.query).toMatchObject({
        startDate: "2026-03-01",
        endDate: "2026-11-30",
      }),
    );
    await screen.findByText("De março de 2026 a novembro de 2026");
    await user.click(screen.getByRole("button", { name: "Mês final: novembro de 2026" }));
    await user.click(screen.getByRole("button", { name: "maio de 2026" }));
    await waitFor(() => expect(app.address()).toBe("/pagamentos/indicadores?de=2026-03&ate=2026-05"));
    await waitFor(() =>
      expect(fakeServer.calls(readCountByStatus).at(-1)?.query).toMatchObject({
        startDate: "2026-03-01",
        endDate: "2026-05-31",
      }),
    );
    app.history.back();
    await screen.findByText("De março de 2026 a novembro de 2026");
    app.history.back();
    await screen.findByText("Pagamentos de novembro de 2026");
  });

  it.each([
    ["de=2025-11&ate=2026-11", "Período selecionado deve ser menor que 1 ano."],
    ["de=2026-12&ate=2026-11", "Período selecionado deve ser maior que 1 dia."],
  ])(
    "IND-003 IND-004 explains why the period %s is refused, and requests nothing",
    async (search, sentence) => {
      const user = userEvent.setup();
      renderApp(`/pagamentos/indicadores?${search}`);
      expect((await screen.findByRole("alert")).textContent).toContain(sentence);
      for (const contract of calls) expect(fakeServer.calls(contract)).toEqual([]);
      await user.click(screen.getByRole("button", { name: "Ver o mês atual" }));
      await drawn("Pagamentos por mês");
      expect(screen.queryByText(sentence)).toBeNull();
    },
  );

  it("IND-003 accepts twelve whole months", async () => {
    renderApp("/pagamentos/indicadores?de=2025-12&ate=2026-11");
    await drawn("Pagamentos por mês");
  });

  it("IND-010 IND-011 IND-013 every chart has the same numbers as a table, a choice kept in the address", async () => {
    const user = userEvent.setup();
    const app = renderApp("/pagamentos/indicadores");
    expect(await openTable(user, "Pagamentos por mês")).toEqual([
      ["Mês", "Pagamentos"],
      ["novembro de 2026", "7"],
    ]);
    expect(await openTable(user, "Pagamentos por dia")).toEqual([
      ["Dia", "Pagamentos"],
      ["19/11/2026", "3"],
      ["20/11/2026", "4"],
    ]);
    expect(await openTable(user, "Pagamentos por banco")).toEqual([
      ["Banco", "Pagamentos", "Percentual"],
      ["Itaú Unibanco", "4", "66,67%"],
      ["Pix por chave", "2", "33,33%"],
    ]);
    expect(await openTable(user, "Falhas por banco")).toEqual([
      ["Banco", "Finalizados", "Devolvidos"],
      ["Inter", "0", "1"],
      ["Itaú Unibanco", "4", "0"],
      ["Pix por chave", "2", "0"],
    ]);
    expect(await openTable(user, "Finalizado x Devolvido")).toEqual([
      ["Situação", "Pagamentos", "Percentual"],
      ["Finalizado", "6", "85,71%"],
      ["Devolvido", "1", "14,29%"],
    ]);
    expect(await openTable(user, "Principais motivos de falhas")).toEqual([
      ["Motivo", "Pagamentos com falha", "Percentual"],
      ["Chave PIX não encontrada.", "2", "100,00%"],
    ]);
    expect(app.address()).toContain("tabela=");
    await user.click(screen.getByRole("button", { name: "Ver como gráfico: Pagamentos por dia" }));
    await drawn("Pagamentos por dia");
    expect(screen.queryByRole("table", { name: "Pagamentos por dia" })).toBeNull();
    expect(screen.getByRole("table", { name: "Pagamentos por mês" })).toBeTruthy();
  });

  it("IND-013 a legend names each slice with its number, and cuts a long reason", async () => {
    renderApp("/pagamentos/indicadores");
    await drawn("Principais motivos de falhas");
    const reasons = card("Principais motivos de falhas");
    reasons.getByText("Chave PIX...");
    reasons.getByText("100,00%");
    const banks = card("Pagamentos por banco").getAllByRole("listitem");
    expect(banks.map((line) => line.textContent)).toEqual(["Itaú Unibanco466,67%", "Pix por chave233,33%"]);
    const series = card("Falhas por banco").getAllByRole("listitem");
    expect(series.map((line) => line.textContent)).toEqual(["Finalizados", "Devolvidos"]);
  });

  it("IND-014 SES-071 a card without data shows a drawing and 'Sem dados a exibir'", async () => {
    fakeServer.on(readQuantityPerMonth, () => ({ data: [{ date: "2026-11-01", quantity: 0 }] }));
    fakeServer.on(readQuantityPerDay, () => ({ data: [{ date: "2026-11-01", quantity: 0 }] }));
    fakeServer.on(readDistributionPerBank, () => ({ data: [] }));
    fakeServer.on(readCountByStatus, () => ({ finished: 0, returned: 0 }));
    fakeServer.on(readFailedPerStatusDescription, () => ({ data: [] }));
    renderApp("/pagamentos/indicadores");
    expect(await screen.findAllByText("Sem dados a exibir")).toHaveLength(6);
    for (const title of titles) {
      const empty = screen.getByRole("region", { name: title });
      expect(empty.querySelector("svg"), title).toBeTruthy();
      expect(empty.querySelector("canvas"), title).toBeNull();
      expect(within(empty).queryByRole("button"), title).toBeNull();
    }
  });

  it("IND-015 shows why a call failed, shows its cards as empty, and retries", async () => {
    const user = userEvent.setup();
    fakeServer.on(readDistributionPerBank, () => refuse("too_many_requests"));
    fakeServer.on(readCountByStatus, () => refuse("internal"));
    renderApp("/pagamentos/indicadores");
    await screen.findByText(/Muitas chamadas em pouco tempo/);
    await screen.findByText(/Ops, ocorreu um erro/);
    for (const title of ["Pagamentos por banco", "Falhas por banco", "Finalizado x Devolvido"])
      await card(title).findByText("Sem dados a exibir");
    await drawn("Pagamentos por mês");
    fakeServer.on(readCountByStatus, () => ({ finished: 5, returned: 0 }));
    await user.click(screen.getByRole("button", { name: "Tentar de novo: Finalizado x Devolvido" }));
    await drawn("Finalizado x Devolvido");
    card("Pagamentos por banco").getByText("Sem dados a exibir");
  });

  it.each([
    ["months", readQuantityPerMonth, undefined, ["Pagamentos por mês"]],
    ["days", readQuantityPerDay, undefined, ["Pagamentos por dia"]],
    [
      "banks that were paid",
      readDistributionPerBank,
      "finished",
      ["Pagamentos por banco", "Falhas por banco"],
    ],
    ["banks that returned", readDistributionPerBank, "returned", ["Falhas por banco"]],
    ["finished and returned", readCountByStatus, undefined, ["Finalizado x Devolvido"]],
    ["reasons", readFailedPerStatusDescription, undefined, ["Principais motivos de falhas"]],
  ] as const)(
    "IND-015 a failed call for the %s shows a toast, and only its cards as empty",
    async (_what, contract, status, empty) => {
      fakeServer.on(contract as typeof readDistributionPerBank, ({ query }) =>
        status === undefined || query["status"] === status
          ? refuse("too_many_requests")
          : { data: [{ name: "Inter", percentage: 100, quantity: 1 }] },
      );
      renderApp("/pagamentos/indicadores");
      await screen.findByText(/^Muitas chamadas em pouco tempo/);
      for (const title of titles)
        if ((empty as readonly string[]).includes(title)) await card(title).findByText("Sem dados a exibir");
        else await drawn(title);
      expect(screen.getAllByText("Sem dados a exibir")).toHaveLength(empty.length);
    },
  );

  it.each(["without a word", "of another system"])(
    "IND-015 a failure without a code of ours shows the general sentence: %s",
    async (what) => {
      fakeServer.on(readCountByStatus, () => refuseWithoutCode());
      const before = fetch;
      if (what === "of another system")
        vi.stubGlobal("fetch", (...[input, init]: Parameters<typeof fetch>) =>
          String(input).includes("countByStatus")
            ? Promise.resolve(Response.json({ message: "upstream said no" }, { status: 418 }))
            : before(input, init),
        );
      renderApp("/pagamentos/indicadores");
      await screen.findByText(generalText);
      await card("Finalizado x Devolvido").findByText("Sem dados a exibir");
      expect(screen.queryByText(/upstream/)).toBeNull();
    },
  );

  it("IND-015 a second failure shows a toast of its own, and a later visit repeats none", async () => {
    const said = vi.spyOn(toast, "bad");
    const app = renderApp("/pagamentos/indicadores");
    await drawn("Finalizado x Devolvido");
    const failing = async (
      contract: typeof readDistributionPerBank | typeof readCountByStatus,
      key: string,
    ) => {
      fakeServer.on(contract, () => refuse(key === "bank" ? "too_many_requests" : "internal"));
      await app.queryClient.refetchQueries({ queryKey: ["indicators", key] });
    };
    await failing(readDistributionPerBank, "bank");
    await waitFor(() => expect(said).toHaveBeenCalledTimes(1));
    await failing(readCountByStatus, "status");
    await waitFor(() => expect(said).toHaveBeenCalledTimes(2));
    expect(said.mock.calls.map(([text]) => text)).toEqual([
      expect.stringMatching(/^Muitas chamadas em pouco tempo/),
      expect.stringMatching(/^Ops, ocorreu um erro/),
    ]);
    await app.router.navigate({ href: "/acesso-negado" });
    await screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });
    await app.router.navigate({ href: "/pagamentos/indicadores" });
    await drawn("Pagamentos por mês");
    expect(said).toHaveBeenCalledTimes(2);
    said.mockRestore();
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "SHL-028 the menu links to it, for %s too",
    async (profile) => {
      renderApp("/pagamentos/indicadores", { session: { profile } });
      const menu = within(await screen.findByRole("navigation", { name: "Pagamentos" }));
      expect(menu.getByRole("link", { name: "Indicadores" }).getAttribute("href")).toBe(
        "/pagamentos/indicadores",
      );
      await drawn("Pagamentos por mês");
      const labels = menu.getAllByRole("link").map((link) => link.textContent);
      expect(labels.includes("Importação")).toBe(profile !== "analyst");
      if (profile !== "analyst") expect(labels.indexOf("Indicadores")).toBe(labels.indexOf("Importação") + 1);
    },
  );
});
