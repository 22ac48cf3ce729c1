/**
 * Layers above a page in a real browser: nothing clips them, the page behind is inert, and one tap closes one layer.
 */
import { createBatch } from "@malote/contracts/batches";
import type { Locator, Page } from "@playwright/test";
import { actAs } from "./api.ts";
import { walkTo } from "./keys.ts";
import { admin, openBatch, operator, signIn } from "./steps.ts";
import { expect, test } from "./test.ts";

const name = "Folha com erros";

/** A draft whose receivers all lack an existing bank. */
async function draftWithErrors(url: string, count: number): Promise<void> {
  const asOperator = await actAs(url, operator);
  const transfers = Array.from({ length: count }, (_, n) => ({
    value: 100_00 + n,
    destination_bank_account: {
      name: `Fornecedor ${n}`,
      cpf_cnpj: "11222333000181",
      bank_id: "99999999",
      agency: "1234",
      account: `${56780 + n}`,
      account_digit: "7",
      account_type: "CONTA_CORRENTE" as const,
    },
  }));
  await asOperator(createBatch, { body: { name, transfers } });
}

const boxOf = async (locator: Locator) => {
  const box = await locator.boundingBox();
  if (!box) throw new Error("it is not drawn");
  return box;
};

/** Element that a click in the middle of it would reach. */
const isOnTop = (locator: Locator) =>
  locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return hit !== null && element.contains(hit);
  });

const openHelp = async (page: Page) => {
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Atalhos do teclado" });
  await expect(help).toBeVisible();
  return help;
};

test("a list of banks opens at its field, within a long list of payments", async ({ page, server }) => {
  await draftWithErrors(server.url, 300);
  await page.setViewportSize({ width: 1280, height: 800 });
  await signIn(page, operator);
  const batch = await openBatch(page, name);
  const correction = batch.getByRole("form", { name: /^Corrigir o pagamento de / }).first();
  const field = correction.getByRole("combobox", { name: "Banco", exact: true });
  await field.click();
  const list = page.getByRole("listbox");
  await expect(list).toBeVisible();
  await expect(list.getByRole("option").first()).toBeInViewport();
  const [at, below] = [await boxOf(field), await boxOf(list)];
  const gap = Math.min(Math.abs(below.y - (at.y + at.height)), Math.abs(at.y - (below.y + below.height)));
  expect(gap, "pixels between the field and its list").toBeLessThan(16);
  expect(Math.abs(below.x - at.x)).toBeLessThan(8);
  expect(await isOnTop(list.getByRole("option").first())).toBe(true);

  await test.step("narrowed to nothing and widened again, the list returns to its height", async () => {
    const high = (await boxOf(list)).height;
    await field.fill("zzzzzz");
    await expect(list).toBeHidden();
    await field.fill("b");
    await expect.poll(async () => (await boxOf(list)).height).toBeGreaterThanOrEqual(Math.min(high, 200));
  });

  await test.step("a click outside closes only the list", async () => {
    await page.mouse.click(4, 400);
    await expect(list).toBeHidden();
    await expect(batch).toBeVisible();
  });
});

test("a form that the browser closes by itself reopens with its question and what was typed", async ({
  page,
  server,
}) => {
  await draftWithErrors(server.url, 1);
  await signIn(page, operator);
  const batch = await openBatch(page, name);
  await batch.getByRole("button", { name: "Adicionar pagamento" }).click();
  const form = page.getByRole("dialog", { name: "Criar novo pagamento" });
  await form.getByLabel("Nome ou razão social").fill("Ana Lima");
  // A third back gesture closes the dialog, and no page can prevent it.
  await page.evaluate(() => [...document.querySelectorAll("dialog")].at(-1)?.close());
  await page.getByRole("button", { name: "Continuar preenchendo" }).click();
  await expect(form.getByLabel("Nome ou razão social")).toHaveValue("Ana Lima");
  await expect(form).toBeVisible();
  expect(await isOnTop(form.getByLabel("Nome ou razão social"))).toBe(true);

  await test.step("above a batch, only the form is printed", async () => {
    await page.emulateMedia({ media: "print" });
    await expect(batch).toBeHidden();
    await expect(form).toBeVisible();
  });
});

