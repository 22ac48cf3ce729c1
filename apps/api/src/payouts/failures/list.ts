/** Returns the failed payments of a batch, the obstacles to resending each, and the permissions of the caller. */
import type { Contract } from "@malote/contracts/contract";
import { errorText } from "@malote/contracts/errors";
import * as contracts from "@malote/contracts/failures";
import { mayCall } from "@malote/contracts/policy";
import { formatBoletoLine } from "@malote/domain/boleto-code";
import { listRequestedPayments } from "../../controls/index.ts";
import { listPaymentAdmins } from "../../identities/index.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import { getBatch } from "../batches/read.ts";
import { requireCorrector, requireMayReturn } from "../batches/who-resolves.ts";
import { resendNotes } from "../checks/resend-checks.ts";
import { correctionKinds } from "../corrections/kinds.ts";
import { markedHolder } from "../lookups/holder-name.ts";
import { placeOf } from "../transfers/present.ts";
import { draftOf } from "../transfers/store.ts";
import { listFailed, sumFailed } from "./store.ts";

export async function listFailures(
  tx: Tx,
  call: Call<typeof contracts.listFailures>,
): Promise<contracts.Failures> {
  const { actor, now, params } = call;
  const batch = await getBatch(tx, params.id);
  const rows = await listFailed(tx, batch.id);
  const ids = rows.map(({ id }) => id);
  const [total, requested, { problems, resends }, corrector, giver, admins] = await Promise.all([
    sumFailed(tx, batch.id),
    listRequestedPayments(tx, ids, now),
    correctionKinds[batch.type].problems(tx, rows, now),
    tryAsAllowed(contracts.resendFailures, call, () => requireCorrector(tx, call, batch)),
    tryAsAllowed(contracts.returnFailures, call, () => requireMayReturn(tx, call)),
    listPaymentAdmins(tx, actor.id),
  ]);
  const notes = await resendNotes(tx, batch.id, resends, now);
  return {
    data: rows.map(
      (row): contracts.Failure => ({
        id: row.id,
        name: row.name ?? row.description ?? markedHolder(row.key_holder_name),
        to: row.barcode === null ? placeOf(draftOf(row)) : formatBoletoLine(row.barcode),
        value: row.value ?? 0,
        reason: row.status_description,
        receiver_id: row.receiver_id,
        waits_for_approval: requested.has(row.id),
        retry_problem: problems.get(row.id) ?? null,
        retry_checks: [...(notes.get(row.id) ?? [])],
        version: row.version,
      }),
    ),
    total,
    type: batch.type,
    retry: {
      allowed: corrector.allowed,
      why_not: corrector.why_not,
      waits_for_approval: (corrector.answer ?? 0) > 0,
    },
    give_back: { allowed: giver.allowed, why_not: giver.why_not },
    ask: admins.map(({ name }) => name),
  };
}

/** Applies the rules of the action and returns a refusal as an answer instead of throwing it. */
async function tryAsAllowed<T>({ policy }: Contract, { actor }: { actor: Actor }, act: () => Promise<T>) {
  try {
    if (!mayCall(policy, actor)) throw new AppError("forbidden");
    return { allowed: true, why_not: null, answer: await act() };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { allowed: false, why_not: errorText(error.code, error.data), answer: undefined };
  }
}
