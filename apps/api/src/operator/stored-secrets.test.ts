/** Replacing the secret: values of the old one stay valid until it is removed, and nothing is lost. */
import { authorize, readMe, readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { decodeProtectedHeader } from "jose";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import { openSecrets } from "../platform/auth/secrets.ts";
import { readConfig, WrongConfiguration } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { startProduct } from "../product.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { auroraId } from "../testing/payments-kit.ts";
import { operate } from "./command-line.ts";

const older = "a secret of tests that is long enough for everybody";
const newer = "another secret of tests, which is long enough as well";
const strange = "a third secret of tests that nobody has configured";
const email = "helena@aurora.example";

let app: TestApp;
let helena: Person;
let opened: TestApp[];
beforeEach(async () => {
  app = await buildTestApp();
  helena = await app.as(email);
  opened = [];
});
afterEach(async () => {
  for (const one of [...opened, app]) await one.close();
});

/** Starts the same installation with these secrets. */
async function startedWith(secret: string, second?: string): Promise<TestApp> {
  const started = await buildTestApp({
    clock: app.clock,
    seed: false,
    async services(made) {
      await made.db.close();
      const { host, port, user, database } = app.services.db.pool.options;
      const same = {
        ...(host && { host }),
        ...(port && { port }),
        ...(user && { user }),
        ...(database && { database }),
      };
      return { db: openDatabase({ max: 3, ...same }), secrets: openSecrets(secret, second) };
    },
  });
  opened.push(started);
  return started;
}

const fetchStatus = async (by: TestApp, token: string) => (await by.call(readMe, {}, { token })).status;
const run = ({ services }: TestApp, ...words: string[]) =>
  operate({ ...services, secrets: () => services.secrets, networks: services }, [...words, "--json"]).then(
    JSON.parse,
  );

async function turnOnTwoFactor(): Promise<string> {
  const { secret } = (await helena.call(readTwoFactorSecret)).body;
  const answer = await helena.call(setTwoFactor, { body: { action: "enable", code: codeOf(secret) } });
  expect(answer.status).toBe(200);
  app.clock.advance({ seconds: 30 });
  return secret;
}
const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now().getTime() });
const signIn = (by: TestApp, password = demoPassword) =>
  by.call(authorize, { body: { grant_type: "password", email, password } });

/** Signs in with password and code; returns the status of the code's call. */
async function enterBy(by: TestApp, secret: string): Promise<number> {
  const { challenge } = (await signIn(by)).body.second_factor;
  const body = { grant_type: "second_factor", challenge, code: codeOf(secret) };
  return (await by.call(authorize, { body })).status;
}

describe("a token", () => {
  it("is refused after its older secret was removed", async () => {
    expect(await fetchStatus(await startedWith(newer), helena.token)).toBe(401);
  });

  it("is refused if it is signed with an unknown secret, whatever key it names", async () => {
    const other = await startedWith(strange);
    const { token } = await other.as(email);
    expect(await fetchStatus(await startedWith(newer, older), token)).toBe(401);
  });

  it("is valid with the older secret while that is the second one", async () => {
    expect(await fetchStatus(await startedWith(newer, older), helena.token)).toBe(200);
  });

  it("is valid with the newer secret while that is still the second one, as during a replacement of processes", async () => {
    const { token } = await (await startedWith(newer, older)).as(email);
    expect(await fetchStatus(await startedWith(older, newer), token)).toBe(200);
  });

  it("is signed with the first secret, and names its key", async () => {
    const during = await startedWith(newer, older);
    const { token } = await during.as(email);
    expect(decodeProtectedHeader(token).kid).toBe(openSecrets(newer).keyId);
    expect(await fetchStatus(await startedWith(newer), token)).toBe(200);
  });
});

describe("a second factor", () => {
  it("is checked with the older secret while that is the second one", async () => {
    const secret = await turnOnTwoFactor();
    expect(await enterBy(await startedWith(newer, older), secret)).toBe(200);
  });

  it("remains valid without the older secret once everything is encrypted again", async () => {
    const secret = await turnOnTwoFactor();
    expect(await run(await startedWith(newer, older), "reencrypt")).toEqual({ changed: 1, left: 0 });
    expect(await enterBy(await startedWith(newer), secret)).toBe(200);
  });

  it("is checked without a key id, and gets one", async () => {
    const secret = await turnOnTwoFactor();
    await app.services.db.pool.query(
      "UPDATE users SET two_factor_secret = split_part(two_factor_secret, '.', 2) WHERE two_factor_secret IS NOT NULL",
    );
    const during = await startedWith(newer, older);
    expect(await enterBy(during, secret)).toBe(200);
    app.clock.advance({ seconds: 30 });
    expect(await run(during, "reencrypt")).toEqual({ changed: 1, left: 0 });
    expect(await enterBy(await startedWith(newer), secret)).toBe(200);
  });

  it("is not changed by a second run", async () => {
    await turnOnTwoFactor();
    const during = await startedWith(newer, older);
    await run(during, "reencrypt");
    expect(await run(during, "reencrypt")).toEqual({ changed: 0, left: 0 });
  });
});

