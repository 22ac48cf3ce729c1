import type { Application, Profile } from "@malote/contracts/policy";
import { CompiledQuery } from "kysely";
import type { Database, Tx } from "../platform/db/database.ts";

/** Facts about a token's bearer, read from the database. */
export interface BearerFacts {
  id: string;
  /** Value that changes whenever one of these facts may have changed; null when the company has none. */
  epoch: string | null;
  /** Session expiry; null for credentials. */
  ends: Date | null;
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
  epoch: string | null;
  company_id: string;
  company_name: string;
  tax_id: string;
  accepted_contract: boolean;
  permissions: string[];
  feature_flags: string[];
}
interface UserColumns extends CompanyColumns {
  ends: Date | null;
  id: string;
  name: string;
  email: string;
  profile: Profile;
  applications: Application[];
  two_factor_enabled: boolean;
  two_factor_enforced: boolean;
  session_version: number;
}

const companyFacts = (row: CompanyColumns) => ({
  epoch: row.epoch,
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
  ends: row.ends,
  name: row.name,
  email: row.email,
  profile: row.profile,
  applications: row.applications,
  twoFactorEnabled: row.two_factor_enabled,
  twoFactorEnforced: row.two_factor_enforced,
  sessionVersion: row.session_version,
  ...companyFacts(row),
});

/** Function that runs a query inside a transaction or in a round trip of its own. */
export type RunQuery = <Row extends object>(name: string, text: string, values: unknown[]) => Promise<Row[]>;

export const queryInTransaction =
  (tx: Tx): RunQuery =>
  async <Row extends object>(_name: string, text: string, values: unknown[]) =>
    (await tx.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;

/** Queries in one round trip, with a plan that each connection stores, because every call needs it. */
export const queryPooled =
  ({ pool }: Pick<Database, "pool">): RunQuery =>
  async <Row extends object>(name: string, text: string, values: unknown[]) =>
    (await pool.query<Row>({ name, text, values })).rows;

/**
 * Returns the user of an open session that is not expired and not older than the last change of password, role or
 * factor.
 */
export async function findBearerOfSession(
  runQuery: RunQuery,
  session: { companyId: string; id: string; userId: string },
  now: Date,
): Promise<BearerFacts | undefined> {
  const [row] = await runQuery<UserColumns>(
    "bearer_of_session",
    "SELECT *, bearer_epoch($1) AS epoch, end_of_session($1, $2) AS ends FROM bearer_of_session($1, $2, $3, $4)",
    [session.companyId, session.id, session.userId, now],
  );
  return row && userFacts(row);
}

export async function findBearerOfUser(tx: Tx, userId: string): Promise<BearerFacts | undefined> {
  const text =
    "SELECT *, bearer_epoch($1) AS epoch, NULL::timestamptz AS ends FROM bearer_of_session($1, NULL, $2, NULL)";
  const [row] = await queryInTransaction(tx)<UserColumns>("bearer_of_user", text, [tx.companyId, userId]);
  return row && userFacts(row);
}

/** Returns a credential of a company's system. It has no session, no second factor and one application. */
export async function findBearerOfCredential(
  runQuery: RunQuery,
  companyId: string,
  credentialId: string,
): Promise<BearerFacts | undefined> {
  const text = "SELECT *, bearer_epoch($1) AS epoch FROM bearer_of_machine($1, $2)";
  const [row] = await runQuery<
    CompanyColumns & { id: string; name: string; profile: Profile; application: Application }
  >("bearer_of_machine", text, [companyId, credentialId]);
  return (
    row && {
      id: row.id,
      ends: null,
      name: row.name,
      email: "",
      profile: row.profile,
      applications: [row.application],
      twoFactorEnabled: false,
      twoFactorEnforced: false,
      sessionVersion: 0,
      ...companyFacts(row),
    }
  );
}
