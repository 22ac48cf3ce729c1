import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { readCompanySettings } from "@malote/contracts/company";
import { authorize, changePassword, readMe } from "@malote/contracts/session";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies, demoPassword } from "../demo/seed.ts";
import { openSecrets } from "../platform/auth/secrets.ts";
import { openTokens } from "../platform/auth/tokens.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { askInside, findBearerOfSession } from "./bearer-store.ts";

let app: TestApp;
let helena: Person;
let marcos: Person;
beforeAll(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
  marcos = await app.as("marcos@horizonte.example");
});
afterAll(() => app.close());

const [aurora, horizonte] = [demoCompanies[0]!, demoCompanies[1]!];
const base64 = (value: object | string) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** A token signed as given, honestly or not. */
function forge(header: object, claims: object, key: KeyObject | "none" | { hmac: string | Buffer }): string {
  const content = `${base64(header)}.${base64(claims)}`;
  if (key === "none") return `${content}.`;
  const signature =
    "hmac" in key
      ? createHmac("sha256", key.hmac).update(content).digest()
      : sign(key.asymmetricKeyType === "ed25519" ? null : "sha256", Buffer.from(content), key);
  return `${content}.${signature.toString("base64url")}`;
}

const header = { alg: "EdDSA", typ: "JWT" };
const ours = () => app.parts.secrets.signingKey;
const claims = () => decodeJwt(helena.token);
const seconds = () => Math.floor(app.clock.now().getTime() / 1000);
/** Signed with the true key, so that only the claim itself can be what is refused. */
const signedClaim = (change: object) => forge(header, { ...claims(), ...change }, ours());
const without = (name: string) => {
  const { [name]: _, ...rest } = claims();
  return forge(header, rest, ours());
};
const pem = () => app.parts.secrets.verifyingKey.export({ type: "spki", format: "pem" }) as string;
const der = () => app.parts.secrets.verifyingKey.export({ type: "spki", format: "der" });
const rawKey = () => Buffer.from(app.parts.secrets.verifyingKey.export({ format: "jwk" }).x!, "base64url");
const otherKey = generateKeyPairSync("ed25519").privateKey;
const parts = () => helena.token.split(".") as [string, string, string];
const missing = "01990000-0000-7000-8000-0000000fffff";

