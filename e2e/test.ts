import { test as base, expect, type Page } from "@playwright/test";
import axe from "axe-core";
import { createMalote, type Server } from "./server.ts";

export { expect } from "@playwright/test";

const harmless = [
  // The browser itself logs every refused call; the journeys check refusals on the screen.
  "Failed to load resource",
  // An e-mail's frame runs no script, not even Playwright's own, and sometimes logs that. The journeys that
  // read e-mails check that they contain none.
  "Blocked script execution in 'about:srcdoc'",
];

/**
 * Journeys import `test` from here: the product runs once for all of them and is reset before each, and any error that
 * the page logs or throws fails the journey that caused it.
 */
export const test = base.extend<{ noPageErrors: undefined; freshStart: undefined }, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a fixture needs from this pattern.
    async ({}, use) => {
      const server = await createMalote();
      try {
        await server.start();
        await use(server);
      } finally {
        await server.stop();
      }
    },
    { scope: "worker", timeout: 90_000 },
  ],

  baseURL: async ({ server }, use) => use(server.url),

  freshStart: [
    async ({ server }, use) => {
      await server.startOver();
      await use(undefined);
    },
    { auto: true },
  ],

  noPageErrors: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        const text = message.text();
        if (message.type() === "error" && !harmless.some((start) => text.startsWith(start)))
          errors.push(text);
      });
      await use(undefined);
      expect(errors, "errors the page logged").toEqual([]);
    },
    { auto: true },
  ],
});

/** Fails with one line per barrier that axe finds on the current page; with rules given, checks only those. */
export async function expectAccessible(page: Page, rules?: string[]): Promise<void> {
  await page.evaluate(axe.source);
  const lines = await page.evaluate(async (values) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(document, {
      resultTypes: ["violations"],
      ...(values && { runOnly: { type: "rule", values } }),
    });
    return violations.map(
      ({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target).join("; ")})`,
    );
  }, rules);
  expect(lines, "barriers axe found").toEqual([]);
}
