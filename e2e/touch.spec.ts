/** On a phone every control is large enough for a finger, and announcements leave room for the page. */
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { changeRails, raiseClaim, readSimulator } from "@malote/contracts/simulator";
import { announceNotice, showNotices } from "@malote/contracts/simulator-installation";
import { depositPix } from "@malote/contracts/simulator-payins";
import { awaitsOurAnswer } from "@malote/domain/own-pix-key";
import type { Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { faultsOf } from "./drawn.ts";
import { admin, followNoChanges, operator, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

/** WCAG 2.5.5: CSS pixels, in both directions. */
const targetMin = 44;

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } });

/**
 * Returns controls that are too small, measured in the browser: from the middle of each control in the topmost dialog
 * or the page, the distance in four directions that still hits it. Links in running text are as high as their line.
 */
const smallTargets = (page: Page) =>
  page.evaluate((least) => {
    const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
    const controls =
      "button, a[href], input:not([type=hidden], [type=file]), select, [role=menuitem], [role=tab], [role=option]";
    const found = new Set<string>();
    for (const control of root.querySelectorAll<HTMLElement>(controls)) {
      if (!control.checkVisibility({ visibilityProperty: true, opacityProperty: false })) continue;
      const isInText =
        control.matches("a, button") &&
        getComputedStyle(control).display === "inline" &&
        control.parentElement?.textContent?.trim() !== control.textContent?.trim();
      if (isInText) continue;
      const label = control.closest("label");
      const pressed = control.matches("input[type=checkbox], input[type=radio]") && label ? label : control;
      pressed.scrollIntoView({ block: "center", inline: "center" });
      const { left, right, top, bottom } = pressed.getBoundingClientRect();
      if (right - left <= 1.5 || right <= 0 || left >= document.documentElement.clientWidth) continue;
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const isPressedAt = (atX: number, atY: number) => {
        const hit = document.elementFromPoint(atX, atY);
        return hit !== null && (pressed.contains(hit) || hit.closest("label")?.control === control);
      };
      // Covered here, for example by the bar of a dialog; it is measured at another scroll position.
      if (!isPressedAt(x, y)) continue;
      const reach = (stepX: number, stepY: number) => {
        let far = 0;
        while (far < least && isPressedAt(x + stepX * (far + 1), y + stepY * (far + 1))) far++;
        return far;
      };
      const wide = reach(-1, 0) + reach(1, 0) + 1;
      const high = reach(0, -1) + reach(0, 1) + 1;
      if (wide < least - 1 || high < least - 1) {
        const name = control.getAttribute("aria-label") ?? label?.textContent ?? control.textContent ?? "";
        found.add(`${control.tagName.toLowerCase()} "${name.trim().slice(0, 60)}": ${wide} x ${high}`);
      }
    }
    return [...found];
  }, targetMin);

const receiver = { name: "Ana Lima", pix_key_type: "EMAIL" as const, pix_key: "ana@exemplo.com.br" };

type Person = Awaited<ReturnType<typeof actAs>>;

/** A batch whose only payment fails. */
async function closeFailing(asAdmin: Person, asOperator: Person): Promise<void> {
  await asAdmin(changeRails, { body: { pix_latency_ms: 0, failure_percent: 100 } });
  const transfers = [{ value: 100_00, destination_bank_account: receiver }];
  const { id } = await asOperator(createBatch, {
    body: { name: "Fornecedores da segunda quinzena", transfers },
  });
  await asAdmin(closeBatch, { params: { id }, body: {} });
  await expect.poll(async () => (await asAdmin(readBatch, { params: { id } })).failed_count).toBe(1);
}

const pages = [
  ["home", "/inicio"],
  ["batches", "/pagamentos/lotes"],
  ["balance", "/pagamentos/saldo"],
  ["receivers", "/pagamentos/recebedores"],
  ["transfers", "/pagamentos/transferencias"],
  ["import", "/pagamentos/importacao-de-planilha"],
  ["indicators", "/pagamentos/indicadores"],
  ["users", "/minha-empresa/usuarios"],
  ["controls", "/minha-empresa/controles"],
  ["limits", "/minha-empresa/limites"],
  ["audit trail", "/minha-empresa/trilha-de-auditoria"],
  ["security", "/minha-conta/seguranca"],
] as const;