it("encrypts the codes of Pix keys again as well", async () => {
  const { db, secrets } = app.services;
  await db.pool.query(
    "UPDATE pix_keys SET code_secret = $1 WHERE id = (SELECT id FROM pix_keys ORDER BY id LIMIT 1)",
    [secrets.encrypt("123456")],
  );
  await run(await startedWith(newer, older), "reencrypt");
  const { rows } = await db.pool.query("SELECT code_secret FROM pix_keys WHERE code_secret IS NOT NULL");
  expect(rows.map(({ code_secret }) => openSecrets(newer).decrypt(code_secret))).toEqual(["123456"]);
});

it("shows the operator which keys are needed, and for how many values", async () => {
  await turnOnTwoFactor();
  const [newerId, olderId] = [openSecrets(newer).keyId, openSecrets(older).keyId];
  expect(await run(await startedWith(newer, older), "keys")).toEqual([
    { id: newerId, count: 0, state: "newest" },
    { id: olderId, count: 1, state: "second" },
  ]);
  expect(await run(await startedWith(newer), "keys")).toEqual([
    { id: newerId, count: 0, state: "newest" },
    { id: olderId, count: 1, state: "missing" },
  ]);
});

describe("a start", () => {
  async function problemsOfStart(secret: string, second?: string): Promise<readonly string[]> {
    const config = readConfig({
      MALOTE_LOG: "silent",
      MALOTE_DATA: app.services.config.dataDir,
      MALOTE_SECRET: secret,
      ...(second && { MALOTE_SECOND_SECRET: second }),
      PORT: "0",
    });
    const running: ((drainMs: number) => Promise<unknown>)[] = [];
    try {
      await startProduct(config, app.services.db.pool.options, { say: () => undefined, running });
      return [];
    } catch (error) {
      if (error instanceof WrongConfiguration) return error.problems;
      throw error;
    } finally {
      for (const end of running.reverse()) await end(0);
    }
  }

  it("is refused in one sentence while a stored value needs an unknown key", async () => {
    await turnOnTwoFactor();
    const [problem, ...others] = await problemsOfStart(newer);
    expect(problem).toContain(
      `cifrados com a chave ${openSecrets(older).keyId}, que esta instalação não tem`,
    );
    expect(problem).toContain("MALOTE_SECOND_SECRET");
    expect(others).toEqual([]);
  });

  it("succeeds with the second secret, and without it once everything is encrypted again", async () => {
    await turnOnTwoFactor();
    expect(await problemsOfStart(newer, older)).toEqual([]);
    await run(await startedWith(newer, older), "reencrypt");
    expect(await problemsOfStart(newer)).toEqual([]);
  });
});

describe("a secret that no known key can decrypt", () => {
  it("is removed by the operator's command with an entry in the trail, and its person signs in by password", async () => {
    await turnOnTwoFactor();
    const after = await startedWith(newer);
    expect(await run(after, "forget-secrets")).toEqual({ forgotten: 1 });
    expect((await signIn(after)).body.access_token).toEqual(expect.any(String));
    const { rows } = await app.services.db.pool.query(
      "SELECT actor_name, company_id FROM audit_entries WHERE action = 'two_factor.reset'",
    );
    expect(rows).toEqual([{ actor_name: "Operador da instalação", company_id: auroraId }]);
  });

  it("is the only one that is removed by the command", async () => {
    const secret = await turnOnTwoFactor();
    const during = await startedWith(newer, older);
    expect(await run(during, "forget-secrets")).toEqual({ forgotten: 0 });
    expect(await enterBy(during, secret)).toBe(200);
  });
});

it.each([
  [{ MALOTE_SECOND_SECRET: "short" }, "ao menos 32 caracteres"],
  [{ MALOTE_SECRET: older, MALOTE_SECOND_SECRET: older }, "deve ser outro segredo"],
])("refuses the configuration %j", (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence);
});
