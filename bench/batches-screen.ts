/**
 * P10: the batches screen on a telephone, as Lighthouse measures it: signed in, on a running and built product.
 *   BASE=http://localhost:3000 node bench/batches-screen.ts
 * Prints one JSON line with the medians of five runs.
 */
import { execFileSync } from "node:child_process";
import { chromium } from "@playwright/test";
import lighthouse from "lighthouse";
import { findChromium } from "../scripts/steps/chromium.mjs";

const base = process.env["BASE"] ?? "http://localhost:3000";
const rounds = 5;
const debuggingPort = 9371;
const goals = { lcpMs: 2_000, tbtMs: 100, cls: 0.02, accessibility: 100 };

async function signIn(): Promise<string> {
  const answer = await fetch(`${base}/api/login/authorize`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      grant_type: "password",
      email: "helena@aurora.example",
      password: "Malote-2026!",
    }),
  });
  if (!answer.ok) throw new Error(`sign-in answered ${answer.status}: is the product running at ${base}?`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

interface Round {
  lcpMs: number;
  tbtMs: number;
  cls: number;
  accessibility: number;
  kib: number;
}

async function measureOnce(): Promise<Round> {
  const result = await lighthouse(`${base}/pagamentos/lotes`, {
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

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const token = await signIn();
const browser = await chromium.launchPersistentContext("", {
  ...(findChromium() && { executablePath: findChromium() as string }),
  args: ["--no-sandbox", `--remote-debugging-port=${debuggingPort}`],
});
try {
  const page = await browser.newPage();
  await page.goto(`${base}/entrar`);
  await page.evaluate((given) => localStorage.setItem("malote.token", given), token);
  const control = await browser.newCDPSession(page);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round++) {
    await control.send("Network.clearBrowserCache");
    measured.push(await measureOnce());
  }
  const of = (name: keyof Round) => median(measured.map((round) => round[name]));
  const ours = {
    lcpMs: of("lcpMs"),
    tbtMs: of("tbtMs"),
    cls: of("cls"),
    accessibility: of("accessibility"),
    kib: of("kib"),
  };
  const reached =
    ours.lcpMs <= goals.lcpMs &&
    ours.tbtMs <= goals.tbtMs &&
    ours.cls <= goals.cls &&
    ours.accessibility === goals.accessibility;
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  console.log(JSON.stringify({ goal: "P10", commit, n: rounds, ours, goals, reached, rounds: measured }));
} finally {
  await browser.close();
}
