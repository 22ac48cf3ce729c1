import { type Application, applications, type Profile } from "@malote/contracts/policy";
import { sql } from "kysely";
import type { Tx } from "../platform/db/database.ts";

/** Everything a token says of its bearer, as it stands in the database now. */
export interface BearerFacts {
  id: string;
  name: string;
  email: string;
  profile: Profile;
  applications: Application[];
  twoFactorEnabled: boolean;
  twoFactorEnforced: boolean;
  sessionVersion: number;
  permissions: string[];
  featureFlags: string[];
  company: { id: string; name: string; taxId: string; acceptedContract: boolean };
}

interface CompanyColumns {
  company_id: string;
  company_name: string;
  tax_id: string;
  accepted_contract: boolean;
  permissions: string[];
  feature_flags: string[];
}
interface UserColumns extends CompanyColumns {
  id: string;
  name: string;
  email: string;
  profile: Profile;
  applications: Application[];
  two_factor_enabled: boolean;
  two_factor_enforced: boolean;
  session_version: number;
}

const companyColumns = sql`
  c.company_id, c.name AS company_name, c.tax_id, c.accepted_contract, c.permissions, c.feature_flags`;
const userColumns = sql`
  u.id, u.name, u.email, u.profile, u.applications, u.session_version,
  u.two_factor_at IS NOT NULL AS two_factor_enabled,
  coalesce((c.settings->>'requiresTwoFactor')::boolean, false) AS two_factor_enforced, ${companyColumns}`;

const companyFacts = (row: CompanyColumns) => ({
  permissions: row.permissions,
  featureFlags: row.feature_flags,
  company: {
    id: row.company_id,
    name: row.company_name,
    taxId: row.tax_id,
    acceptedContract: row.accepted_contract,
  },
});

const userFacts = (row: UserColumns): BearerFacts => ({
  id: row.id,
  name: row.name,
  email: row.email,
  profile: row.profile,
  applications: row.applications,
  twoFactorEnabled: row.two_factor_enabled,
  twoFactorEnforced: row.two_factor_enforced,
  sessionVersion: row.session_version,
  ...companyFacts(row),
});

/** The person of a session that is open, not over, and no older than the last change of password, role or factor. */
export async function findBearerOfSession(
  tx: Tx,
  sessionId: string,
  userId: string,
  now: Date,
): Promise<BearerFacts | undefined> {
  const { rows } = await sql<UserColumns>`
    SELECT ${userColumns}
    FROM sessions s
    JOIN users u ON u.company_id = s.company_id AND u.id = s.user_id
    JOIN companies c ON c.company_id = s.company_id
    WHERE s.company_id = ${tx.companyId} AND s.id = ${sessionId} AND s.user_id = ${userId}
      AND s.ended_at IS NULL AND s.expires_at > ${now}
      AND u.removed_at IS NULL AND u.session_version = s.session_version
  `.execute(tx);
  return rows[0] && userFacts(rows[0]);
}

export async function findBearerOfUser(tx: Tx, userId: string): Promise<BearerFacts | undefined> {
  const { rows } = await sql<UserColumns>`
    SELECT ${userColumns}
    FROM users u JOIN companies c ON c.company_id = u.company_id
    WHERE u.company_id = ${tx.companyId} AND u.id = ${userId} AND u.removed_at IS NULL
  `.execute(tx);
  return rows[0] && userFacts(rows[0]);
}

/** A company's own system, for as long as its credential is not revoked. It has no session, no factor and one application. */
export async function findBearerOfCredential(tx: Tx, credentialId: string): Promise<BearerFacts | undefined> {
  const { rows } = await sql<CompanyColumns & { id: string; name: string; profile: Profile }>`
    SELECT a.id, a.name, a.profile, ${companyColumns}
    FROM api_credentials a JOIN companies c ON c.company_id = a.company_id
    WHERE a.company_id = ${tx.companyId} AND a.id = ${credentialId} AND a.revoked_at IS NULL
  `.execute(tx);
  const row = rows[0];
  return (
    row && {
      id: row.id,
      name: row.name,
      email: "",
      profile: row.profile,
      applications: [applications[0]],
      twoFactorEnabled: false,
      twoFactorEnforced: false,
      sessionVersion: 0,
      ...companyFacts(row),
    }
  );
}
