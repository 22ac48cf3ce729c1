/** Barriers to people: what axe finds, and a word in another language. */
import type { Page } from "@playwright/test";
import { expectAccessible, test } from "./test.ts";
import { expectPortuguese } from "./words.ts";

/** In both themes: the product follows the system's. Between two themes only colours differ. A foreign word is one too. */
export async function expectNoBarriers(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await test.step(`${what}, light`, () => expectAccessible(page));
  await page.emulateMedia({ colorScheme: "dark" });
  await test.step(`${what}, dark`, () => expectAccessible(page, ["color-contrast"]));
  await page.emulateMedia({ colorScheme: "light" });
  await test.step(`${what}, words`, () => expectPortuguese(page));
}
