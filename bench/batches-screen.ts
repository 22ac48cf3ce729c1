/**
 * P10: the batches screen on a phone as Lighthouse measures it: signed in, on a built product that the bench starts.
 * The floor is the fastest peer of the goals page, built and measured on a machine of this kind. Medians of five runs.
 */
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { signIn } from "../e2e/api.ts";
import { createMalote } from "../e2e/server.ts";
import { findChromium } from "../scripts/steps/chromium.mjs";
import { median, print } from "./kit.ts";

const rounds = 5;
const debuggingPort = 9371;
/** shadcn-admin (docs/goals.md, P10). */
const peerLcpMs = 4_250;

interface Round {
  lcpMs: number;
  tbtMs: number;
  cls: number;
  accessibility: number;
  kib: number;
}

async function measureOnce(): Promise<Round> {
  const result = await lighthouse(`${malote.url}/pagamentos/lotes`, {
    port: debuggingPort,
    output: "json",
    logLevel: "silent",
    onlyCategories: ["performance", "accessibility"],
    // The token lies in local storage; the cache is emptied below, before every visit.
    disableStorageReset: true,
  });
  if (!result) throw new Error("Lighthouse gave no result");
  const { audits, categories, finalDisplayedUrl, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`Lighthouse could not measure: ${runtimeError.code}`);
  if (!finalDisplayedUrl.includes("/pagamentos/lotes")) throw new Error(`measured ${finalDisplayedUrl}`);
  const value = (id: string) => audits[id]?.numericValue ?? Number.NaN;
  return {
    lcpMs: Math.round(value("largest-contentful-paint")),
    tbtMs: Math.round(value("total-blocking-time")),
    cls: Number(value("cumulative-layout-shift").toFixed(4)),
    accessibility: Math.round((categories["accessibility"]?.score ?? 0) * 100),
    kib: Math.round(value("total-byte-weight") / 1024),
  };
}

const malote = await createMalote({ MALOTE_LOG: "silent" });
await malote.start();
const token = await signIn(malote.url, "helena@aurora.example");
const browser = await chromium.launchPersistentContext("", {
  ...(findChromium() && { executablePath: findChromium() as string }),
  args: ["--no-sandbox", `--remote-debugging-port=${debuggingPort}`],
});
try {
  const page = await browser.newPage();
  await page.goto(`${malote.url}/entrar`);
  await page.evaluate(([place, given]) => localStorage.setItem(place, given), [
    tokenStorageKey,
    token,
  ] as const);
  const control = await browser.newCDPSession(page);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    await control.send("Network.clearBrowserCache");
    measured.push(await measureOnce());
  }
  const of = (name: keyof Round) => median(measured.map((round) => round[name]));
  print("P10", {
    unit: "ms",
    n: 1,
    rounds,
    ours: of("lcpMs"),
    floor: peerLcpMs,
    tbt_ms: of("tbtMs"),
    cls: of("cls"),
    accessibility: of("accessibility"),
    kib: of("kib"),
    runs: measured,
  });
} finally {
  await browser.close();
  await malote.stop();
}