test("the page behind a dialog is inert, its messages are reachable, and Escape closes one layer after another", async ({
  page,
  server,
}) => {
  await draftWithErrors(server.url, 2);
  await signIn(page, operator);
  const batch = await openBatch(page, name);
  const isReachable = () =>
    page.evaluate(() => {
      const link = document.querySelector<HTMLElement>("#root a[href]");
      link?.focus();
      return document.activeElement === link;
    });
  expect(await isReachable()).toBe(false);

  await batch.getByRole("button", { name: "Mais ações" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(batch).toBeVisible();

  await batch.getByLabel("Nome do lote").fill("Folha de novembro");
  await batch.getByRole("button", { name: "Salvar rascunho" }).click();
  const message = page.getByRole("region", { name: "Avisos", exact: true }).getByText(/\p{L}/u).first();
  await expect(message).toBeVisible();
  // Under the pointer the message stays, and its button closes it, also while a dialog is open.
  const { x, y } = await boxOf(message);
  await page.mouse.move(x + 5, y + 5);
  const close = page.getByRole("button", { name: "Fechar aviso" });
  expect(await isOnTop(close)).toBe(true);
  await walkTo(close);
  await page.keyboard.press("Enter");
  await expect(close).toBeHidden();

  const renamed = page.getByRole("dialog", { name: "Folha de novembro" });
  await renamed.getByRole("button", { name: "Salvar rascunho" }).click();
  await expect(close).toBeVisible();
  await page.mouse.move(900, 20);
  // The previous message was closed with the focus on it; this one still disappears by itself.
  await expect(close).toBeHidden();
});

test("a click that begins inside a dialog and ends outside closes nothing", async ({ page }) => {
  await signIn(page, admin);
  const address = page.url();
  const help = await openHelp(page);
  const { x, y } = await boxOf(help.getByRole("heading"));
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  await page.mouse.move(10, 10);
  await page.mouse.up();
  await expect(help).toBeVisible();
  await page.mouse.click(10, 10);
  await expect(help).toBeHidden();
  expect(page.url()).toBe(address);
});

test("every control shows its focus with forced colours", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await signIn(page, admin);
  // The sign-in page has a heading too; an admin without a second factor lands on the account.
  await expect(page.getByRole("heading", { level: 1, name: "Minha conta" })).toBeVisible();
  let stops = 0;
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    const drawn = await page.evaluate(() => {
      const at = document.activeElement as HTMLElement;
      // After the last control the focus passes through the browser's own.
      if (at === document.body) return undefined;
      const marks = [at, at.nextElementSibling, at.parentElement, ...at.querySelectorAll("*")].filter(
        (one) => one !== null,
      );
      const styles = [...marks, at.closest("article, li")].flatMap((one) =>
        one ? [getComputedStyle(one), getComputedStyle(one, "::after")] : [],
      );
      const isDrawn = styles.some(
        ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
      );
      return { isDrawn, name: at.getAttribute("aria-label") ?? at.textContent };
    });
    if (drawn === undefined) continue;
    stops += 1;
    expect.soft(drawn.isDrawn, `${drawn.name} shows its focus`).toBe(true);
  }
  expect(stops).toBeGreaterThan(30);
});

test("a batch that fills the screen is printed whole", async ({ page, server }) => {
  await draftWithErrors(server.url, 40);
  await signIn(page, operator);
  const batch = await openBatch(page, name);
  await expect(batch).toContainText("40 transferências");
  await page.emulateMedia({ media: "print" });
  const { shown, whole, root } = await batch.evaluate((dialog) => ({
    shown: document.documentElement.scrollHeight,
    whole: dialog.scrollHeight,
    root: document.querySelector("#root")?.checkVisibility(),
  }));
  expect(root).toBe(false);
  expect(shown).toBeGreaterThanOrEqual(whole);
  const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
  expect([...pdf.matchAll(/\/Type\s*\/Page\b/g)].length).toBeGreaterThan(1);
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 780 } });

  test("a tap outside a dialog closes it and reaches nothing below", async ({ page }) => {
    await signIn(page, operator);
    await page.goto("/pagamentos/lotes");
    const below = page.getByRole("button", { name: /^Menu de / });
    const { x, y, width, height } = await boxOf(below);
    const help = await openHelp(page);
    await page.touchscreen.tap(x + width / 2, y + height / 2);
    await expect(help).toBeHidden();
    await expect(page.getByRole("menu")).toHaveCount(0);
  });

  test("the menu covers an inert page, and a chosen page replaces it with the focus", async ({ page }) => {
    await signIn(page, admin);
    await page.goto("/pagamentos/lotes");
    const opener = page.getByRole("button", { name: "Abrir menu" });
    const menu = page.getByRole("dialog", { name: "Menu principal" });
    await opener.tap();
    // Behind a modal dialog the browser makes the page inert.
    await expect(page.locator("dialog:modal")).toHaveAccessibleName("Menu principal");
    await menu.getByRole("link", { name: "Lotes", exact: true }).tap();
    await expect(menu, "the page that is open already").toBeHidden();
    await expect(opener).toBeFocused();
    await opener.tap();
    await menu.getByRole("link", { name: "Recebedores" }).tap();
    await expect(menu).toBeHidden();
    await expect(page.getByRole("heading", { level: 1, name: "Recebedores" })).toBeVisible();
    await expect(page.getByRole("main")).toBeFocused();
    await opener.tap();
    await page.setViewportSize({ width: 1280, height: 780 });
    await expect(menu, "beside the page there is the sidebar").toBeHidden();
    await expect(page.getByRole("complementary", { name: "Menu principal" })).toBeVisible();
  });

  test("the back gesture closes the top dialog, and no page", async ({ page }) => {
    await signIn(page, admin);
    const help = await openHelp(page);
    await page.evaluate(() =>
      document.querySelector("dialog[open]")?.dispatchEvent(new Event("cancel", { cancelable: true })),
    );
    await expect(help).toBeHidden();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  });
});