test("every control has 44 pixels for a finger", async ({ page, server }) => {
  const asAdmin = await actAs(server.url, admin);
  const asOperator = await actAs(server.url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 9_000_00 } });
  const transfers = [1, 2, 3].map((n) => ({
    value: 100_00 + n,
    destination_bank_account: {
      name: `Fornecedor ${n}`,
      pix_key_type: "EMAIL" as const,
      pix_key: `fornecedor${n}@exemplo.com.br`,
    },
  }));
  const { id } = await asOperator(createBatch, { body: { name: "Fornecedores", transfers } });
  await followNoChanges(page);
  await signIn(page, admin);
  for (const [what, path] of pages) {
    await test.step(what, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("networkidle");
      // A hint of the first visit lies over the page.
      const hint = page.getByRole("group", { name: "Dica" });
      if (await hint.isVisible()) await hint.getByRole("button", { name: "Entendi" }).click();
      expect.soft(await smallTargets(page), what).toEqual([]);
    });
  }
  await test.step("a draft", async () => {
    await page.goto(`/pagamentos/lotes?lote=${id}`);
    await expect(page.getByRole("dialog", { name: "Fornecedores" })).toBeVisible();
    await page.waitForLoadState("networkidle");
    expect.soft(await smallTargets(page), "a draft").toEqual([]);
  });
  await test.step("the menu", async () => {
    await page.goto("/pagamentos/lotes");
    await page.getByRole("button", { name: "Abrir menu" }).click();
    await expect(page.getByRole("link", { name: "Importação" })).toBeVisible();
    expect.soft(await smallTargets(page), "the menu").toEqual([]);
  });
});

test("an announcement takes two lines on a phone, and is clickable everywhere", async ({ page, server }) => {
  const asAdmin = await actAs(server.url, admin);
  const asOperator = await actAs(server.url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 9_000_00 } });
  await closeFailing(asAdmin, asOperator);

  await signIn(page, admin);
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 780 });
    await page.goto("/pagamentos/lotes");
    const link = page.getByRole("link", { name: "Ver as falhas" });
    await expect(link).toBeVisible();
    const banner = await page
      .getByText(/^1 pagamento falhou/)
      .locator("..")
      .locator("..")
      .boundingBox();
    expect(banner!.height).toBeGreaterThanOrEqual(targetMin);
    expect(banner!.height).toBeLessThanOrEqual(60);
    // Three announcements leave most of the screen to the page, which begins with the folded queue of work.
    const work = await page.locator("summary", { hasText: "Para fazer agora" }).boundingBox();
    expect(work!.y - banner!.y).toBeLessThanOrEqual(80);
    const title = await page.getByRole("heading", { level: 1 }).boundingBox();
    expect(title!.y - work!.y).toBeLessThanOrEqual(70);
    await page.touchscreen.tap(banner!.x + 10, banner!.y + 10);
    await expect(page.getByRole("dialog", { name: /^Fornecedores da segunda/ })).toBeVisible();
  }
});

test("SHL-050 SHL-057 SHL-059 three simultaneous announcements are fully readable on a phone, and a finger closes the closable one", async ({
  page,
  server,
}) => {
  const asAdmin = await actAs(server.url, admin);
  const asOperator = await actAs(server.url, operator);
  const [company] = (await asAdmin(readSimulator)).companies;
  await asAdmin(depositPix, { body: { pix_key: company!.pix_key, value: 9_000_00 } });
  await asAdmin(raiseClaim, { body: { key: company!.pix_key, kind: "PORTABILITY" } });
  await asAdmin(showNotices, { body: { shows: true } });
  await asAdmin(announceNotice, {
    body: {
      kind: "incident",
      name: "Os comprovantes de Pix enviados depois das 18h podem demorar até uma hora para aparecer na tela, e os de TED até amanhã de manhã",
      link: `${server.url}/simulador`,
    },
  });
  await closeFailing(asAdmin, asOperator);
  const isClaimed = async () =>
    (await asAdmin(listPixKeys)).data.some(({ status }) => awaitsOurAnswer(status));
  await expect.poll(isClaimed, { timeout: 30_000 }).toBe(true);

  await signIn(page, admin);
  const close = page.getByRole("button", { name: "Fechar aviso de chave Pix" });
  const main = page.getByRole("main");
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 780 });
    await page.goto("/pagamentos/lotes");
    await expect(close).toBeVisible();
    await expect(page.getByRole("link", { name: "Ver as falhas" })).toBeVisible();
    await expect(page.getByRole("link", { name: "Ver status" })).toBeVisible();
    expect(await faultsOf(page), `at ${width} px`).toEqual([]);
    expect(await smallTargets(page), `at ${width} px`).toEqual([]);
    const work = page.locator("summary", { hasText: "Para fazer agora" });
    await expect(work).toBeVisible();
    const top = (await main.boundingBox())!.y;
    expect((await work.boundingBox())!.y - top, `what they take at ${width} px`).toBeLessThanOrEqual(300);
    await close.tap();
    await expect(close).toBeHidden();
    await expect(page).toHaveURL(/\/pagamentos\/lotes$/);
  }
  // Their links have the colour of the text around them.
  await page.reload();
  const [words, link] = await Promise.all(
    [page.getByText(/^Identificamos/), page.getByRole("link", { name: "Clique aqui" })].map((one) =>
      one.evaluate((element) => getComputedStyle(element).color),
    ),
  );
  expect(link).toBe(words);
});
