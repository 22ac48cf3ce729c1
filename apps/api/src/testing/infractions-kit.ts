/** Calls of a company about infractions, for tests. */
import { randomUUID } from "node:crypto";
import * as contracts from "@malote/contracts/contestations";
import type { PaymentsKit } from "./payments-kit.ts";

export function infractionCalls(kit: () => PaymentsKit) {
  const approve = (ids: readonly string[], by = kit().admin, key: string = randomUUID()) =>
    by.call(
      contracts.approveInfractions,
      { body: { infraction_ids: ids, analysis: "accepted" } },
      { "idempotency-key": key },
    );

  const pending = async (by = kit().admin) =>
    (await by.call(contracts.readPendingInfractions)).body.quantity as number;

  const trail = async (id: string) => {
    const { rows } = await kit().services.db.pool.query<{ line: string }>(
      "SELECT actor_kind || ' ' || action AS line FROM audit_entries WHERE subject_id = $1 ORDER BY id",
      [id],
    );
    return rows.map(({ line }) => line);
  };

  return { approve, pending, trail };
}
