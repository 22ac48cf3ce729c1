/** Checks before paying of a batch: reading them, confirming them, and requiring them when the batch proceeds. */
import type * as contracts from "@malote/contracts/checks";
import type * as lookupContracts from "@malote/contracts/lookups";
import { type Confirmation, isPreparedAloneBy } from "@malote/domain/checks";
import { lookupFindingText } from "@malote/domain/lookup-findings";
import { readCompany } from "../../company/index.ts";
import { findNoApproverReason } from "../../controls/index.ts";
import { readPreparers } from "../../identities/index.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import {
  confirmChecks,
  type People,
  readChecks,
  readFindings,
  requireConfirmed,
  storesFindings,
} from "../checks/check.ts";
import { requireResendFindingsConfirmed } from "../checks/resend-checks.ts";
import { paymentsOf } from "../checks/store.ts";
import { readLookupFindings } from "../lookups/findings.ts";
import type { ResendRecord } from "../payment-columns.ts";
import { foreseeShortageOfBatch } from "./limits.ts";
import { getLockedBatch } from "./locked-batch.ts";
import { getBatch } from "./read.ts";
import type * as store from "./store.ts";

async function readPeople(
  tx: Tx,
  batch: store.BatchRow,
  caller: { actor: Actor; now: Date },
): Promise<People> {
  const { actor } = caller;
  const [editors, own, approverRefusal] = await Promise.all([
    readPreparers(tx, batch.edited_by),
    readPreparers(tx, [actor.id]),
    batch.status === "WAITING_APPROVAL" ? findNoApproverReason(tx, caller, batch) : undefined,
  ]);
  return { editorIds: editors.people, userId: own.people[0] ?? actor.id, approverRefusal };
}

/** Returns the limit that the batch would exceed, if any; undefined unless it is a draft or waits for approval. */
export async function readShortage(tx: Tx, batch: store.BatchRow, now: Date) {
  if (batch.status !== "DRAFT" && batch.status !== "WAITING_APPROVAL") return undefined;
  return foreseeShortageOfBatch(tx, batch.id, (await readCompany(tx)).settings, now);
}

const readOwnChecks = async (tx: Tx, batch: store.BatchRow, now: Date, mayStore: boolean) =>
  readChecks(tx, batch, { now, mayStore, shortage: await readShortage(tx, batch, now) });

/** Returns the checks of a batch. Stores the findings of a large batch, which needs a writing transaction. */
export async function readBatchChecks(
  services: Pick<Services, "db">,
  { actor, params, now }: Call<typeof contracts.readBatchChecks>,
) {
  const { companyId } = actor;
  const seen = await services.db.readCompany(companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return storesFindings(batch) ? undefined : readOwnChecks(tx, batch, now, false);
  });
  return (
    seen ??
    services.db.withCompany(companyId, async (tx) =>
      readOwnChecks(tx, await getBatch(tx, params.id), now, true),
    )
  );
}

/** Returns one page of findings, with the transactions of `readBatchChecks`. */
export async function readFindingsPage(
  services: Pick<Services, "db">,
  { actor, params, query, now }: Call<typeof contracts.readCheckFindings>,
) {
  const request = { kind: params.kind, cursor: query.page_cursor, now };
  const seen = await services.db.readCompany(actor.companyId, async (tx) => {
    const batch = await getBatch(tx, params.id);
    return storesFindings(batch) ? undefined : readFindings(tx, batch, request);
  });
  return (
    seen ??
    services.db.withCompany(actor.companyId, async (tx) =>
      readFindings(tx, await getBatch(tx, params.id), request),
    )
  );
}

export async function confirmChecksOfBatch(tx: Tx, call: Call<typeof contracts.confirmBatchChecks>) {
  const batch = await getLockedBatch(tx, call.params.id);
  return confirmChecks(tx, call, batch, await readPeople(tx, batch, call), {
    confirmations: call.body.confirmations,
    shortage: await readShortage(tx, batch, call.now),
  });
}

/** Throws when the batch has unconfirmed findings. The caller holds the batch's lock. */
export const requireChecksConfirmed = (
  tx: Tx,
  call: Pick<Call<typeof contracts.confirmBatchChecks>, "actor" | "now" | "requestId"> & {
    body: { confirmations?: readonly Confirmation[] | undefined };
  },
  batch: store.BatchRow,
): Promise<void> =>
  requireConfirmed(tx, call, batch, () => readPeople(tx, batch, call), call.body.confirmations);

/**
 * Throws when failed payments that are resent have unconfirmed findings. A user may confirm, because the right of an
 * approver is checked before this call; a credential confirms only what it, or the person behind it, prepared.
 */
export const requireResendConfirmed = (
  tx: Tx,
  call: { actor: Actor; now: Date; requestId: string },
  batch: Pick<store.BatchRow, "id" | "edited_by">,
  resends: readonly ResendRecord[],
  confirmations: readonly Confirmation[] = [],
): Promise<{ label: string; value: string }[]> =>
  requireResendFindingsConfirmed(tx, call, batch, resends, {
    confirmations,
    async mayConfirm() {
      if (call.actor.kind === "user") return true;
      const [editors, own] = await Promise.all([
        readPreparers(tx, batch.edited_by),
        readPreparers(tx, [call.actor.id]),
      ]);
      return isPreparedAloneBy(own.people[0] ?? call.actor.id, editors.people);
    },
  });

/** Returns the findings of lookups about the payments of a batch, with their texts. */
export async function listFindingsOfLookups(
  tx: Tx,
  { params, now }: Call<typeof lookupContracts.listLookupFindings>,
) {
  const batch = await getBatch(tx, params.id);
  const findings = await readLookupFindings(tx, paymentsOf(tx, batch.id).rows, now);
  return {
    data: findings.map((finding) => ({
      payment_id: finding.paymentId,
      code: finding.code,
      text: lookupFindingText(finding),
    })),
  };
}
