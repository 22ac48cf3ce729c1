/** Finds drawing faults in every usual window. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./test.ts";

export const widths = [360, 390, 1024, 1280, 1366, 1440];

/**
 * Returns visible faults: text beyond the window or the box that clips it, overlapping text of two cells, and buttons
 * and statuses on two lines. Looks at the topmost dialog, if one is open.
 */
export const faultsOf = (page: Page) =>
  page.evaluate(() => {
    const found = new Set<string>();
    const width = document.documentElement.clientWidth;
    if (document.documentElement.scrollWidth > width)
      found.add(`page: ${document.documentElement.scrollWidth} px`);
    const dialogs = [...document.querySelectorAll("dialog[open]")];
    const root = dialogs.at(-1) ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      const text = node.textContent?.trim();
      if (!element || !text || element.closest("svg, script, style, [aria-hidden=true] svg, option, iframe"))
        continue;
      if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      range.selectNodeContents(node);
      const lines = [...range.getClientRects()].filter((rect) => rect.width > 1 && rect.height > 1);
      if (lines.length === 0) continue;
      let isHidden = false;
      const boxes: DOMRect[] = [];
      for (let box: Element | null = element; box && box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        const area = box.getBoundingClientRect();
        // Text for screen readers only.
        if (style.clipPath !== "none" && area.width <= 1.5) isHidden = true;
        if (style.transform !== "none" && area.right <= 0) isHidden = true;
        // The pages of an area scroll; the open one is scrolled into view.
        if (box.matches("main nav")) isHidden = true;
        if (style.overflowX !== "visible") boxes.push(area);
        if (box.matches("td, th")) boxes.push(area);
      }
      if (isHidden) continue;
      for (const line of lines) {
        if (line.left < -0.5 || line.right > width + 0.5) found.add(`beyond the window: ${text}`);
        // The 47 digits of a boleto are readable in its details.
        if (
          !/^[\d. ]{30,}$/.test(text) &&
          boxes.some((box) => line.left < box.left - 1 || line.right > box.right + 1)
        )
          found.add(`cut: ${text}`);
      }
      const single = element.closest("button, a, [data-color]");
      // A button or a status, not an opener whose words have any length.
      if (single && getComputedStyle(single).display === "inline-flex") {
        const tops = new Set(lines.map(({ top }) => Math.round(top)));
        if (tops.size > 1) found.add(`on ${tops.size} lines: ${text}`);
      }
    }
    for (const field of root.querySelectorAll("input, textarea, select, button, a")) {
      if (field.closest("main nav")) continue;
      if (!field.checkVisibility({ visibilityProperty: true })) continue;
      const { left, right, width: own } = field.getBoundingClientRect();
      if (own > 1.5 && left < width && right > width + 0.5)
        found.add(
          `beyond the window: ${field.getAttribute("aria-label") ?? field.textContent ?? field.tagName}`,
        );
      if (left < -0.5 && right > 0) found.add(`before the window: ${field.textContent ?? field.tagName}`);
    }
    for (const field of root.querySelectorAll<HTMLInputElement>("input[role=combobox]"))
      if (field.scrollWidth > field.clientWidth + 1) found.add(`cut: ${field.value}`);
    return [...found];
  });

/** Checks drawing at every width, and runs axe in the light theme on a phone and in the dark one beside the menu. */
export async function expectWellDrawn(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 800 });
    expect.soft(await faultsOf(page), `${what} at ${width} px`).toEqual([]);
    // Colours are the same at every width; visibility is not.
    if (width === 360) await test.step(`${what}, light`, () => expectAccessible(page));
    if (width !== 1280) continue;
    await page.emulateMedia({ colorScheme: "dark" });
    await test.step(`${what}, dark`, () => expectAccessible(page, ["color-contrast"]));
    await page.emulateMedia({ colorScheme: "light" });
  }
}

/**
 * Returns the vertical scrollers of the topmost dialog, or of the page: more than one means a scroll bar inside
 * another.
 */
export const scrollersOf = (page: Page) =>
  page.evaluate(() => {
    const root = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.documentElement;
    return [root, ...root.querySelectorAll("*")].filter(
      (box) =>
        /auto|scroll/.test(getComputedStyle(box).overflowY) &&
        box.clientHeight > 0 &&
        box.scrollHeight > box.clientHeight + 1,
    ).length;
  });
