/** Hundreds of failed payments on a phone: the rows in view are drawn. */
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { changeRails, readSimulator } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { admin, operator, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } });

const many = 160;
const name = "Folha de agosto";

/** Index of the payment in the middle of the screen, as drawn, and the scroll position of the batch. */
const inSight = (page: Page) =>
  page.evaluate(() => {
    const box = document.querySelector<HTMLElement>("[data-scroll]");
    const { left, top, width, height } = box?.getBoundingClientRect() ?? new DOMRect();
    const row = document.elementFromPoint(left + width / 2, top + height / 2)?.closest("li");
    return {
      list: row?.parentElement?.getAttribute("aria-label") ?? null,
      row: Number(row?.getAttribute("aria-posinset")),
      scrolled: box?.scrollTop ?? 0,
    };
  });

test("a long list of failures is drawn without a scroll, however much is unfolded above it", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  const asOperator = await actAs(server.url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 90_000_00 } });
  await asAdmin(changeRails, { body: { pix_latency_ms: 0, failure_percent: 100 } });
  const transfers = Array.from({ length: many }, (_, n) => ({
    value: 100_00 + n,
    destination_bank_account: {
      name: `Fornecedor ${n}`,
      pix_key_type: "EMAIL" as const,
      pix_key: `fornecedor${n}@exemplo.com.br`,
    },
  }));
  const { id } = await asOperator(createBatch, { body: { name, transfers } });
  await asAdmin(closeBatch, { params: { id }, body: {} });
  const failures = async () => (await asAdmin(readBatch, { params: { id } })).failed_count;
  await expect.poll(failures, { timeout: 60_000 }).toBe(many);

  await signIn(page, admin);
  await page.goto("/pagamentos/lotes");
  await page.getByRole("link", { name: "Ver as falhas" }).tap();
  const batch = page.getByRole("dialog", { name, exact: true });
  const panel = batch.getByRole("list", { name: "Falhas" });

  await test.step("the first failures are visible as the batch opens", async () => {
    await expect(panel.getByRole("listitem")).toHaveCount(10);
    await expect(panel.getByText("Fornecedor 0", { exact: true })).toBeInViewport();
    expect((await inSight(page)).scrolled).toBe(0);
  });

  await test.step("showing all payments keeps the scroll position", async () => {
    const all = batch.getByRole("button", { name: "Mostrar todas" });
    await all.scrollIntoViewIfNeeded();
    const before = await inSight(page);
    await all.tap();
    await expect(batch.getByText(`${many} transferências`, { exact: true })).toBeAttached();
    await expect.poll(() => inSight(page)).toMatchObject({ list: "Pagamentos do lote" });
    const after = await inSight(page);
    expect(Math.abs(after.scrolled - before.scrolled)).toBeLessThan(300);
    // The fiftieth row was the last; the rows shown now are around it.
    expect(Math.abs(after.row - 50)).toBeLessThan(10);
  });

  await test.step("a hundred failures unfolded above push the payments down, which are drawn there", async () => {
    const more = batch.getByRole("button", { name: /^Mostrar mais 10$/ });
    for (let shown = 10; shown < 100; shown += 10) {
      await expect(panel.getByRole("listitem")).toHaveCount(shown);
      await more.tap();
    }
    await expect(panel.getByRole("listitem")).toHaveCount(100);
    await batch.getByRole("search", { name: "Filtros dos pagamentos" }).scrollIntoViewIfNeeded();
    await page.evaluate(() => {
      const list = document.querySelector<HTMLElement>('ul[aria-label="Pagamentos do lote"]');
      list?.scrollIntoView({ block: "start" });
    });
    await expect.poll(() => inSight(page)).toMatchObject({ list: "Pagamentos do lote" });
    expect((await inSight(page)).row).toBeLessThan(10);
  });

  await test.step("BAT-037 the last row shows the last payment of the last page", async () => {
    const last = batch.getByRole("list", { name: "Pagamentos do lote" }).locator(`[aria-posinset="${many}"]`);
    await expect(async () => {
      await page.evaluate(() => {
        const box = document.querySelector("[data-scroll]");
        box?.scrollTo(0, box.scrollHeight);
      });
      await expect(last).toContainText("101,59", { timeout: 2_000 });
    }).toPass();
  });
});
