/**
 * Simulates the Pix directory: keys, claims and reports of claims, behind the same port as a real directory and in
 * tables of its own. The simulator's screen acts as the other institutions.
 */
import { randomUUID } from "node:crypto";
import { answerBySilence, type ClaimKind, claimDeadline, mayBeMoved } from "@malote/domain/own-pix-key";
import type { Clock } from "../../../platform/clock.ts";
import type { AnyTx, DatabaseWithSandbox } from "../../../platform/db/database.ts";
import { uuidv7 } from "../../../platform/uuid.ts";
import { sandboxAdapter } from "../../../ports/adapter-choice.ts";
import type {
  Directory,
  DirectoryAnswer,
  DirectoryReport,
  DirectoryRequest,
} from "../../../ports/pix-directory.ts";
import { happens } from "../network/chance.ts";
import { NoAnswer } from "../network/no-answer.ts";
import { readSettings } from "../network/settings.ts";
import { countCall } from "../network/store.ts";
import { foundAs } from "./magic-values.ts";
import {
  type Claim,
  deleteEntry,
  type EntryWithClaim,
  findAnswer,
  findOpenClaim,
  insertClaim,
  insertEntry,
  insertReport,
  listEntries,
  listUnacknowledgedReports,
  lockClaim,
  lockClaimsHeldOutside,
  lockEntry,
  markAcknowledged,
  moveEntry,
  saveAnswer,
  setClaimState,
} from "./store.ts";

export type Outside = "done" | "not_found" | "claim_open" | "not_movable" | "over";

export interface SandboxDirectory {
  directory: Directory;
  entries(): Promise<EntryWithClaim[]>;
  /** Makes another institution claim a key of one of our companies. */
  raiseClaim(key: string, kind: ClaimKind): Promise<{ outcome: Outside; id: string }>;
  /** Lets the outside holder answer a claim of ours, or the outside claimer cancel its own claim. */
  answerClaim(id: string, answer: "grant" | "cancel"): Promise<Outside>;
}

/** Fictitious owner of all keys that are registered at another institution by a third party. */
const stranger = { name: "Otávio Brandão Lins", taxId: "52998224725" };
/** Time in milliseconds that another institution takes to acknowledge a claim. */
const noticeMs = 3_000;

export function createSandboxDirectory({
  db,
  clock,
}: {
  db: DatabaseWithSandbox;
  clock: Clock;
}): SandboxDirectory {
  return {
    directory: {
      id: sandboxAdapter,
      async ask(request) {
        const { answer, isLost } = await db.withSandbox(async (tx) => {
          const settings = await readSettings(tx);
          const { timeout_percent: lostPercent } = settings;
          const call = lostPercent > 0 ? `${request.id} try ${await countCall(tx, request.id)}` : "";
          const isLost = happens(lostPercent, `lost ${call}`);
          // Half of the requests with a lost answer are not processed.
          if (isLost && happens(50, `never arrived ${call}`)) return { answer: undefined, isLost };
          return { answer: await answerOnce(tx, request, clock.now()), isLost };
        });
        if (isLost || !answer) throw new NoAnswer();
        return answer;
      },
      reports: (max) =>
        db.withSandbox(async (tx) => {
          await answerOutside(tx, clock.now());
          return listUnacknowledgedReports(tx, max);
        }),
      async acknowledge(ids) {
        await db.withSandbox(async (tx) => {
          for (const report of await markAcknowledged(tx, ids, clock.now())) {
            const claim = report.happened === "opened" ? await lockClaim(tx, report.claimId) : undefined;
            if (claim?.state === "OPEN") await notifyHolder(tx, claim, clock.now());
          }
        });
      },
    },

    entries: () => db.withSandbox(listEntries),

    raiseClaim: (key, kind) =>
      db.withSandbox(async (tx) => {
        const entry = await lockEntry(tx, key);
        const id = uuidv7(clock.now().getTime());
        if (!entry?.company_id) return { outcome: "not_found", id };
        const claimer = kind === "CLAIM" ? stranger : { name: entry.owner_name, taxId: entry.owner_tax_id };
        const outcome = await openClaim(tx, { id, key, kind, claimerId: null, claimer }, clock.now());
        return { outcome: outcome === "refused" ? "not_movable" : outcome, id };
      }),

    answerClaim: (id, answer) =>
      db.withSandbox(async (tx) => {
        const claim = await lockClaim(tx, id);
        if (!claim) return "not_found";
        if (!isOpen(claim)) return "over";
        // Only the holder grants a claim; only an outside claimer can cancel it here.
        if (answer === "grant" && claim.holder_id !== null) return "not_movable";
        if (claim.holder_id !== null && claim.claimer_id !== null) return "not_movable";
        await (answer === "grant" ? complete : cancel)(tx, claim, clock.now());
        return "done";
      }),
  };
}

const isOpen = ({ state }: Claim) => state === "OPEN" || state === "WAITING_RESOLUTION";

async function answerOnce(tx: AnyTx, request: DirectoryRequest, now: Date): Promise<DirectoryAnswer> {
  const before = await findAnswer(tx, request.id);
  if (before) return before;
  const answer = await decide(tx, request, now);
  await saveAnswer(tx, request.id, answer, now);
  return answer;
}