const forgeries: [string, () => string][] = [
  ...["none", "None", "NONE", "nOnE", ""].flatMap((alg): [string, () => string][] => [
    [`alg '${alg}' and no signature`, () => forge({ ...header, alg }, claims(), "none")],
    [
      `alg '${alg}' and the true signature`,
      () => `${base64({ ...header, alg })}.${parts()[1]}.${parts()[2]}`,
    ],
    [`alg '${alg}' and an honest signature of it`, () => forge({ ...header, alg }, claims(), ours())],
  ]),
  ...["HS256", "HS384", "HS512"].flatMap((alg): [string, () => string][] => [
    [`${alg} with the public key as text`, () => forge({ ...header, alg }, claims(), { hmac: pem() })],
    [
      `${alg} with the public key as text, trimmed`,
      () => forge({ ...header, alg }, claims(), { hmac: pem().trim() }),
    ],
    [`${alg} with the public key as bytes`, () => forge({ ...header, alg }, claims(), { hmac: der() })],
    [`${alg} with the raw public key`, () => forge({ ...header, alg }, claims(), { hmac: rawKey() })],
    [`${alg} with an empty secret`, () => forge({ ...header, alg }, claims(), { hmac: "" })],
    [`${alg} with a guessed secret`, () => forge({ ...header, alg }, claims(), { hmac: "secret" })],
  ]),
  ...["RS256", "PS256", "ES256", "ES512", "ES256K", "EdDSA "].map((alg): [string, () => string] => [
    `another algorithm, ${alg}`,
    () => forge({ ...header, alg }, claims(), ours()),
  ]),
  ["another key of the same kind", () => forge(header, claims(), otherKey)],
  [
    "another key that comes along in the header",
    () => forge({ ...header, jwk: otherKey.export({ format: "jwk" }) }, claims(), otherKey),
  ],
  ["a key named in the header", () => forge({ ...header, kid: "../../dev/null" }, claims(), otherKey)],
  ["a key at an address", () => forge({ ...header, jku: "https://evil.example/keys" }, claims(), otherKey)],
  ["certificates in the header", () => forge({ ...header, x5c: ["AAAA"] }, claims(), otherKey)],
  ["the key of another installation", () => forge(header, claims(), openSecrets("x".repeat(48)).signingKey)],
  [
    "an RSA key",
    () =>
      forge(
        { ...header, alg: "RS256" },
        claims(),
        generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
      ),
  ],
  ["an unknown critical header", () => forge({ ...header, crit: ["exp2"], exp2: 1 }, claims(), ours())],
  ["an unencoded payload", () => forge({ ...header, crit: ["b64"], b64: false }, claims(), ours())],
  ["another type", () => forge({ ...header, typ: "at+jwt" }, claims(), ours())],
  ["no type", () => forge({ alg: "EdDSA" }, claims(), ours())],
  ["no algorithm", () => forge({ typ: "JWT" }, claims(), ours())],
  ["the true signature cut off", () => `${parts()[0]}.${parts()[1]}.`],
  ["the true signature cut short", () => helena.token.slice(0, -4)],
  ["a signature of zeros", () => `${parts()[0]}.${parts()[1]}.${base64("\0".repeat(64))}`],
  ["a changed bit in the signature", () => flip(2, 10)],
  ["a changed bit in the content", () => flip(1, 40)],
  ["a changed bit in the header", () => flip(0, 5)],
  [
    "another person's content under this signature",
    () => `${parts()[0]}.${marcos.token.split(".")[1]}.${parts()[2]}`,
  ],
  [
    "another profile under the true signature",
    () => `${parts()[0]}.${base64({ ...claims(), profile: "operator" })}.${parts()[2]}`,
  ],
  [
    "a longer life under the true signature",
    () => `${parts()[0]}.${base64({ ...claims(), exp: seconds() + 86_400 })}.${parts()[2]}`,
  ],
  ["nothing but dots", () => ".."],
  ["one part", () => parts()[0]],
  ["two parts", () => `${parts()[0]}.${parts()[1]}`],
  ["four parts", () => `${helena.token}.${parts()[2]}`],
  ["five parts, as if encrypted", () => `${helena.token}.a.b`],
  ["content that is no JSON", () => `${base64(header)}.${base64("{")}.${parts()[2]}`],
  ["content that is a list", () => forge(header, [claims()], ours())],
  ["a very long token", () => signedClaim({ name: "x".repeat(20_000) })],

  ["a wrong issuer", () => signedClaim({ iss: "somebody" })],
  ["a list of issuers", () => signedClaim({ iss: ["malote"] })],
  ["no issuer", () => without("iss")],
  ["a wrong audience", () => signedClaim({ aud: "malote-second-factor" })],
  ["no audience", () => without("aud")],
  ["an empty list of audiences", () => signedClaim({ aud: [] })],
  ["no end", () => without("exp")],
  ["an end in words", () => signedClaim({ exp: "never" })],
  ["an end as text", () => signedClaim({ exp: String(seconds() + 600) })],
  ["an end that is no number", () => signedClaim({ exp: null })],
  ["an end in the past", () => signedClaim({ exp: seconds() - 1 })],
  ["an end right now", () => signedClaim({ exp: seconds() })],
  ["a beginning in the future", () => signedClaim({ nbf: seconds() + 600 })],
  ["no id", () => without("jti")],
  ["an id that is no id", () => signedClaim({ jti: "1" })],
  ["no time of making", () => without("iat")],
  ["no subject", () => without("sub")],
  ["another subject", () => signedClaim({ sub: aurora.users[1]!.id })],
  ["a subject that speaks SQL", () => signedClaim({ sub: "' OR 1=1 --" })],
  ["another company's subject", () => signedClaim({ sub: horizonte.users[0]!.id })],
  ["no session", () => without("sid")],
  ["a session that never was", () => signedClaim({ sid: missing })],
  ["another company's session", () => signedClaim({ sid: decodeJwt(marcos.token)["sid"] })],
  [
    "another company",
    () => signedClaim({ company: { ...(claims()["company"] as object), id: horizonte.id } }),
  ],
  [
    "a company that speaks SQL",
    () => signedClaim({ company: { ...(claims()["company"] as object), id: "'; DROP TABLE users" } }),
  ],
  ["no company", () => without("company")],
  ["an application that is none", () => signedClaim({ application: { id: "cards", name: "" } })],
  ["a person who says to be a machine", () => signedClaim({ kind: "machine" })],
  [
    "a machine that says to be a person",
    () => signedClaim({ kind: "user", sub: aurora.credential.id, sid: aurora.credential.id }),
  ],
  ["a machine that never was", () => signedClaim({ kind: "machine", sub: missing, sid: missing })],
  ["another kind of bearer", () => signedClaim({ kind: "system" })],
  ["an unknown profile", () => signedClaim({ profile: "root" })],
];

