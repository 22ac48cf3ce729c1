/** Uses the product without a mouse. */
import type { Locator } from "@playwright/test";
import { expect } from "./test.ts";

/** Twice around the longest page: a control that was busy when the focus passed is found the second time. */
const tabsMax = 400;

/** Moves there with Tab. Fails when the focus never arrives. */
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
