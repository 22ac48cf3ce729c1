/**
 * Records calls refused for lack of rights in the audit trail. Refusals are free to provoke, so each bearer has a
 * limit: the entry that reaches it says so, and later ones within the hour are only in the log.
 */
import type { Contract } from "@malote/contracts/contract";
import { statusOf } from "@malote/contracts/errors";
import { hourMs } from "@malote/domain/durations";
import type { FastifyRequest } from "fastify";
import { AppError } from "../app-error.ts";
import { audit } from "../audit.ts";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";

/** Limit per bearer and process. A screen that hides forbidden actions provokes none; a person who guesses, a few. */
export const refusalsRecordedPerHourMax = 60;

const recordedStatuses: ReadonlySet<number> = new Set([403, 429]);

export function createRefusalRecorder({ db, clock }: { db: Database; clock: Clock }) {
  let hour = 0;
  const counts = new Map<string, number>();

  /** Returns how often this bearer was refused in the current hour, including this refusal. */
  function count(bearer: string, now: Date): number {
    const present = Math.floor(now.getTime() / hourMs);
    if (present !== hour) counts.clear();
    hour = present;
    const times = (counts.get(bearer) ?? 0) + 1;
    counts.set(bearer, times);
    return times;
  }

  return {
    /** Records the refusal before the caller gets its answer, so that every refusal leaves a trace. */
    async record(contract: Contract, request: FastifyRequest, error: Error): Promise<void> {
      const { actor } = request;
      if (!actor || !(error instanceof AppError) || !recordedStatuses.has(statusOf(error.code))) return;
      const now = clock.now();
      const times = count(actor.id, now);
      request.log.warn({ call: contract.id, code: error.code, actor: actor.id, times }, "refused");
      if (times > refusalsRecordedPerHourMax) return;
      const detail = {
        code: error.code,
        ...(times === refusalsRecordedPerHourMax && { moreAreNotNoted: true }),
      };
      await db
        .withCompany(actor.companyId, (tx) =>
          audit(tx, { actor, now, requestId: request.id }, "call_refused", contract.id, detail),
        )
        // The refusal is final even when it cannot be recorded.
        .catch((err: unknown) =>
          request.log.error({ err }, "cannot record a refused call in the audit trail"),
        );
    },
  };
}