async function decide(tx: AnyTx, request: DirectoryRequest, now: Date): Promise<DirectoryAnswer> {
  switch (request.kind) {
    case "register":
      return register(tx, request, now);
    case "remove": {
      const entry = await lockEntry(tx, request.key);
      if (entry?.company_id !== request.companyId) return { kind: "done" };
      if (await findOpenClaim(tx, request.key)) return { kind: "claim_open" };
      await deleteEntry(tx, request.key);
      return { kind: "done" };
    }
    case "claim": {
      const { id, key, claimKind: kind, companyId, owner } = request;
      const outcome = await openClaim(tx, { id, key, kind, claimerId: companyId, claimer: owner }, now);
      return { kind: outcome === "not_found" ? "refused" : outcome };
    }
    default: {
      const claim = await lockClaim(tx, request.claimId);
      if (!claim || !isOpen(claim)) return { kind: "over" };
      await (request.kind === "confirm_claim" ? complete : cancel)(tx, claim, now);
      return { kind: "done" };
    }
  }
}

async function register(
  tx: AnyTx,
  request: DirectoryRequest & { kind: "register" },
  now: Date,
): Promise<DirectoryAnswer> {
  const { keyType, companyId, owner } = request;
  const key = request.key ?? randomUUID();
  const entry = {
    key,
    key_type: keyType,
    company_id: companyId,
    owner_name: owner.name,
    owner_tax_id: owner.taxId,
  };
  const registered = { kind: "registered", key, at: now.toISOString() } as const;
  const magic = foundAs(keyType, key);
  if (magic === "refused") return { kind: "refused" };
  if (magic) {
    const holder = magic === "same_owner" ? owner : stranger;
    // Later lookups find the key at the other institution; a claim that moves it here makes the claimer its holder.
    await insertEntry(
      tx,
      { ...entry, company_id: null, owner_name: holder.name, owner_tax_id: holder.taxId },
      now,
    );
  } else if (await insertEntry(tx, entry, now)) return registered;
  const held = await lockEntry(tx, key);
  if (!held) throw new Error(`a ${keyType} key was refused as registered but has no holder`);
  if (held.company_id === companyId) return registered;
  return { kind: "held", by: held.owner_tax_id === owner.taxId ? "same_owner" : "other_owner" };
}

interface NewClaim {
  id: string;
  key: string;
  kind: ClaimKind;
  claimerId: string | null;
  claimer: { name: string; taxId: string };
}

async function openClaim(
  tx: AnyTx,
  { id, key, kind, claimerId, claimer }: NewClaim,
  now: Date,
): Promise<"done" | "not_found" | "claim_open" | "refused"> {
  const entry = await lockEntry(tx, key);
  if (!entry) return "not_found";
  const isSameOwner = entry.owner_tax_id === claimer.taxId;
  if (!mayBeMoved(entry.key_type, kind) || isSameOwner !== (kind === "PORTABILITY")) return "refused";
  if (claimerId !== null && entry.company_id === claimerId) return "refused";
  if (await findOpenClaim(tx, key)) return "claim_open";
  const claim: Claim = {
    id,
    key,
    kind,
    holder_id: entry.company_id,
    claimer_id: claimerId,
    claimer_name: claimer.name,
    claimer_tax_id: claimer.taxId,
    state: "OPEN",
    opened_at: now,
  };
  await insertClaim(tx, claim);
  await notify(tx, claim, "holder", "opened", now);
  return "done";
}

async function notifyHolder(tx: AnyTx, claim: Claim, now: Date): Promise<void> {
  await setClaimState(tx, claim.id, "WAITING_RESOLUTION");
  await notify(tx, claim, "claimer", "under_way", now);
}

async function complete(tx: AnyTx, claim: Claim, now: Date): Promise<void> {
  await setClaimState(tx, claim.id, "COMPLETED");
  const owner = { name: claim.claimer_name, taxId: claim.claimer_tax_id };
  await moveEntry(tx, claim.key, claim.claimer_id, owner, now);
  await notifyBoth(tx, claim, "completed", now);
}

async function cancel(tx: AnyTx, claim: Claim, now: Date): Promise<void> {
  await setClaimState(tx, claim.id, "CANCELLED");
  await notifyBoth(tx, claim, "cancelled", now);
}

async function notifyBoth(
  tx: AnyTx,
  claim: Claim,
  happened: "completed" | "cancelled",
  now: Date,
): Promise<void> {
  await notify(tx, claim, "holder", happened, now);
  await notify(tx, claim, "claimer", happened, now);
}

/** Notifies customers of our companies only; other institutions notify their own customers. */
async function notify(
  tx: AnyTx,
  claim: Claim,
  side: DirectoryReport["side"],
  happened: DirectoryReport["happened"],
  now: Date,
): Promise<void> {
  const companyId = side === "holder" ? claim.holder_id : claim.claimer_id;
  if (companyId === null) return;
  await insertReport(tx, {
    id: `${claim.id}:${side}:${happened}`,
    companyId,
    claimId: claim.id,
    claimKind: claim.kind,
    key: claim.key,
    side,
    happened,
    at: now.toISOString(),
  });
}

/** Acknowledges claims for other institutions after a delay; without an answer the directory's rules decide. */
async function answerOutside(tx: AnyTx, now: Date): Promise<void> {
  for (const claim of await lockClaimsHeldOutside(tx)) {
    const isKnown = now.getTime() >= claim.opened_at.getTime() + noticeMs;
    if (claim.state === "OPEN" && isKnown) await notifyHolder(tx, claim, now);
    if (now < claimDeadline(claim.opened_at)) continue;
    await (answerBySilence(claim.kind) === "release" ? complete : cancel)(tx, claim, now);
  }
}
