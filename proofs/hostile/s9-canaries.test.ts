import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { closeBatch } from "@malote/contracts/batch-life";
import { createBatch, readBatch } from "@malote/contracts/batches";
import { createCredential } from "@malote/contracts/developer";
import { uploadSheet } from "@malote/contracts/import";
import {
  authorize,
  changePassword,
  readPasswordLink,
  readTwoFactorSecret,
  setTwoFactor,
  spendPasswordLink,
} from "@malote/contracts/session";
import { listMails } from "@malote/contracts/simulator";
import { depositPix } from "@malote/contracts/simulator-payins";
import { tokenStorageKey } from "@malote/contracts/token-storage";
import { addTransfer } from "@malote/contracts/transfers";
import { createUser } from "@malote/contracts/users";
import { Secret, TOTP } from "otpauth";
import type pg from "pg";
import { createLog } from "../../apps/api/src/platform/log.ts";
import { demoPassword, send, signIn } from "../../e2e/api.ts";
import { createMalote, type Server } from "../../e2e/server.ts";
import { connectionOf, withClient } from "../kills/postgres-of.ts";
import { proof } from "../proof.ts";
import { type Canary, hitsIn } from "./canaries.ts";
import { watchedBrowser } from "./watched-browser.ts";

const personal = {
  document: "731.905.284-97",
  pixKey: "canario.chave.9147@exemplo.com.br",
  account: "918273645",
  name: "Zuleide Canária",
};
const newPassword = "Canario-Senha-9147!";
const wrongPassword = "Canario-Errada-9147!";
const payersDocument = "529.982.247-25";
const patienceMs = 30_000;

proof(
  "S9",
  "writes no secret and no personal data into logs, jobs, metrics, the database or the browser",
  { unit: "rounds", short: 1, reduced: 3, full: 10 },
  async ({ count, size }) => {
    const malote = await createMalote({ MALOTE_LOG: "debug" });
    const faults: string[] = [];
    let places = 0;
    let canaries: Canary[] = [];
    try {
      await malote.start();
      canaries = await live(malote, count);
      if (size !== "short") {
        faults.push(...(await browserKeeps(malote, canaries)));
        places++;
      }
      const found = await whereTheyAre(malote, canaries);
      faults.push(...found.faults);
      places += found.places;
    } finally {
      await malote.stop();
    }
    return {
      faults,
      figures: { canaries: canaries.length, places },
      planted: plant(canaries),
    };
  },
);

/** Drives every canary through the product, where it belongs and where a person may enter it by mistake. */
async function live(malote: Server, rounds: number): Promise<Canary[]> {
  const { url } = malote;
  const secret = (name: string, value: string): Canary => ({ name, value, kind: "secret" });
  const canaries: Canary[] = [
    secret("the new password", newPassword),
    secret("the wrong password", wrongPassword),
    secret("the demo password", demoPassword),
    ...Object.entries(personal).map(([name, value]): Canary => ({ name, value, kind: "personal" })),
  ];
  const email = "helena@aurora.example";
  await send(url, undefined, authorize, { body: { grant_type: "password", email, password: wrongPassword } });
  // A person types the password into the address field.
  await send(url, undefined, authorize, {
    body: { grant_type: "password", email: wrongPassword, password: wrongPassword },
  });
  let token = await signIn(url, "rui@aurora.example");
  canaries.push(secret("a token", token));
  const given = { grant_type: "client_credentials", client_id: "aurora-sandbox" } as const;
  const clientSecret = "sandbox-aurora-0f4b7d1c9a26e853";
  const machine = await send(url, undefined, authorize, { body: { ...given, client_secret: clientSecret } });
  if (!machine.done || !("access_token" in machine.done))
    throw new Error(`no token for a machine: ${machine.text}`);
  canaries.push(
    secret("the client's secret", clientSecret),
    secret("the client's token", machine.done.access_token),
  );
  await send(url, undefined, authorize, { body: { ...given, client_secret: wrongPassword } });

  const changed = await send(url, token, changePassword, {
    body: { oldPassword: demoPassword, newPassword },
  });
  if (!changed.done) throw new Error(`the password did not change: ${changed.text}`);
  token = changed.done.new_token;
  canaries.push(secret("the token after it", token));
  const factor = await send(url, token, readTwoFactorSecret);
  if (!factor.done) throw new Error(`no second factor: ${factor.text}`);
  canaries.push(secret("the second factor's secret", factor.done.secret));
  const code = new TOTP({ secret: Secret.fromBase32(factor.done.secret) }).generate();
  const enabled = await send(url, token, setTwoFactor, { body: { action: "enable", code } });
  if (!enabled.done) throw new Error(`the second factor stayed off: ${enabled.text}`);
  token = enabled.done.new_token;
  canaries.push(secret("the token after that", token));

  const credential = await send(url, await signIn(url, email), createCredential, { body: { name: "ERP" } });
  if (!credential.done) throw new Error(`no credential: ${credential.text}`);
  canaries.push(secret("a new credential's secret", credential.done.client_secret));
  canaries.push(secret("a link to choose a password", await letSomebodyIn(malote)));

  for (let round = 0; round < rounds; round++) await pay(malote, token);
  await mistakes(malote, token);
  return canaries;
}

