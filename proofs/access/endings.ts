/** Changes that end a token or its rights: each must take effect for the very next request, in every process. */
import { createHmac } from "node:crypto";
import { changeCompanySettings } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
import { revokeCredential } from "@malote/contracts/developer";
import {
  authorize,
  changePassword,
  logout,
  readTwoFactorSecret,
  setTwoFactor,
} from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import type { DemoCompany } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { demoPassword } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import type { Answer } from "../../apps/api/src/testing/answer.ts";
import type { TestApp } from "../../apps/api/src/testing/app.ts";
import { personToken } from "./environment.ts";
import type { Input } from "./schemas.ts";

export interface Ending {
  name: string;
  /** The owner of the token. */
  bearer: "admin" | "machine";
  /** Ends `token`; may return tokens that must be refused too. */
  end(app: TestApp, company: DemoCompany, token: string): Promise<readonly string[] | undefined>;
  /** The refusal that remains: an invalid token, or a missing right to the call. */
  leaves: "not_authenticated" | "forbidden";
  /** SQL that restores the company. */
  undo: string;
}

/** The call made before and after: one that only an admin may make, and one of a program. */
export const asked: Readonly<Record<Ending["bearer"], { call: Contract; input: Input }>> = {
  admin: {
    call: changeCompanySettings as Contract,
    input: { body: { accept_contacerta_suggestions: true } },
  },
  machine: { call: readBalance as Contract, input: {} },
};

const newPassword = "Outra-senha-2026!";
const restored = `UPDATE users SET removed_at = NULL, profile = 'admin', applications = '{payments,validation}' WHERE id = $1`;

function must(answer: Answer): Answer["body"] {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

/** Returns the six digits of an authenticator app (RFC 6238). */
function codeOf(secret: string, now: Date, stepsLater = 0): string {
  const bits = [...secret].map((sign) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(sign).toString(2).padStart(5, "0"),
  );
  const bytes = bits.join("").match(/.{8}/g) ?? [];
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(now.getTime() / 30_000) + stepsLater));
  const hash = createHmac("sha1", key).update(step).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

const bySql = (name: string, text: string, leaves: Ending["leaves"], undo: string): Ending => ({
  name,
  bearer: "admin",
  leaves,
  undo,
  async end(app, company) {
    await app.services.db.pool.query(text, [text.includes("companies") ? company.id : company.users[0]?.id]);
    return undefined;
  },
});

const renew = (app: TestApp, token: string) =>
  app.call(authorize, { body: { grant_type: "refresh_token", refresh_token: token } });

export const endings: readonly Ending[] = [
  {
    name: "logging out",
    bearer: "admin",
    leaves: "not_authenticated",
    undo: restored,
    async end(app, _company, token) {
      must(await app.call(logout, {}, { token }));
      return undefined;
    },
  },
  {
    name: "another password",
    bearer: "admin",
    leaves: "not_authenticated",
    undo: restored,
    async end(app, _company, token) {
      const given = { oldPassword: demoPassword, newPassword };
      const { new_token } = must(await app.call(changePassword, { body: given }, { token }));
      const back = { oldPassword: newPassword, newPassword: demoPassword };
      must(await app.call(changePassword, { body: back }, { token: new_token }));
      return [new_token];
    },
  },
  {
    name: "the second factor turned on, and off",
    bearer: "admin",
    leaves: "not_authenticated",
    undo: restored,
    async end(app, _company, token) {
      const { secret } = must(await app.call(readTwoFactorSecret, {}, { token }));
      const now = app.clock.now();
      const on = { action: "enable", code: codeOf(secret, now) };
      const { new_token } = must(await app.call(setTwoFactor, { body: on }, { token }));
      // Each code is valid once, so turning it off takes the next one.
      const off = { action: "disable", code: codeOf(secret, now, 1) };
      must(await app.call(setTwoFactor, { body: off }, { token: new_token }));
      return [new_token];
    },
  },
  {
    name: "a token exchanged twice after its grace",
    bearer: "admin",
    leaves: "not_authenticated",
    undo: restored,
    async end(app, _company, token) {
      const first = must(await renew(app, token)).access_token;
      await app.services.db.pool.query("UPDATE sessions SET renewed_at = renewed_at - interval '11 seconds'");
      const again = await renew(app, token);
      if (again.status !== 401) throw new Error(`a token was exchanged twice: ${again.status}`);
      return [first];
    },
  },
  bySql(
    "the end of the session's twelve hours",
    "UPDATE sessions SET expires_at = created_at WHERE user_id = $1",
    "not_authenticated",
    restored,
  ),
  bySql(
    "a session version that grew, as with another role",
    "UPDATE users SET session_version = session_version + 1, profile = 'operator' WHERE id = $1",
    "not_authenticated",
    restored,
  ),
  bySql("a lower profile", "UPDATE users SET profile = 'analyst' WHERE id = $1", "forbidden", restored),
  bySql(
    "an application taken away",
    "UPDATE users SET applications = '{validation}' WHERE id = $1",
    "not_authenticated",
    restored,
  ),
  bySql(
    "the removal of the person",
    "UPDATE users SET removed_at = now() WHERE id = $1",
    "not_authenticated",
    restored,
  ),
  bySql(
    "a blocked company",
    "UPDATE companies SET permissions = '{payout_pix}' WHERE company_id = $1",
    "forbidden",
    "UPDATE companies SET permissions = '{all}' WHERE $1::uuid IS NOT NULL",
  ),
  {
    name: "a revoked credential",
    bearer: "machine",
    leaves: "not_authenticated",
    undo: "UPDATE api_credentials SET revoked_at = NULL WHERE $1::uuid IS NOT NULL",
    async end(app, company) {
      const admin = await personToken(app.services, company, "admin");
      const params = { id: company.credential.id };
      must(await app.call(revokeCredential, { params }, { token: admin }));
      return undefined;
    },
  },
];
