import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { type Home, readHome, type WorkItem } from "@malote/contracts/home";
import { depositBalance, readBalance } from "@malote/contracts/statement";
import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { testId } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { noteSystemTime } from "../ui/system-time.ts";

const approval: WorkItem = {
  kind: "approve_batch",
  id: testId(1),
  name: "Fornecedores semana 47",
  type: "TRANSFER",
  value: 63_183_14,
  due_at: null,
  payments_count: 50,
  created_by: "Rui Tavares",
};
const short: WorkItem = {
  kind: "fund_batch",
  id: testId(2),
  name: "Aluguéis",
  type: "TRANSFER",
  value: 60_550_92,
  due_at: null,
  payments_count: 3,
  missing: 12_340_55,
};
const failed: WorkItem = {
  kind: "resolve_failures",
  id: testId(3),
  name: "Serviços",
  type: "TRANSFER",
  value: 5_280_50,
  due_at: null,
  failed_count: 2,
};

let home: Home;
beforeEach(() => {
  home = { work: [approval, short, failed], count: 3, upcoming: [], paying: [] };
  fakeServer.on(readHome, () => home);
  fakeServer.on(listBatches, () => ({
    data: [],
    summary: { count: 0, value: 0 },
    metadata: { pagination: { itemsPerPage: 12, totalItems: 0 } },
  }));
  fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
  fakeServer.on(readBalance, () => ({ value: 48_210_37, waiting_value: 0, blocked_value: 0 }) as never);
  fakeServer.on(
    depositBalance,
    ({ body }) =>
      ({
        value: body.value,
        bank: "593",
        agency: "0001",
        account: "1",
        account_digit: "0",
        name: "Aurora",
        cpf_cnpj: "11222333000181",
        pix_key: "financeiro@aurora.example",
        pix_qrcode_emv_payload: `code of ${body.value}`,
      }) as never,
  );
});

const user = userEvent.setup();
const queue = async () => within(await screen.findByRole("region", { name: /^Para fazer agora/ }));