/** Returns the token of an e-mail's link, after it was read, used, and used again. */
async function letSomebodyIn({ url }: Server): Promise<string> {
  const admin = await signIn(url, "marcos@horizonte.example");
  const email = "canario.novo@horizonte.example";
  const body = {
    name: "Canário Novo",
    email,
    profile: "analyst" as const,
    applications: ["payments" as const],
  };
  const created = await send(url, admin, createUser, { body });
  if (!created.done) throw new Error(`no person was let in: ${created.text}`);
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(100)) {
    const { done } = await send(url, undefined, listMails);
    const mail = done?.data.find(({ to }) => to === email);
    const link = /#senha=([\w-]+)/.exec(mail?.text ?? "")?.[1];
    if (!link) continue;
    await send(url, undefined, readPasswordLink, { body: { token: link } });
    const given = { body: { token: link, newPassword } };
    const chosen = await send(url, undefined, spendPasswordLink, given);
    if (!chosen.done) throw new Error(`no password was chosen: ${chosen.text}`);
    await send(url, undefined, spendPasswordLink, given);
    return link;
  }
  throw new Error("no e-mail with a link came");
}

async function pay({ url }: Server, token: string): Promise<void> {
  await send(url, undefined, depositPix, {
    body: {
      pix_key: "financeiro@aurora.example",
      value: 100_000,
      payer_name: personal.name,
      payer_document: payersDocument,
    },
  });
  const batch = await send(url, token, createBatch, { body: { name: "Folha" } });
  if (!batch.done) throw new Error(batch.text);
  const params = { id: batch.done.id };
  const byKey = {
    pix_key_type: "EMAIL",
    pix_key: personal.pixKey,
    name: personal.name,
    cpf_cnpj: personal.document,
  };
  const byAccount = {
    name: personal.name,
    cpf_cnpj: personal.document,
    bank_id: "260",
    agency: "0001",
    account: personal.account,
    account_digit: "0",
    account_type: "CONTA_CORRENTE",
  };
  for (const destination_bank_account of [byKey, byAccount]) {
    const added = await send(url, token, addTransfer, {
      params,
      body: { value: 1_000, destination_bank_account } as never,
    });
    if (!added.done) throw new Error(`a payment was refused: ${added.text}`);
  }
  await send(url, token, closeBatch, { params, body: {} as never, key: randomUUID() });
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await sleep(100)) {
    const { done } = await send(url, token, readBatch, { params });
    if (done && !["PENDING", "WAITING"].includes(done.status)) return;
  }
}

