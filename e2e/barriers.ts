/** Accessibility barriers that axe finds, and words in another language. */
import type { Page } from "@playwright/test";
import { expectAccessible, test } from "./test.ts";
import { expectPortuguese } from "./words.ts";

/** Checks both themes, which differ only in colours, and the language, because a foreign word is a barrier too. */
export async function expectNoBarriers(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await test.step(`${what}, light`, () => expectAccessible(page));
  await page.emulateMedia({ colorScheme: "dark" });
  await test.step(`${what}, dark`, () => expectAccessible(page, ["color-contrast"]));
  await page.emulateMedia({ colorScheme: "light" });
  await test.step(`${what}, words`, () => expectPortuguese(page));
}
