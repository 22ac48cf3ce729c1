/** Guessable secrets, and guessers who use each address only once. */
import { authorize, readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { dayMs } from "@malote/domain/durations";
import { Secret, TOTP } from "otpauth";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { demoPassword } from "../../apps/api/src/adapters/sandbox/demo/seed.ts";
import type { Passwords } from "../../apps/api/src/platform/auth/passwords.ts";
import { sessionKit } from "../../apps/api/src/session/kit.ts";
import type { Answer } from "../../apps/api/src/testing/answer.ts";
import { buildTestApp, type TestApp } from "../../apps/api/src/testing/app.ts";
import type { Chance } from "../chance.ts";

const windowMs = 15 * 60_000;
const looksMax = 10;
const atOnceMax = 40;

export const knownName = "lia@horizonte.example";
export const unknownName = "ninguem@horizonte.example";

export interface Target {
  name: string;
  /** Prepares some concurrent guesses and returns how to make a wrong one from an address. */
  begin(): Promise<(address: string) => Promise<Answer>>;
  /** The code of the answer to a guess that was checked. */
  wrong: string;
}

export interface Guessing {
  app: TestApp;
  both: readonly [TestApp];
  targets: readonly Target[];
  /** The product's own password hashing, with its full cost. */
  passwords: Passwords;
  ask(text: string, values?: unknown[]): Promise<unknown[]>;
  challenge(): Promise<string>;
  withCode(challenge: string, code: string, address: string): Promise<Answer>;
  /** Returns the authenticator's current code. */
  code(): string;
  freshAddress(): string;
  close(): Promise<void>;
}

export async function openGuessing(): Promise<Guessing> {
  const app = await buildTestApp();
  const { passwords } = sessionKit(app.services);
  const ask = async (text: string, values: unknown[] = []) =>
    (await app.services.db.pool.query(text, values)).rows;
  // Test hashes are cheap, but the hash for an unknown account is not.
  await ask("UPDATE users SET password_hash = $1 WHERE email = $2", [
    await passwords.hash(demoPassword),
    knownName,
  ]);
  const [company] = demoCompanies;
  if (!company) throw new Error("there is no demo company");
  const holder = company.users[0]?.email ?? "";
  const secret = await turnOnFactor(app, holder);
  const codeAt = (stepsAway: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: app.clock.now().getTime() + stepsAway * 30_000,
    });

  let addresses = 0;
  function freshAddress(): string {
    const number = ++addresses;
    const [high, low] = [Math.floor(number / 250) % 250, number % 250];
    return number % 2 === 0
      ? `203.${Math.floor(number / 62_500)}.${high}.${low}`
      : `2001:db8:${number.toString(16)}::1`;
  }
  const sign = (body: object, address: string) => app.call(authorize, { body }, { address });
  const challenge = async () =>
    (await sign({ grant_type: "password", email: holder, password: demoPassword }, freshAddress())).body
      .second_factor.challenge;
  const withCode = (proven: string, code: string, address: string) =>
    sign({ grant_type: "second_factor", challenge: proven, code }, address);
  const withPassword = (email: string) => async () => (address: string) =>
    sign({ grant_type: "password", email, password: "Errada-2026!" }, address);
  const withSecret = (client_id: string) => async () => (address: string) =>
    sign({ grant_type: "client_credentials", client_id, client_secret: "errado" }, address);
  return {
    app,
    both: [app],
    passwords,
    ask,
    challenge,
    withCode,
    code: () => codeAt(0),
    freshAddress,
    targets: [
      { name: "the password of a person", begin: withPassword(knownName), wrong: "wrong_credentials" },
      { name: "the password of no account", begin: withPassword(unknownName), wrong: "wrong_credentials" },
      {
        name: "the secret of a machine",
        begin: withSecret(company.credential.clientId),
        wrong: "wrong_credentials",
      },
      {
        name: "the code of an authenticator",
        async begin() {
          const proven = await challenge();
          return (address) => withCode(proven, wrongCodeBeside(codeAt), address);
        },
        wrong: "second_factor_wrong",
      },
    ],
    close: () => app.close(),
  };
}

/** Returns a wrong code that is not valid for a clock slightly off either. */
function wrongCodeBeside(codeAt: (stepsAway: number) => string): string {
  const right = new Set([-1, 0, 1].map(codeAt));
  const codes = Array.from({ length: 4 }, (_, number) => String(number).padStart(6, "0"));
  return codes.find((code) => !right.has(code)) ?? "";
}

async function turnOnFactor(app: TestApp, email: string): Promise<string> {
  const holder = await app.as(email);
  const { secret } = (await holder.call(readTwoFactorSecret)).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.clock.now().getTime(),
  });
  const { status, body } = await holder.call(setTwoFactor, { body: { action: "enable", code } });
  if (status !== 200) throw new Error(`the factor of ${email} is off: ${JSON.stringify(body)}`);
  app.clock.advance({ seconds: 30 });
  return secret;
}

/** Guesses concurrently, and again some minutes later. Returns the times of the checked guesses. */
export async function guessAgainAndAgain(
  { app, freshAddress }: Guessing,
  target: Target,
  chance: Chance,
  guesses: number,
  forget: () => Promise<unknown> = async () => undefined,
): Promise<number[]> {
  app.clock.advance({ ms: windowMs });
  const looked: number[] = [];
  for (let made = 0; made < guesses; ) {
    const atOnce = Math.min(guesses - made, chance.between(1, atOnceMax));
    const guess = await target.begin();
    const answers = await Promise.all(Array.from({ length: atOnce }, () => guess(freshAddress())));
    for (const { body } of answers) {
      if (body.code === target.wrong) looked.push(app.clock.now().getTime());
      else if (body.code !== "too_many_tries") throw new Error(`${target.name}: ${JSON.stringify(body)}`);
    }
    made += atOnce;
    await forget();
    app.clock.advance({ seconds: chance.between(0, 300) });
  }
  return looked;
}

/**
 * Returns faults: at most ten guesses may be checked in any quarter of an hour, wherever it begins, and none at all
 * would prove nothing.
 */
export function windowFaults(name: string, looked: readonly number[]): string[] {
  if (looked.length < looksMax) return [`${name}: only ${looked.length} guesses were looked at`];
  const most = Math.max(
    ...looked.map((from) => looked.filter((at) => at >= from && at < from + windowMs).length),
  );
  return most > looksMax ? [`${name}: ${most} guesses in a quarter of an hour`] : [];
}

/**
 * Sends six requests with one code at once, and up to two after them; more than one success is a fault. Each round takes
 * a day of the test's clock: refused codes count against the limit of a day.
 */
export async function codesTakenAgain(
  { app, challenge, withCode, code, freshAddress }: Guessing,
  rounds: number,
  forget: () => Promise<unknown> = async () => undefined,
): Promise<number> {
  let again = 0;
  for (let round = 0; round < rounds; round++) {
    app.clock.advance({ ms: dayMs });
    const now = code();
    const isIn = async (proven: string) => (await withCode(proven, now, freshAddress())).status === 200;
    const challenges = await Promise.all(Array.from({ length: 6 }, challenge));
    const atOnce = (await Promise.all(challenges.map(isIn))).filter(Boolean).length;
    if (atOnce === 0) throw new Error("a right code was refused");
    await forget();
    const after = (await isIn(await challenge())) || (await isIn(await challenge()));
    if (atOnce > 1 || after) again++;
  }
  return again;
}
