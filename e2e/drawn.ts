/** The eye for what is badly drawn, in every usual window. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./test.ts";

export const widths = [360, 390, 1024, 1280, 1366, 1440];

/**
 * What a person would point at: text beyond the window or beyond the box that clips it, text of two cells over one another,
 * and buttons and statuses on two lines. In the topmost dialog where one is open.
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
        // Said by screen readers only.
        if (style.clipPath !== "none" && area.width <= 1.5) isHidden = true;
        if (style.transform !== "none" && area.right <= 0) isHidden = true;
        // The pages of an area are scrolled by finger; the open one is scrolled into view.
        if (box.matches("main nav")) isHidden = true;
        if (style.overflowX !== "visible") boxes.push(area);
        if (box.matches("td, th")) boxes.push(area);
      }
      if (isHidden) continue;
      for (const line of lines) {
        if (line.left < -0.5 || line.right > width + 0.5) found.add(`beyond the window: ${text}`);
        // The 47 digits of a boleto are read in its details.
        if (
          !/^[\d. ]{30,}$/.test(text) &&
          boxes.some((box) => line.left < box.left - 1 || line.right > box.right + 1)
        )
          found.add(`cut: ${text}`);
      }
      const single = element.closest("button, a, [data-color]");
      // A button or a status, not what opens from words of any length.
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

/** At every width; and by axe, in the light theme on a telephone and in the dark one beside the menu. */
export async function expectWellDrawn(page: Page, what: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 780 : 800 });
    expect.soft(await faultsOf(page), `${what} at ${width} px`).toEqual([]);
    // Of colours every width has the same, of what is seen not.
    if (width === 360) await test.step(`${what}, light`, () => expectAccessible(page));
    if (width !== 1280) continue;
    await page.emulateMedia({ colorScheme: "dark" });
    await test.step(`${what}, dark`, () => expectAccessible(page, ["color-contrast"]));
    await page.emulateMedia({ colorScheme: "light" });
  }
}

/** What scrolls up and down in the topmost dialog, or on the page where none is open: more than one is a scroll bar in another. */
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
