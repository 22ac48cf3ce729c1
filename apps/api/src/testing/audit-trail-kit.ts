/** Reads and checks the audit trail in tests. */
import { type AuditEntry, listAuditTrail } from "@malote/contracts/audit-trail";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "./app.ts";
import type { PaymentsKit } from "./payments-kit.ts";

export const aurora = demoCompanies[0]!;

export type Query = Record<string, string>;

export const listTrail = (by: Person, query: Query = {}) => by.call(listAuditTrail, { query });

/** Makes a call and requires that it succeeds. */
export async function done(by: Person, ...given: Parameters<Person["call"]>) {
  const answer = await by.call(...given);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
}

export function auditTrailCalls(kit: () => PaymentsKit) {
  const fetchEntries = async (query: Query = {}, by = kit().admin): Promise<AuditEntry[]> =>
    (await listTrail(by, query)).body.items;

  return { fetchEntries };
}