/** Sends secrets in addresses, headers, unparsable bodies and files: everywhere that a log might quote. */
async function mistakes({ url }: Server, token: string): Promise<void> {
  const all = [newPassword, token, ...Object.values(personal)];
  for (const value of all) {
    const said = encodeURIComponent(value);
    const headers = {
      authorization: `Bearer ${value}x`,
      "content-type": "application/json",
    };
    await fetch(`${url}/api/payments/app/batch?search=${said}&token=${said}`, { headers });
    await fetch(`${url}/api/payments/${said}`, { headers });
    await fetch(`${url}/api/login/authorize?password=${said}`, {
      method: "POST",
      headers,
      body: `{"password":"${value}`,
    });
    await fetch(`${url}/api/payments/app/batch`, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${token}` },
      body: JSON.stringify({ name: { [value]: value } }),
    });
  }
  const form = new FormData();
  form.set("fileName", `${personal.document}.csv`);
  form.set("file", new Blob([all.join(";")]), `${personal.pixKey}.csv`);
  await send(url, token, uploadSheet, { body: form });
}

async function whereTheyAre(malote: Server, canaries: readonly Canary[]) {
  const faults: string[] = [];
  const texts: Record<string, string> = {
    "the log": readFileSync(malote.logFile, "utf8").replaceAll(demoPassword, "(as npm start prints it)"),
    "the metrics": await (await fetch(`${malote.url}/metrics`)).text(),
    "the pages": await (await fetch(`${malote.url}/pagamentos/lotes`)).text(),
    "the description of the API": await (await fetch(`${malote.url}/api/payments/openapi.json`)).text(),
  };
  const ofPostgres = join(realpathSync(join(malote.dataDir, "postgres")), "server.log");
  if (existsSync(ofPostgres)) texts["the database's log"] = readFileSync(ofPostgres, "utf8");
  if (!texts["the log"]?.includes('"route"')) faults.push("the log has no request, so nothing was looked at");
  for (const [place, text] of Object.entries(texts)) faults.push(...hitsIn(place, text, canaries));
  const secrets = canaries.filter(({ kind }) => kind === "secret");
  const tables = await withClient(connectionOf(malote), everyRow);
  for (const { name, text } of tables) {
    // The sandbox's mailbox shows e-mails with their links to people of the demo; production has none (decision 0016).
    if (name === "sandbox.mails") continue;
    const ofNobody = name.startsWith("pgboss.") || name === "public.audit_entries";
    faults.push(...hitsIn(name, text, ofNobody ? canaries : secrets));
  }
  if (!tables.some(({ text }) => text.includes(personal.pixKey)))
    faults.push("the payments never came to be");
  return { faults, places: Object.keys(texts).length + tables.length };
}

/** Returns everything that a dump of the database would contain. */
async function everyRow(client: pg.Client): Promise<{ name: string; text: string }[]> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`);
  const tables: { name: string; text: string }[] = [];
  for (const { name } of rows) {
    const all = await client.query<{ text: string }>(
      `SELECT coalesce(string_agg(t::text, E'\\n'), '') AS text FROM ${name} t`,
    );
    tables.push({ name, text: all.rows[0]?.text ?? "" });
  }
  return tables;
}

/** Lets a person sign in and open every page; afterwards the browser stores the token, and no other canary. */
async function browserKeeps({ url }: Server, canaries: readonly Canary[]): Promise<string[]> {
  const watch = await watchedBrowser([url]);
  try {
    const { page } = watch;
    await page.goto(`${url}/entrar`);
    await page.getByLabel("E-mail").fill("helena@aurora.example");
    await page.getByLabel("Senha", { exact: true }).fill(demoPassword);
    await page.getByRole("button", { name: "Entrar", exact: true }).click();
    await page.getByRole("button", { name: /^Menu de / }).waitFor();
    for (const path of [
      "/pagamentos/saldo",
      "/pagamentos/lotes-aguardando-recebimento",
      "/pagamentos/lotes",
    ]) {
      await page.goto(url + path);
      await page.waitForLoadState("networkidle", { timeout: 10_000 }).catch(() => undefined);
    }
    const kept = await page.evaluate(async (tokenKey) => {
      const entries = (storage: Storage) =>
        Object.entries({ ...storage }).filter(([key]) => key !== tokenKey);
      return JSON.stringify([
        entries(localStorage),
        entries(sessionStorage),
        document.cookie,
        (await indexedDB.databases()).map(({ name }) => name),
        await caches.keys(),
        history.state,
        location.href,
      ]);
    }, tokenStorageKey);
    const token = await page.evaluate((key) => localStorage.getItem(key), tokenStorageKey);
    const own: Canary = { name: "the browser's token", value: token ?? "", kind: "secret" };
    const cookies = JSON.stringify(await watch.context.cookies());
    return [
      ...hitsIn("the browser", kept + cookies, [...canaries, own]),
      ...(token ? [] : ["no person was signed in"]),
    ];
  } finally {
    await watch.close();
  }
}

/** Plants forbidden lines and rows, and checks that the real log masks its input. */
function plant(canaries: readonly Canary[]): { count: number; missed: string[] } {
  const quoted = (value: string) => hitsIn("a line", `{"msg":"x ${value} y"}`, canaries).length > 0;
  let text = "";
  const log = createLog("debug", {
    write(line) {
      text += line;
    },
  });
  for (const { value } of canaries.filter(({ kind, name }) => kind === "personal" && name !== "name")) {
    log.error(
      { err: new Error(`failed for ${value}`), given: value, deep: { key: [value] } },
      `said ${value}`,
    );
  }
  log.error({ password: newPassword, headers: { authorization: newPassword } }, `password=${newPassword}`);
  const found: Record<string, boolean> = {
    "a password in a line": quoted(newPassword),
    "a password in an address": quoted(encodeURIComponent(newPassword)),
    "a password packed in base64": quoted(Buffer.from(newPassword).toString("base64")),
    "a document without its signs": quoted("73190528497"),
    "an account in a line": quoted(personal.account),
    "a key in a line": quoted(personal.pixKey),
    "a token in a line": quoted(canaries.find(({ name }) => name === "a token")?.value ?? "no token"),
    "the log given all of it": hitsIn("the log", text, canaries).length === 0 && text.length > 500,
  };
  return {
    count: Object.keys(found).length,
    missed: Object.entries(found).flatMap(([name, caught]) => (caught ? [] : [name])),
  };
}
