/** A browser that reports every effect that a text must not have. */
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { followNoChanges } from "../../e2e/steps.ts";
import { findChromium } from "../../scripts/steps/chromium.mjs";

export interface Watch {
  context: BrowserContext;
  page: Page;
  /** Returns the observations after the previous call. */
  seen(): Promise<string[]>;
  close(): Promise<void>;
}

export async function watchedBrowser(own: readonly string[]): Promise<Watch> {
  const path = findChromium();
  const browser = await chromium.launch({
    ...(path && { executablePath: path }),
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
  });
  // A tall window, so that lists which draw only the visible part draw everything.
  const context = await browser.newContext({ viewport: { width: 1280, height: 9_000 }, locale: "pt-BR" });
  const seen: string[] = [];
  await context.exposeBinding("notifyWatcher", (_, what: string) => void seen.push(what));
  await context.addInitScript(() => {
    const notify = (what: string) =>
      (window as unknown as { notifyWatcher(what: string): void }).notifyWatcher(what);
    const trap = (name: string) => () => notify(`ran ${name}`);
    Object.assign(window, {
      xss: trap("xss"),
      alert: trap("alert"),
      confirm: trap("confirm"),
      prompt: trap("prompt"),
    });
    // Markup that only the policy stopped has still got into the page.
    document.addEventListener("securitypolicyviolation", (event) =>
      notify(`the policy stopped ${event.violatedDirective} ${event.blockedURI} ${event.sample}`),
    );
  });
  context.on("request", (request) => {
    const address = request.url();
    if (/^(data|blob|about):/.test(address) || own.some((ours) => address.startsWith(ours))) return;
    seen.push(`asked for ${address}`);
  });
  context.on("dialog", (dialog) => {
    seen.push(`opened a ${dialog.type()}`);
    void dialog.dismiss();
  });
  const page = await context.newPage();
  await followNoChanges(page);
  page.on("pageerror", (error) => seen.push(`threw ${error.message}`));
  return {
    context,
    page,
    async seen() {
      seen.push(...(await page.evaluate(markupIn)));
      return seen.splice(0);
    },
    close: () => browser.close(),
  };
}

/** Returns elements and attributes that no screen of ours draws: injected markup, executed or not. */
function markupIn(): string[] {
  const ours = (address: string) => new URL(address, location.href).origin === location.origin;
  const strange = [...document.querySelectorAll("*")].filter((element) => {
    const name = element.localName;
    if (/^(iframe|object|embed|base|marquee|video|audio|math|xss-x|frame)$/.test(name))
      return !element.hasAttribute("sandbox");
    if (name === "script")
      return !(element as HTMLScriptElement).src || !ours((element as HTMLScriptElement).src);
    if ([...element.attributes].some((attribute) => attribute.name.startsWith("on"))) return true;
    return ["href", "src", "action", "formaction"].some((attribute) =>
      /^\s*(javascript|data:text)/i.test(element.getAttribute(attribute) ?? ""),
    );
  });
  return strange.map((element) => `became an element: ${element.outerHTML.slice(0, 120)}`);
}
