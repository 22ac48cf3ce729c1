/** Applies the directory's reports of claims, once each, in any order, and then confirms them. */
import { claimDeadline, type PixKeyStatus } from "@malote/domain/own-pix-key";
import { adminIds } from "../company/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { type DirectoryNews, directoryNews } from "../ports/pix-directory.ts";
import { keyThen } from "./emails.ts";
import { lockPixKeyByKey, lockPixKeyOfClaim, type PixKeyRow, writePixKey } from "./store.ts";

const blockMax = 100;

/** Scheduled. A report that cannot be applied is logged, and the directory delivers it again. */
export async function applyDirectoryNews(services: Services): Promise<void> {
  for (;;) {
    const waiting = await services.directory.news(blockMax);
    const applied: string[] = [];
    for (const one of waiting) {
      try {
        const news = directoryNews.parse(one);
        await services.db.withCompany(news.companyId, (tx) => apply(tx, news, services));
        applied.push(news.id);
      } catch (error) {
        services.log.error({ err: error, news: one.id }, "news of the Pix directory");
      }
    }
    if (applied.length > 0) await services.directory.acknowledge(applied);
    if (applied.length === 0 || waiting.length < blockMax) return;
  }
}

async function apply(tx: Tx, news: DirectoryNews, services: Services): Promise<void> {
  if (news.happened === "opened") return claimOpened(tx, news, services);
  const row = await lockPixKeyOfClaim(tx, news.claimId);
  const changed = row && afterNews(row, news);
  if (!row || !changed) return;
  const now = services.clock.now();
  await writePixKey(tx, { ...row, updated_at: now, ...changed });
  const detail = { side: news.side, happened: news.happened, status: changed.status };
  await audit(tx, { actor: "system", now }, "pix_key_claim_news", row.id, detail);
}

/** Another institution's customer claims our key: the time to answer runs from when the directory took the claim. */
async function claimOpened(tx: Tx, news: DirectoryNews, services: Services): Promise<void> {
  const row = await lockPixKeyByKey(tx, news.key);
  if (!row || row.claim_id === news.claimId) return;
  // Being removed: the directory refuses that while the claim is open, so the claim is what there is to answer.
  if (row.status !== "REGISTERED" && row.status !== "PENDING_REMOVAL") return;
  const asked: PixKeyRow = {
    ...row,
    ...unasked,
    status: news.claimKind === "CLAIM" ? "WAITING_CLAIM_APPROVAL" : "WAITING_PORTABILITY_APPROVAL",
    updated_at: new Date(news.at),
    error_code: null,
    claim_id: news.claimId,
  };
  await writePixKey(tx, asked);
  const detail = { kind: news.claimKind };
  const now = services.clock.now();
  await audit(tx, { actor: "system", now }, "pix_key_asked_for", row.id, detail);
  await emit(
    tx,
    { now, cause: `directory:${news.id}` },
    {
      type: "pix_key.asked_for",
      objectId: row.id,
      payload: {
        ...keyThen(asked),
        admins: await adminIds(tx),
        claim: news.claimKind,
        answerUntil: claimDeadline(asked.updated_at).toISOString(),
      },
    },
  );
}

const unasked = { ask: null, ask_id: null, asked_at: null } as const;
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
const isOver: readonly PixKeyStatus[] = ["REGISTERED", "REMOVED"];

/** Undefined when the report is known already, or was overtaken. */
function afterNews(
  row: PixKeyRow,
  { side, happened, at }: DirectoryNews,
): (Partial<PixKeyRow> & { status: PixKeyStatus }) | undefined {
  if (side === "claimer") {
    if (happened === "completed")
      return isOver.includes(row.status)
        ? undefined
        : { ...unasked, status: "REGISTERED", ownership_date: new Date(at), error_code: null };
    const status = (happened === "under_way" ? underWay : asBefore)[row.status];
    return status && { status };
  }
  if (happened === "completed")
    return row.status === "REMOVED" ? undefined : { ...unasked, status: "REMOVED" };
  return isOver.includes(row.status) ? undefined : { ...unasked, status: "REGISTERED" };
}
