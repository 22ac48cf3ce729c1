/** A person without a mouse. */
import type { Locator } from "@playwright/test";
import { expect } from "./test.ts";

/** Twice around the longest page: a control that was busy when the focus passed is met the second time. */
const tabsMax = 400;

/** Walks there with Tab. Fails where the focus never gets. */
export async function walkTo(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  const hasFocus = () => target.evaluate((element) => element === document.activeElement);
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if (await hasFocus()) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${target}`);
}

export async function press(target: Locator): Promise<void> {
  await walkTo(target);
  await target.page().keyboard.press("Enter");
}
