/** Column widths as a browser draws them, with ordinary rows, in usual windows. */
import { createCheckpoint } from "@malote/contracts/company";
import { listPayins } from "@malote/contracts/payins";
import { depositPix, reportInfraction } from "@malote/contracts/simulator-payins";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { admin, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const windows = [1024, 1280, 1366, 1440];

/** Words of such cells of the statement that start on one line and end on another. */
const brokenWords = (page: Page, cells: string) =>
  page.getByRole("table", { name: "Extrato" }).evaluate((table, which) => {
    const broken: string[] = [];
    for (const cell of table.querySelectorAll(which)) {
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode())
        for (const { 0: word, index } of (text.textContent ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(text, index);
          range.setEnd(text, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
        }
    }
    return broken;
  }, cells);

/** Measures of a table: its own width and its frame's, and the width of each column. */
const drawn = (page: Page, caption: string) =>
  page.getByRole("table", { name: caption }).evaluate((table) => ({
    table: table.scrollWidth,
    frame: table.parentElement?.clientWidth ?? 0,
    columns: [...table.querySelectorAll("thead th")].map((cell) => cell.getBoundingClientRect().width),
    /** Cells whose text overflows them. */
    cut: [...table.querySelectorAll<HTMLElement>("tbody td, thead th")]
      .filter((cell) => cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => cell.textContent),
    ends: Math.max(
      ...[...table.querySelectorAll("thead th")].map((cell) => cell.getBoundingClientRect().right),
    ),
  }));

/** Visible text of the headings, without words that a style sheet hides. */
const headingsOf = (page: Page, caption: string) =>
  page.getByRole("table", { name: caption }).locator("thead th").allInnerTexts();

test("STM-005 MED-013 PAY-005 SHL-031 the statement shows its balance, the lists all their columns and the menu the open page, in each usual window", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  for (const [value, name] of [
    [1_000_00, "Mariana Teles Prado"],
    [25_000_00, "Indústria de Embalagens Santa Cecília do Norte Ltda"],
    [1_234_567_89, "Bruno Sales"],
  ] as const) {
    await asAdmin(depositPix, {
      body: { pix_key: "financeiro@aurora.example", value, payer_name: name },
    });
  }
  const pixOf = async () => (await asAdmin(listPayins, { query: { payment_type__in: ["pix_key"] } })).items;
  await expect.poll(async () => (await pixOf()).length).toBeGreaterThanOrEqual(3);
  const [received] = await pixOf();
  await asAdmin(reportInfraction, {
    body: { end_to_end_id: received?.end_to_end_id ?? "", situation_type: "account_takeover" },
  });
  await asAdmin(createCheckpoint, { body: { location: "HAS_ACCEPTED_INFRACTION_TERMS" } });

  await signIn(page, admin);
  for (const width of [761, 800, 1023, ...windows]) {
    await page.setViewportSize({ width, height: 768 });
    await test.step(`the statement at ${width} px`, async () => {
      await page.goto("/pagamentos/saldo");
      await expect(page.getByRole("table", { name: "Extrato" })).toContainText("Bruno Sales");
      const { table, frame, columns, ends, cut } = await drawn(page, "Extrato");
      expect(table).toBeLessThanOrEqual(frame);
      expect(ends).toBeLessThanOrEqual(width);
      expect(cut.filter((text) => /\d,\d\d/.test(text))).toEqual([]);
      expect(await brokenWords(page, "th, tbody td:first-child"), "dates and headings are whole").toEqual([]);
      if (width >= 1280) expect(await brokenWords(page, "tbody td:nth-child(3)")).toEqual([]);
      const weights = [13, 17, 7, 12, 12, 13, 15, 15];
      for (const [at, weight] of weights.entries())
        expect((columns[at] ?? 0) / table, `column ${at}`).toBeCloseTo(weight / 104, 2);
    });
  }
  await test.step("the whole menu of an admin from another page, with a shade at the edge of a low window", async () => {
    await page.goto("/pagamentos/lotes");
    const menu = page.getByRole("complementary", { name: "Menu principal" });
    const entries = menu.getByRole("link");
    await expect(entries.filter({ hasText: "Infrações e MED" })).toContainText(/\d/);
    for (const [width, height] of [
      [1280, 900],
      [1366, 768],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const entry of await entries.all()) await expect(entry).toBeInViewport({ ratio: 1 });
    }
    await page.setViewportSize({ width: 1280, height: 600 });
    await expect(entries.filter({ hasText: "Infrações e MED" })).not.toBeInViewport();
    const groups = menu.getByRole("navigation", { name: "Pagamentos", exact: true }).locator("..");
    await expect(groups).toHaveCSS("background-attachment", "local, local, scroll, scroll");
  });
  for (const width of windows) {
    await page.setViewportSize({ width, height: 768 });
    await test.step(`the contestations at ${width} px`, async () => {
      await page.goto("/contestacoes/infracoes");
      await expect(page.getByRole("table", { name: "Contestações" })).toContainText("Pendente");
      const { table, frame, ends, cut } = await drawn(page, "Contestações");
      expect(await headingsOf(page, "Contestações")).toEqual([
        "Data",
        "Prazo",
        "Pagador",
        "Documento",
        "ID Pix",
        "Valor",
        "Tipo",
        "Parecer",
        "Status",
      ]);
      // The menu's groups scroll on a low screen: the open page is visible with its badge.
      const entry = page.getByRole("link", { name: /^Infrações e MED/ });
      await expect(entry).toBeInViewport({ ratio: 1 });
      // Nine columns are wider than 1024 px beside the menu: the table scrolls inside its frame, and no
      // column is left out.
      if (width < 1280) return;
      expect(table).toBeLessThanOrEqual(frame);
      expect(ends).toBeLessThanOrEqual(width);
      expect(cut).toEqual([]);
    });
    await test.step(`the payins at ${width} px`, async () => {
      await page.goto("/recebimentos/recebiveis");
      await expect(page.getByRole("table", { name: "Recebimentos" })).toContainText("Bruno Sales");
      const { table, frame, ends } = await drawn(page, "Recebimentos");
      expect(await headingsOf(page, "Recebimentos")).toEqual([
        "Data",
        "Pagador",
        "Documento",
        "Método",
        "ID Pix",
        "Valor",
        "Status",
        "Devolver",
      ]);
      if (width < 1280) return;
      expect(table).toBeLessThanOrEqual(frame);
      expect(ends).toBeLessThanOrEqual(width);
    });
  }
});

test("SES-073 the amounts of the statement have their R$ on a phone, which shows no headings, and once on a screen", async ({
  page,
}) => {
  await signIn(page, admin);
  const amounts = page.getByRole("table", { name: "Extrato" }).locator("td[data-phone=end]");
  const shown = async (width: number) => {
    await page.setViewportSize({ width, height: 780 });
    await page.goto("/pagamentos/saldo");
    await expect(page.getByText("Saldo de fechamento")).toBeVisible();
    return amounts.allInnerTexts();
  };
  const onPhone = await shown(360);
  expect(onPhone.length).toBeGreaterThan(1);
  for (const text of onPhone) expect(text).toMatch(/^([+−] )?R\$\s[\d.]+,\d\d$/);
  const onScreen = await shown(1280);
  expect(onScreen).toEqual(onPhone.map((text) => text.replace(/R\$\s/, "")));
});
