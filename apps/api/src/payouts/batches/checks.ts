/** The checks before paying as a batch meets them: read, ticked, and asked for when it goes on. */
import type * as contracts from "@malote/contracts/checks";
import type { Confirmation } from "@malote/domain/checks";
import { readCompany } from "../../company/index.ts";
import { readPreparers, whyNoApprover } from "../../controls/index.ts";
import type { Actor } from "../../platform/auth/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { requireConfirmedAgain } from "../checks/again.ts";
import {
  confirmChecks,
  isKept,
  type People,
  readChecks,
  readFindings,
  requireConfirmed,
} from "../checks/check.ts";
import type { SentAgain } from "../payment-columns.ts";
import { foreseeShortageOfBatch } from "./limits.ts";
import { getLockedBatch } from "./locked-batch.ts";
import { getBatch } from "./read.ts";
import type * as store from "./store.ts";

async function readPeople(
  tx: Tx,
  batch: store.BatchRow,
  asking: { actor: Actor; now: Date },
): Promise<People> {
  const { actor } = asking;
  const [editors, own, approverRefusal] = await Promise.all([
    readPreparers(tx, batch.edited_by),
    readPreparers(tx, [actor.id]),
    batch.status === "WAITING_APPROVAL" ? whyNoApprover(tx, asking, batch) : undefined,
  ]);
  return { editorIds: editors.people, userId: own.people[0] ?? actor.id, approverRefusal };
}

/** The limit that keeps the batch from leaving, while it has not left. */
export async function foreseeShortage(tx: Tx, batch: store.BatchRow, now: Date) {
  if (batch.status !== "DRAFT" && batch.status !== "WAITING_APPROVAL") return undefined;
  return foreseeShortageOfBatch(tx, batch.id, (await readCompany(tx)).settings, now);
}

const readOwnChecks = async (tx: Tx, batch: store.BatchRow, now: Date, mayKeep: boolean) =>
  readChecks(tx, batch, { now, mayKeep, shortage: await foreseeShortage(tx, batch, now) });

/** Of a large batch what was found is kept, for which a reading transaction has no right. */
export function readBatchChecks(
  services: Pick<Services, "db">,
  { actor, params, now, inLine }: Call<typeof contracts.readBatchChecks>,
) {
  const { companyId } = actor;
  return inLine(async () => {
    const seen = await services.db.readCompany(companyId, async (tx) => {
      const batch = await getBatch(tx, params.id);
      return isKept(batch) ? undefined : readOwnChecks(tx, batch, now, false);
    });
    return (
      seen ??
      services.db.withCompany(companyId, async (tx) =>
        readOwnChecks(tx, await getBatch(tx, params.id), now, true),
      )
    );
  });
}

/** Waits as `read` does, for the same reason. */
export function findings(
  services: Pick<Services, "db">,
  { actor, params, query, now, inLine }: Call<typeof contracts.readCheckFindings>,
) {
  const asked = { kind: params.kind, cursor: query.page_cursor, now };
  return inLine(async () => {
    const seen = await services.db.readCompany(actor.companyId, async (tx) => {
      const batch = await getBatch(tx, params.id);
      return isKept(batch) ? undefined : readFindings(tx, batch, asked);
    });
    return (
      seen ??
      services.db.withCompany(actor.companyId, async (tx) =>
        readFindings(tx, await getBatch(tx, params.id), asked),
      )
    );
  });
}

export async function tickChecks(tx: Tx, call: Call<typeof contracts.confirmBatchChecks>) {
  const batch = await getLockedBatch(tx, call.params.id);
  return confirmChecks(tx, call, batch, await readPeople(tx, batch, call), {
    confirmations: call.body.confirmations,
    shortage: await foreseeShortage(tx, batch, call.now),
  });
}

/** Refuses a batch that goes on with unconfirmed findings. Expects it locked. */
export const requireTicks = (
  tx: Tx,
  call: Pick<Call<typeof contracts.confirmBatchChecks>, "actor" | "now" | "requestId"> & {
    body: { confirmations?: readonly Confirmation[] | undefined };
  },
  batch: store.BatchRow,
): Promise<void> =>
  requireConfirmed(tx, call, batch, () => readPeople(tx, batch, call), call.body.confirmations);

/** As `requireTicks`, of failed payments of the batch that are sent again. An approver was asked who they are before. */
export const requireTicksAgain = (
  tx: Tx,
  call: { actor: Actor; now: Date; requestId: string },
  batch: Pick<store.BatchRow, "id" | "edited_by">,
  again: readonly SentAgain[],
  confirmations: readonly Confirmation[] = [],
): Promise<{ label: string; value: string }[]> =>
  requireConfirmedAgain(tx, call, batch, again, {
    confirmations,
    async mayTick() {
      if (call.actor.kind === "user") return true;
      const [editors, own] = await Promise.all([
        readPreparers(tx, batch.edited_by),
        readPreparers(tx, [call.actor.id]),
      ]);
      return editors.people.includes(own.people[0] ?? call.actor.id);
    },
  });
