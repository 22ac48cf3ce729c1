/** Ways in which one intention is sent twice, or seems to be lost, with the person's reaction. */

import { setTimeout as sleep } from "node:timers/promises";
import { bases, type Contract } from "@malote/contracts/contract";
import type { BrowserContext, Locator, Page, Route } from "@playwright/test";
import type { MoneyDialog, Subject } from "./dialogs/money-dialog.ts";
import { until } from "./environment.ts";

export interface Scene {
  dialog: MoneyDialog;
  subject: Subject;
  window: BrowserContext;
  page: Page;
  /** The button, ready to be pressed. */
  confirm: Locator;
}

/**
 * The person's state afterwards: sent; or a screen to go through again, because the dialog closed; or a screen other
 * than the one they sent it from.
 */
type Left = "sent" | "to be sent again" | "elsewhere";
export type DoubleSubmit = (scene: Scene) => Promise<Left>;

const soonMs = 1_500;
const restMs = 15_000;
const triesMax = 4;

/**
 * Intercepts the next request of the dialog's call, forwards it to the server, and hands its answer to the caller only.
 */
async function caught(
  { page, dialog }: Scene,
  press: () => Promise<unknown>,
): Promise<{ lose(): Promise<void>; letGo(): Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<{
    route: Route;
    answer: Awaited<ReturnType<Route["fetch"]>>;
  }>();
  let isCaught = false;
  // The route stays: while the browser checks whether to intercept, requests of that moment would never be answered.
  await page.route(
    (url) => addressPattern(dialog.contract).test(url.pathname),
    async (route) => {
      if (isCaught || route.request().method() !== dialog.contract.method) return route.fallback();
      isCaught = true;
      resolve({ route, answer: await route.fetch() });
    },
  );
  await press();
  const { route, answer } = await Promise.race([
    promise,
    sleep(restMs).then(() => {
      throw new Error("the button was pressed and nothing was sent");
    }),
  ]);
  // The page may have been closed meanwhile and then cannot get an answer.
  return {
    lose: () => route.abort("connectionreset").catch(() => undefined),
    letGo: () => route.fulfill({ response: answer }).catch(() => undefined),
  };
}

const addressPattern = ({ base, path }: Contract) =>
  new RegExp(`^${bases[base]}${path.replace(/:\w+/g, "[^/]+")}$`);

/** Clicks twice, like a bouncing mouse button: both before the page could draw. */
const clickTwice = (confirm: Locator) =>
  confirm.evaluate((element) => {
    (element as HTMLElement).click();
    (element as HTMLElement).click();
  });

/** Presses again when the dialog still offers it; returns whether it did. */
const pressAgain = ({ confirm }: Scene) =>
  confirm.click({ timeout: soonMs }).then(
    () => true,
    () => false,
  );

/**
 * Presses, unless the other tab was faster and this one already shows the end. Returns false where neither is possible.
 */
const press = (button: Locator, ended: Locator) =>
  Promise.race([button.click({ timeout: restMs }), ended.waitFor({ timeout: restMs })]).then(
    () => true,
    () => false,
  );

/**
 * Continues as a person does until the screen shows success: a refusal may have closed the dialog, which is opened
 * again.
 */
async function continueScene(scene: Scene): Promise<void> {
  const { page, dialog, subject } = scene;
  for (let tries = 0; tries < triesMax; tries++) {
    await atRest(page, restMs);
    if (await dialog.ended(page, subject).first().isVisible()) return;
    if (await pressAgain(scene)) continue;
    // The opener disappears when the screen learns of the other tab at this moment.
    await dialog
      .opener?.(page, subject)
      .click({ timeout: soonMs })
      .catch(() => undefined);
  }
}

/** Waits until no spinner keeps the person from continuing. */
export const atRest = (page: Page, patienceMs: number) =>
  until(
    "nothing is busy any more",
    async () => (await page.locator("button[aria-busy=true]").count()) === 0,
    patienceMs,
  );

const bad = (page: Page) => page.getByRole("alert").first();

export const doubleSubmits: Record<string, DoubleSubmit> = {
  async "two clicks at the same moment"({ confirm }) {
    await clickTwice(confirm);
    return "sent";
  },

  async "an answer that is lost, and again"(scene) {
    const request = await caught(scene, () => scene.confirm.click());
    await request.lose();
    // The screen shows the failure, or already the success.
    const { page, dialog, subject } = scene;
    await bad(page).or(dialog.ended(page, subject)).first().waitFor();
    await pressAgain(scene);
    return "sent";
  },

  async "two tabs"(scene) {
    const { dialog, subject, window, page, confirm } = scene;
    const other = await window.newPage();
    const otherConfirm = await dialog.open(other, subject);
    await otherConfirm.waitFor();
    const pressed = await Promise.all([
      press(confirm, dialog.ended(page, subject).first()),
      press(otherConfirm, dialog.ended(other, subject).first()),
    ]);
    if (!pressed.includes(true)) throw new Error("neither tab had a button to press, nor shows the end");
    // The other tab may have saved the draft again; then this one is refused, and tries again.
    await continueScene(scene);
    return "sent";
  },

  async "a double click"({ confirm }) {
    await confirm.dblclick();
    return "sent";
  },

  async "Enter and a click"({ page, confirm }) {
    await confirm.focus();
    await Promise.all([
      page.keyboard.press("Enter"),
      // The button is gone when the key press was faster.
      confirm.click({ timeout: soonMs }).catch(() => undefined),
    ]);
    return "sent";
  },

  async "a reload in flight"(scene) {
    const { page } = scene;
    const request = await caught(scene, () => scene.confirm.click());
    page.once("dialog", (question) => void question.accept());
    await Promise.all([page.reload(), request.letGo()]);
    return "elsewhere";
  },

  async "back in flight"(scene) {
    const request = await caught(scene, () => scene.confirm.click());
    await scene.page.goBack();
    await request.letGo();
    return "elsewhere";
  },

  async "without a network, and again with it"(scene) {
    const { page, window, confirm } = scene;
    await window.setOffline(true);
    await confirm.click();
    await bad(page).waitFor();
    await window.setOffline(false);
    return (await pressAgain(scene)) ? "sent" : "to be sent again";
  },
};