describe("the page", () => {
  it("names each item with its amount, and links to the place where it is done", async () => {
    renderApp("/inicio");
    const own = await queue();
    const items = own.getAllByRole("listitem").map(({ textContent }) => textContent?.replace(/\u00a0/g, " "));
    expect(items).toEqual([
      expect.stringMatching(
        /^Aprovar “Fornecedores semana 47”50 pagamentos · preparado por Rui TavaresR\$ 63\.183,14Revisar e aprovar$/,
      ),
      expect.stringMatching(/^Enviar o que falta para “Aluguéis”.*R\$ 12\.340,55Ver o lote/),
      expect.stringMatching(/^2 pagamentos falharam em “Serviços”.*R\$ 5\.280,50Resolver$/),
    ]);
    expect(own.getByRole("link", { name: /^Revisar e aprovar/ }).getAttribute("href")).toBe(
      `/pagamentos/lotes?lote=${testId(1)}`,
    );
  });

  it.each([
    [2, 0, "BILLET", /^Rascunho “Contas” com data que passou2 pagamentos fora do prazo.*Escolher datas$/],
    [
      3,
      1,
      "BILLET",
      /com data que passou3 pagamentos fora do prazo · 1 sem data que sirva, a excluir ou trocar.*Escolher datas$/,
    ],
    [
      2,
      2,
      "BILLET",
      /^Rascunho “Contas” com 2 boletos vencidosNenhuma data serve mais: exclua do lote ou troque por outros.*Excluir ou trocar$/,
    ],
    [1, 1, "TRANSFER", /com 1 código Pix vencidoNenhuma data serve mais: .* por outro.*Excluir ou trocar$/],
  ] as const)(
    "offers dates for %i late payments, of which none helps %i",
    async (late, unpayable, type, text) => {
      const draft = {
        kind: "choose_dates",
        id: testId(4),
        name: "Contas",
        value: 30_00,
        due_at: null,
      } as const;
      const counts = { late_count: late, unpayable_count: unpayable, since: null };
      home = { ...home, work: [{ ...draft, ...counts, type }], count: 1 };
      renderApp("/inicio");
      const item = (await queue()).getByRole("listitem");
      expect(item.textContent?.replace(/\u00a0/g, " ")).toMatch(text);
    },
  );

  it("offers the Pix code for exactly the missing amount of a batch", async () => {
    renderApp("/inicio");
    const own = await queue();
    await user.click(await own.findByRole("button", { name: /^Copiar código Pix de R\$.12\.340,55$/ }));
    expect(await navigator.clipboard.readText()).toBe("code of 1234055");
    expect(own.getByRole("button", { name: "Código copiado" })).toBeTruthy();
  });

  it("SES-072 opens with the day in words, and shows weekday and day under each bar, read aloud as a whole date", async () => {
    // The last minute of the day in São Paulo.
    noteSystemTime("2026-11-24T02:59:00Z");
    onTestFinished(() => noteSystemTime(new Date().toISOString()));
    const upcoming = [
      { date: "2026-11-23", reserved: 70_00, unfunded: 0 },
      { date: "2026-12-02", reserved: 0, unfunded: 30_00 },
    ];
    home = { ...home, upcoming };
    renderApp("/inicio");
    const part = (await screen.findByText("Sai nos próximos 7 dias")).closest("section") as HTMLElement;
    const days = within(part).getAllByRole("listitem");
    expect(days.map(({ textContent }) => textContent?.replace(/\u00a0/g, " "))).toEqual([
      "23/11/2026: R$ 70,00 já reservado, R$ 0,00 sem saldo aindaseg23",
      "02/12/2026: R$ 0,00 já reservado, R$ 30,00 sem saldo aindaqua02",
    ]);
    screen.getByText("Segunda-feira, 23 de novembro · dia útil bancário");
  });

  it.each(["admin", "operator", "analyst"] as const)(
    "BAT-013 SES-008 offers a new batch and the import to people who may start one, here as an %s",
    async (profile) => {
      renderApp("/inicio", { session: { profile } });
      await queue();
      const main = within(screen.getByRole("main"));
      const mayStart = profile !== "analyst";
      expect(main.queryByRole("button", { name: "Novo lote" }) !== null).toBe(mayStart);
      expect(main.queryByRole("link", { name: "Importar planilha" }) !== null).toBe(mayStart);
    },
  );

  it("reports that nothing waits, and names other things to do", async () => {
    home = { ...home, work: [], count: 0 };
    renderApp("/inicio");
    expect(await screen.findByRole("heading", { name: "Nada espera por você" })).toBeTruthy();
  });

  it("reports a failed read in place of an empty queue, and retries", async () => {
    fakeServer.on(readHome, () => refuse("internal"));
    renderApp("/inicio");
    expect(await screen.findByText("Não foi possível carregar o que há para fazer")).toBeTruthy();
    fakeServer.on(readHome, () => home);
    await user.click(screen.getByRole("button", { name: /Tentar de novo/ }));
    await queue();
  });
});

describe("above the batches", () => {
  it("the queue is folded until it is opened, and keeps that state", async () => {
    renderApp("/pagamentos/lotes");
    const summary = (await screen.findByText("Para fazer agora")).closest("summary");
    expect(summary?.textContent).toBe("Para fazer agora 3 itens");
    expect(screen.queryByText(/^Aprovar “/)).toBeNull();
    await user.click(summary as HTMLElement);
    expect(await screen.findByText(/^Aprovar “/)).toBeTruthy();
    expect(localStorage.getItem("malote.work-band")).toBe("open");
  });

  it("is hidden when nothing waits", async () => {
    home = { ...home, work: [], count: 0 };
    renderApp("/pagamentos/lotes");
    await screen.findByRole("heading", { name: "Seus lotes" });
    expect(screen.queryByText("Para fazer agora")).toBeNull();
  });
});

it("is the first entry of the menu, and the target of the logo", async () => {
  renderApp("/pagamentos/lotes");
  const menu = within(await screen.findByRole("complementary", { name: "Menu principal" }));
  const links = menu.getAllByRole("link").map((link) => link.getAttribute("href"));
  expect(links.slice(0, 3)).toEqual(["/inicio", "/inicio", "/pagamentos/lotes"]);
});
