/** Applies the directory's reports of claims, each once and in any order, then acknowledges them. */
import { claimDeadline, type PixKeyStatus } from "@malote/domain/own-pix-key";
import { listAdminIds } from "../identities/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { type DirectoryReport, directoryReport } from "../ports/pix-directory.ts";
import { keySnapshot } from "./emails.ts";
import { noRequest } from "./request.ts";
import { lockPixKeyByKey, lockPixKeyOfClaim, type PixKeyRow, writePixKey } from "./store.ts";

const blockMax = 100;

/**
 * Applies pending reports on schedule. A report that cannot be applied is logged, and the directory delivers it again.
 */
export async function applyDirectoryReports(services: Services): Promise<void> {
  for (;;) {
    const waiting = await services.directory.reports(blockMax);
    const applied: string[] = [];
    for (const one of waiting) {
      try {
        await applyDirectoryReport(services, one);
        applied.push(one.id);
      } catch (error) {
        services.log.error({ err: error, report: one.id }, "a report of the Pix directory was not applied");
      }
    }
    if (applied.length > 0) await services.directory.acknowledge(applied);
    if (applied.length === 0 || waiting.length < blockMax) return;
  }
}

/** Applies a report that the directory delivers by itself, and acknowledges it like a fetched one. */
export async function handleDirectoryReport(services: Services, received: unknown): Promise<void> {
  const { id } = await applyDirectoryReport(services, received);
  await services.directory.acknowledge([id]);
}

async function applyDirectoryReport(services: Services, received: unknown): Promise<DirectoryReport> {
  const report = directoryReport.parse(received);
  await services.db.withCompany(report.companyId, (tx) => apply(tx, report, services));
  return report;
}

async function apply(tx: Tx, report: DirectoryReport, services: Services): Promise<void> {
  if (report.happened === "opened") return claimOpened(tx, report, services);
  const row = await lockPixKeyOfClaim(tx, report.claimId);
  const changed = row && afterReport(row, report);
  if (!row || !changed) return;
  const now = services.clock.now();
  await writePixKey(tx, { ...row, updated_at: now, ...changed });
  const detail = { side: report.side, happened: report.happened, status: changed.status };
  await audit(tx, { actor: "system", now }, "pix_key_claim_news", row.id, detail);
}

/**
 * Starts the answer period when another institution's customer claims our key; it runs from when the directory took the
 * claim.
 */
async function claimOpened(tx: Tx, report: DirectoryReport, services: Services): Promise<void> {
  const row = await lockPixKeyByKey(tx, report.key);
  if (!row || row.claim_id === report.claimId) return;
  // The directory refuses a removal while the claim is open, so the claim replaces a pending removal.
  if (row.status !== "REGISTERED" && row.status !== "PENDING_REMOVAL") return;
  const claimed: PixKeyRow = {
    ...row,
    ...noRequest,
    status: report.claimKind === "CLAIM" ? "WAITING_CLAIM_APPROVAL" : "WAITING_PORTABILITY_APPROVAL",
    updated_at: new Date(report.at),
    error_code: null,
    claim_id: report.claimId,
  };
  await writePixKey(tx, claimed);
  const detail = { kind: report.claimKind };
  const now = services.clock.now();
  await audit(tx, { actor: "system", now }, "pix_key_asked_for", row.id, detail);
  await emit(
    tx,
    { now, cause: `directory:${report.id}` },
    {
      type: "pix_key.asked_for",
      objectId: row.id,
      payload: {
        ...keySnapshot(claimed),
        admins: await listAdminIds(tx),
        claim: report.claimKind,
        answerUntil: claimDeadline(claimed.updated_at).toISOString(),
      },
    },
  );
}

const underWay: Readonly<Partial<Record<PixKeyStatus, PixKeyStatus>>> = {
  CLAIM_REQUESTED: "CLAIM_IN_PROGRESS",
  PORTABILITY_REQUESTED: "PORTABILITY_IN_PROGRESS",
};
const asBefore: Readonly<Partial<Record<PixKeyStatus, PixKeyStatus>>> = {
  CLAIM_REQUESTED: "WAITING_CLAIM",
  CLAIM_IN_PROGRESS: "WAITING_CLAIM",
  PORTABILITY_REQUESTED: "WAITING_PORTABILITY",
  PORTABILITY_IN_PROGRESS: "WAITING_PORTABILITY",
};
const endedStatuses: readonly PixKeyStatus[] = ["REGISTERED", "REMOVED"];

/** Returns the changes of a report; undefined when it is known already or outdated. */
function afterReport(
  row: PixKeyRow,
  { side, happened, at }: DirectoryReport,
): (Partial<PixKeyRow> & { status: PixKeyStatus }) | undefined {
  if (side === "claimer") {
    if (happened === "completed")
      return endedStatuses.includes(row.status)
        ? undefined
        : { ...noRequest, status: "REGISTERED", ownership_date: new Date(at), error_code: null };
    const status = (happened === "under_way" ? underWay : asBefore)[row.status];
    return status && { status };
  }
  if (happened === "completed")
    return row.status === "REMOVED" ? undefined : { ...noRequest, status: "REMOVED" };
  return endedStatuses.includes(row.status) ? undefined : { ...noRequest, status: "REGISTERED" };
}
