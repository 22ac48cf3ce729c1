/** The real product as one process with its own database, a browser, and queries to the database itself. */
import { readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import type { Application } from "@malote/contracts/policy";
import { authorize } from "@malote/contracts/session";
import { changeRails } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import pg from "pg";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { openDatabase } from "../../apps/api/src/platform/db/database.ts";
import { actAs, keepSignedIn, send, signIn } from "../../e2e/api.ts";
import { createMalote, type Server } from "../../e2e/server.ts";
import playwright from "../../playwright.config.ts";

export type Profile = "admin" | "operator";

export interface Environment {
  url: string;
  admin: Awaited<ReturnType<typeof actAs>>;
  ask<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  deposit(value: number): Promise<void>;
  /** Opens a window of a signed-in person in an application, without a page. */
  windowOf(profile: Profile, application?: Application): Promise<BrowserContext>;
  books(): Promise<string[]>;
  close(): Promise<void>;
}

export const [aurora] = demoCompanies;

export async function openEnvironment(): Promise<Environment> {
  const server = await createMalote({ MALOTE_LOG: "warn" });
  let browser: Browser | undefined;
  const client = await server
    .start()
    .then(async () => {
      browser = await chromium.launch(playwright.use?.launchOptions ?? {});
      const opened = new pg.Client(connectionOf(server));
      await opened.connect();
      return opened;
    })
    .catch(async (error) => {
      await browser?.close();
      await server.stop();
      throw error;
    });
  const emailOf = (profile: Profile) => aurora?.users.find((user) => user.profile === profile)?.email ?? "";
  const both = (profile: Profile) => ({
    payments: keepSignedIn(() => signIn(server.url, emailOf(profile))),
    validation: keepSignedIn(async () => switched(server.url, await signIn(server.url, emailOf(profile)))),
  });
  const tokens = { admin: both("admin"), operator: both("operator") };
  const admin = await actAs(server.url, emailOf("admin"));
  await admin(changeRails, { body: { pix_latency_ms: 0, timeout_percent: 0, failure_percent: 0 } });
  return {
    url: server.url,
    admin,
    ask: async (text, values = []) => (await client.query(text, values)).rows,
    async deposit(value) {
      const before = await available(client);
      await admin(depositPix, { body: { pix_key: aurora?.pixKeys[0]?.key ?? "", value } });
      await until("a deposit is on the balance", async () => (await available(client)) > before);
    },
    async windowOf(profile, application = "payments") {
      if (!browser) throw new Error("the browser is closed");
      const storage = [{ name: tokenStorageKey, value: await tokens[profile][application]() }];
      return browser.newContext({
        baseURL: server.url,
        locale: "pt-BR",
        timezoneId: "America/Sao_Paulo",
        viewport: { width: 1280, height: 800 },
        storageState: { cookies: [], origins: [{ origin: server.url, localStorage: storage }] },
      });
    },
    async books() {
      const db = openDatabase({ ...connectionOf(server), max: 1 });
      const faults = await checkBooks(db).finally(() => db.close());
      return faults.map(({ rule, where }) => `books: ${rule} (${where})`);
    },
    async close() {
      await browser?.close();
      await client.end();
      await server.stop();
    },
  };
}

/**
 * Returns a token of the same person for the validation application, so that no window has to switch and end the
 * others' token.
 */
async function switched(url: string, token: string): Promise<string> {
  const body = { grant_type: "refresh_token", refresh_token: token, scope: "validation" } as const;
  const { done, text } = await send(url, undefined, authorize, { body });
  if (!done || !("access_token" in done)) throw new Error(text);
  return done.access_token;
}

async function available(client: pg.Client): Promise<number> {
  const { rows } = await client.query(
    "SELECT balance FROM ledger_accounts WHERE company_id = $1 AND account = 'available'",
    [aurora?.id],
  );
  return rows[0]?.balance ?? 0;
}

/** Reads the path of PostgreSQL's socket from its own file. */
function connectionOf({ dataDir }: Server): pg.ClientConfig {
  const cluster = join(realpathSync(join(dataDir, "postgres")), "cluster");
  const lines = readFileSync(join(cluster, "postmaster.pid"), "utf8").split("\n");
  return { host: lines[4]?.trim() ?? "", port: Number(lines[3]), user: "postgres", database: "malote" };
}

const pollMs = 50;
const patienceMs = 20_000;

export async function until(
  what: string,
  holds: () => Promise<boolean>,
  withinMs = patienceMs,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`not seen within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