function flip(part: 0 | 1 | 2, at: number): string {
  const bytes = Buffer.from(parts()[part], "base64url");
  bytes[at] = bytes[at]! ^ 1;
  const changed = parts();
  changed[part] = bytes.toString("base64url");
  return changed.join(".");
}

describe("S3 forged tokens", () => {
  it("has at least eighty of them", () => expect(forgeries.length).toBeGreaterThanOrEqual(80));

  it.each(forgeries)("refuses %s", async (_, make) => {
    const token = make();
    expect(await app.call(readMe, {}, { token })).toMatchObject({
      status: 401,
      body: { code: "not_authenticated", data: null },
    });
    if (token.length > 8000) return;
    const renewal = await app.call(authorize, {
      body: { grant_type: "refresh_token", refresh_token: token },
    });
    expect(renewal).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("still accepts the true one after all of them", async () => {
    expect((await helena.call(readMe)).status).toBe(200);
  });

  it.each([
    ["no header", {}],
    ["another scheme", { authorization: "Basic aGVsZW5hOng=" }],
    ["an empty bearer", { authorization: "Bearer " }],
    ["a bearer with spaces", { authorization: "Bearer a b" }],
  ])("SES-034 refuses a call with %s", async (_, headers) => {
    expect(await app.call(readMe, {}, { headers: headers as Record<string, string> })).toMatchObject({
      status: 401,
    });
  });

  it("SES-034 does not take the token from the address or from the body", async () => {
    expect((await app.send("GET", `/api/payments/user/me?token=${helena.token}`)).status).toBe(401);
    expect(
      (
        await app.send("GET", "/api/payments/user/me", undefined, {
          headers: { cookie: `token=${helena.token}` },
        })
      ).status,
    ).toBe(401);
  });

  it("never accepts the proof of a password as a token", async () => {
    const challenge = await openTokens(app.parts).signChallenge({
      sub: aurora.users[0]!.id,
      company: aurora.id,
      version: 1,
    });
    expect((await app.call(readMe, {}, { token: challenge })).status).toBe(401);
  });

  it("names EdDSA in what it signs, and nothing of its key", () => {
    expect(decodeProtectedHeader(helena.token)).toEqual({ alg: "EdDSA", typ: "JWT" });
  });
});

describe("a token believes the database, not itself", () => {
  const change = (text: string, email = "lia@horizonte.example") =>
    app.parts.db.withCompany(horizonte.id, (tx) =>
      sql`UPDATE users SET ${sql.raw(text)} WHERE email = ${email}`.execute(tx),
    );
  const settings = (person: Person) => person.call(readCompanySettings);

  it("SES-050 counts a new profile at once, though the token still says the old one", async () => {
    const lia = await app.as("lia@horizonte.example");
    const asAdmin = () => lia.put("/api/payments/companySettings", { accept_contacerta_suggestions: true });
    expect((await asAdmin()).status).toBe(403);
    await change("profile = 'admin'");
    expect((await asAdmin()).status).toBe(200);
    await change("profile = 'analyst'");
    expect((await asAdmin()).status).toBe(403);
    await change("profile = 'operator'");
  });

  it("ends with a higher session version", async () => {
    const lia = await app.as("lia@horizonte.example");
    await change("session_version = session_version + 1");
    expect((await settings(lia)).status).toBe(401);
  });

  it("ends with the removal of the user", async () => {
    const bia = await app.as("bia@horizonte.example");
    await change("removed_at = now()", "bia@horizonte.example");
    expect((await settings(bia)).status).toBe(401);
  });

  it("SES-041 ends with the loss of its application, and with no application nobody gets in", async () => {
    const lia = await app.as("lia@horizonte.example");
    await change("applications = '{validation}'");
    expect((await settings(lia)).status).toBe(401);
    const signedIn = await app.call(authorize, {
      body: { grant_type: "password", email: "lia@horizonte.example", password: demoPassword },
    });
    expect(decodeJwt(signedIn.body.access_token)["application"]).toMatchObject({ id: "validation" });
    await change("applications = '{}'");
    const refused = await app.call(authorize, {
      body: { grant_type: "password", email: "lia@horizonte.example", password: demoPassword },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: "forbidden" } });
    await change("applications = '{payments,validation}'");
  });

  it("SES-044 SES-058 asks for platform_access with each call", async () => {
    const set = (permissions: string[]) =>
      app.parts.db.withCompany(horizonte.id, (tx) =>
        sql`UPDATE companies SET permissions = ${permissions} WHERE company_id = ${horizonte.id}`.execute(tx),
      );
    await set(["payout_pix"]);
    expect(await settings(marcos)).toMatchObject({ status: 403, body: { code: "forbidden" } });
    await set(["platform_access"]);
    expect((await settings(marcos)).status).toBe(200);
    await set(["all"]);
  });

  it("SES-046 lets nobody work without the second factor the company demands", async () => {
    const demand = (value: boolean) =>
      app.parts.db.withCompany(horizonte.id, (tx) =>
        sql`UPDATE companies SET settings = settings || ${JSON.stringify({ requiresTwoFactor: value })}::jsonb
            WHERE company_id = ${horizonte.id}`.execute(tx),
      );
    await demand(true);
    expect(await settings(marcos)).toMatchObject({ status: 403, body: { code: "second_factor_required" } });
    expect((await marcos.call(readMe)).status).toBe(200);
    await demand(false);
  });
});

describe("asking who a token speaks for", () => {
  const session = () => ({ companyId: aurora.id, id: String(claims()["sid"]), userId: String(claims().sub) });
  const askFrom = (companyId: string) =>
    app.parts.db.withCompany(companyId, (tx) =>
      findBearerOfSession(askInside(tx), session(), app.clock.now()),
    );

  it("answers a transaction about its own company alone", async () => {
    expect(await askFrom(aurora.id)).toMatchObject({ name: "Helena Prado" });
    expect(await askFrom(horizonte.id)).toBeUndefined();
  });

  it("answers outside a transaction, also on a connection that served a company before", async () => {
    const { pool } = app.parts.db;
    const one = await pool.connect();
    try {
      await one.query(
        `BEGIN; SET LOCAL ROLE malote_app; SET LOCAL app.company_id = '${horizonte.id}'; COMMIT`,
      );
      const { rows } = await one.query("SELECT name FROM bearer_of_session($1, $2, $3, $4)", [
        ...Object.values(session()),
        app.clock.now(),
      ]);
      expect(rows).toEqual([{ name: "Helena Prado" }]);
    } finally {
      one.release();
    }
  });
});

describe("machines", () => {
  const { clientId, clientSecret } = aurora.credential;
  const ask = (client_id: string, client_secret: string) =>
    app.call(authorize, { body: { grant_type: "client_credentials", client_id, client_secret } });

  it.each([
    ["a wrong secret", clientId, "wrong"],
    ["no secret", clientId, ""],
    ["another company's secret", clientId, horizonte.credential.clientSecret],
    ["an unknown client", "nobody", clientSecret],
    ["a person's e-mail", "helena@aurora.example", demoPassword],
  ])("refuses %s", async (_, id, secret) => {
    expect(await ask(id, secret)).toMatchObject({ status: 401, body: { code: "wrong_credentials" } });
  });

  it("DEV-011 gets a token of thirty minutes", async () => {
    const answer = await ask(clientId, clientSecret);
    expect(answer).toMatchObject({ status: 200, body: { token_type: "Bearer", expires_in: 1800 } });
    const token = answer.body.access_token;
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(200);
    app.clock.advance({ minutes: 29, seconds: 59 });
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(200);
    app.clock.advance({ seconds: 1 });
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(401);
  });

  it("may not do what only a person may, nor renew its token", async () => {
    const token = (await ask(clientId, clientSecret)).body.access_token;
    expect(await app.call(readMe, {}, { token })).toMatchObject({ status: 403, body: { code: "forbidden" } });
    const body = { oldPassword: demoPassword, newPassword: "Outra-2026!" };
    expect((await app.call(changePassword, { body }, { token })).status).toBe(403);
    const renewal = await app.call(authorize, {
      body: { grant_type: "refresh_token", refresh_token: token },
    });
    expect(renewal).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
  });

  it("ends at once with its credential", async () => {
    const token = (await ask(clientId, clientSecret)).body.access_token;
    await app.parts.db.withCompany(aurora.id, (tx) =>
      sql`UPDATE api_credentials SET revoked_at = now() WHERE client_id = ${clientId}`.execute(tx),
    );
    expect((await app.call(readCompanySettings, {}, { token })).status).toBe(401);
    expect((await ask(clientId, clientSecret)).status).toBe(401);
  });
});
