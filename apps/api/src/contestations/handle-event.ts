/** Applies the provider's reports, each once: an infraction reported, contested by e-mail, or judged. */
import { answerDueAt, followOpinion } from "@malote/domain/infraction";
import { listAdminIds } from "../identities/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emit } from "../platform/events/emit.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { type InfractionEvent, infractionEvent } from "../ports/infractions.ts";
import { findCompanyOfPix, getReceivedPix } from "./received-pix.ts";
import { endRefund } from "./refund-store.ts";
import { beginRefund } from "./refunds.ts";
import {
  type InfractionRow,
  insertInfraction,
  lockByProviderId,
  setContested,
  setOpinion,
  writeAnswer,
} from "./store.ts";

type Needs = Pick<Services, "db" | "clock">;

export async function handleInfractionEvent(services: Needs, received: unknown): Promise<void> {
  const event = infractionEvent.parse(received);
  const companyId = await findCompanyOfPix(services.db, event.endToEndId);
  // The provider reports only Pix of this installation. The error makes it deliver again, and the log has the reason.
  if (!companyId) throw new Error(`infraction ${event.infractionId} names a Pix that no company received`);
  await services.db.withCompany(companyId, async (tx) => {
    if (event.kind === "reported") return applyReport(tx, services, event);
    const row = await lockByProviderId(tx, event.infractionId);
    if (!row) throw new Error(`event ${event.infractionId} names an unknown infraction`);
    if (event.kind === "opinion") return applyOpinion(tx, services, row, event.opinion);
    if (row.analysis_status !== "pending" || row.contested_at) return;
    await setContested(tx, row.id, new Date(event.at));
    await audit(tx, { actor: "system", now: services.clock.now() }, "infraction_contested_by_email", row.id);
  });
}

async function applyReport(
  tx: Tx,
  services: Needs,
  event: Extract<InfractionEvent, { kind: "reported" }>,
): Promise<void> {
  const now = services.clock.now();
  const pix = await getReceivedPix(tx, event.endToEndId);
  const reportedAt = new Date(event.at);
  const infraction = {
    id: uuidv7(now.getTime()),
    provider_id: event.infractionId,
    transaction_id: event.endToEndId,
    txid: pix.txid,
    amount: pix.received_amount,
    payer_name: pix.payer_name ?? "",
    payer_tax_id: pix.payer_tax_id,
    situation_type: event.situation,
    infraction_description: event.description,
    infraction_date: reportedAt,
    analysis_due_at: answerDueAt(reportedAt),
  };
  if (!(await insertInfraction(tx, infraction))) return;
  const detail = { amount: pix.received_amount, situation: event.situation };
  await audit(tx, { actor: "system", now }, "infraction_reported", infraction.id, detail);
  await emit(
    tx,
    { now, cause: `provider:${event.infractionId}` },
    {
      type: "infraction.reported",
      objectId: infraction.id,
      payload: {
        admins: await listAdminIds(tx),
        amount: infraction.amount,
        payer: infraction.payer_name,
        situation: infraction.situation_type,
        answerDueAt: infraction.analysis_due_at.toISOString(),
      },
    },
  );
}

/** Applies the provider's opinion; the first one is final. */
async function applyOpinion(
  tx: Tx,
  services: Needs,
  row: InfractionRow,
  opinion: Extract<InfractionEvent, { kind: "opinion" }>["opinion"],
): Promise<void> {
  if (row.opinion !== "pending") return;
  const now = services.clock.now();
  const { analysisStatus, moneyGoesBack } = followOpinion(row.analysis_status, opinion);
  await setOpinion(tx, row.id, opinion);
  if (row.analysis_status === "pending" && analysisStatus !== "pending")
    await writeAnswer(tx, row.id, { status: analysisStatus, by: null, now });
  await audit(tx, { actor: "system", now }, "infraction_judged", row.id, { opinion });
  if (moneyGoesBack) await beginRefund(tx, row, now);
  else await endRefund(tx, row.id, "canceled");
}
