import { createBatch } from "@malote/contracts/batches";
import { moveClock } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { readBalance } from "@malote/contracts/statement";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { addDays, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { actAs, signIn } from "../../e2e/api.ts";
import { createMalote } from "../../e2e/server.ts";
import { followNoChanges } from "../../e2e/steps.ts";
import playwright from "../../playwright.config.ts";
import { proof, type Run } from "../proof.ts";

const zones = ["America/Sao_Paulo", "Pacific/Kiritimati", "UTC", "America/Noronha"] as const;
const pages = { batches: "/pagamentos/lotes", statement: "/pagamentos/saldo" };
const email = "helena@aurora.example";
const minuteMs = 60_000;
const patienceMs = 20_000;

proof(
  "R11",
  "shows the same screens in browsers of every time zone, two minutes before the month ends in São Paulo",
  { unit: "browser zones", short: 2, reduced: 4, full: 4 },
  look,
);

async function look({ count }: Run) {
  const server = await createMalote({ MALOTE_LOG: "warn", TZ: "Pacific/Kiritimati" });
  let browser: Browser | undefined;
  try {
    await server.start();
    browser = await chromium.launch(playwright.use?.launchOptions ?? {});
    const now = await liveTwoNights(server.url);
    const token = await signIn(server.url, email);
    const seen: string[] = [];
    const open = (timezoneId: string) => openBrowser(browser as Browser, server.url, token, timezoneId);
    for (const zone of zones.slice(0, count)) seen.push(await readScreens(await open(zone), now));
    const [home = ""] = seen;
    const faults = seen.flatMap((text, index) =>
      text === home ? [] : [`${zones[index]}: ${firstDifference(home, text)}`],
    );
    for (const word of ["hoje 23:5", "ontem 22:3"]) {
      if (!home.includes(word)) faults.push(`the screens do not say "${word}": ${home.slice(0, 2_000)}`);
    }

    // The planted fault is a screen that uses its browser's day.
    const careless = await open("Pacific/Kiritimati");
    await careless.addInitScript(() => {
      // The calendar reads the day from an ISO text three hours back; this one reads it from the browser's own clock.
      const toISOString = Date.prototype.toISOString;
      Date.prototype.toISOString = function () {
        const own = this.getTime() - this.getTimezoneOffset() * 60_000;
        return toISOString.call(new Date(own + 3 * 3_600_000));
      };
    });
    // The screen may request another month without entries, and then there is nothing to wait for.
    const strange = await readScreens(careless, now, 4_000).catch(() => "not what it should be");
    const missed = strange === home ? ["a screen in the browser's own zone"] : [];
    return {
      faults,
      figures: { screens: Object.keys(pages).length * seen.length, emails: home.length },
      planted: { count: 1, missed },
    };
  } finally {
    await browser?.close();
    await server.stop();
  }
}

/** Creates money and a draft late in the evening before the month's last day, and two minutes before the month ends. */
async function liveTwoNights(url: string): Promise<Date> {
  const act = await actAs(url, email);
  const pixKey = demoCompanies[0]?.pixKeys[0]?.key ?? "";
  const monthsEnd = nextMonthsEnd(new Date());
  const nights = [25.5 * 60, 2].map((minutes) => new Date(monthsEnd.getTime() - minutes * minuteMs));
  for (const [index, night] of nights.entries()) {
    await act(moveClock, { body: { instant: night.toISOString() } });
    await act(depositPix, { body: { pix_key: pixKey, value: 1_000_00 } });
    await until(async () => (await act(readBalance)).value === (index + 1) * 1_000_00);
    await act(createBatch, { body: { name: `Noite ${index + 1}`, transfers: [] } });
  }
  return nights.at(-1) ?? monthsEnd;
}

/** Returns São Paulo's next end of a month that is more than two days away. */
function nextMonthsEnd(now: Date): Date {
  let first = saoPauloDate(new Date(now.getTime() + 2 * 24 * 60 * minuteMs));
  do first = addDays(first, 1);
  while (!first.endsWith("-01"));
  return startOfDay(first);
}

/**
 * Opens a browser whose clock is in the future while the session is in the present: the browser assumes a later expiry
 * than the server, which gets the real token.
 */
async function openBrowser(
  browser: Browser,
  url: string,
  token: string,
  timezoneId: string,
): Promise<BrowserContext> {
  const storage = [{ name: tokenStorageKey, value: endingLater(token) }];
  const context = await browser.newContext({
    baseURL: url,
    locale: "pt-BR",
    timezoneId,
    viewport: { width: 1280, height: 2_000 },
    storageState: { cookies: [], origins: [{ origin: url, localStorage: storage }] },
  });
  await context.route(`${url}/api/**`, (route) =>
    route.continue({ headers: { ...route.request().headers(), authorization: `Bearer ${token}` } }),
  );
  return context;
}

function endingLater(token: string): string {
  const [head, body = "", seal] = token.split(".");
  const content = JSON.parse(Buffer.from(body, "base64url").toString());
  const later = { ...content, exp: content.exp + 90 * 24 * 3_600 };
  return [head, Buffer.from(JSON.stringify(later)).toString("base64url"), seal].join(".");
}

/** Returns every text of the screens, in a browser whose clock shows the same instant. */
async function readScreens(context: BrowserContext, now: Date, timeout = patienceMs): Promise<string> {
  const page = await context.newPage();
  await followNoChanges(page);
  await page.clock.setFixedTime(now);
  const texts: string[] = [];
  for (const path of Object.values(pages)) {
    await page.goto(path);
    await page
      .getByText(path === pages.batches ? "Noite 2" : "Saldo de fechamento")
      .first()
      .waitFor({ timeout });
    await page.waitForLoadState("networkidle");
    texts.push((await page.locator("main").textContent()) ?? "", ...(await titles(page)));
  }
  await context.close();
  return texts.join("\n");
}

const titles = (page: Awaited<ReturnType<BrowserContext["newPage"]>>) =>
  page.locator("main [title]").evaluateAll((all) => all.map((one) => one.getAttribute("title") ?? ""));

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error("the money did not arrive");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (whole: string) => whole.slice(Math.max(0, at - 60), at + 40);
  return `${around(one)} ≠ ${around(other)}`;
}
