/** E-mails about requests for approval and about changes of the controls. */
import type { RequestKind } from "@malote/domain/controls";
import { minuteMs } from "@malote/domain/durations";
import { queueEmail, type WrittenEmail, written } from "../emails/index.ts";
import { emailAbout, listApprovers, readEmails } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import { forEachCompany } from "../platform/feature.ts";
import type { Services } from "../platform/services.ts";
import { readPolicyInForce } from "./policy.ts";
import { requestTitle, withEmail } from "./request-words.ts";
import * as requests from "./requests-store.ts";

type Needs = Pick<Services, "clock" | "config" | "jobs">;
type RequestEvent = StoredEvent<"approval.requested" | "approval.given" | "approval.refused">;

/** Subscriber for events of requests and of the controls. */
export async function emailAboutControls(
  tx: Tx,
  events: readonly (RequestEvent | StoredEvent<"company.controls_changed">)[],
  services: Needs,
): Promise<void> {
  for (const event of events) {
    const about = { id: event.id, people: event.payload.admins };
    if (event.type === "company.controls_changed") {
      const { inForceAt, ...change } = event.payload;
      const at = inForceAt === null ? null : new Date(inForceAt);
      await emailAbout(tx, services, about, written("controlsChanged", { ...change, inForceAt: at }));
      continue;
    }
    if (event.type === "approval.requested") {
      await requests.insertNotices(tx, event.objectId, event.payload.approvers);
      await emailDue(tx, services, services.clock.now());
    }
    // A change requested at night and approved through another stolen account is noticed before the waiting period of
    // withdrawals ends.
    if (event.payload.kind === ("WITHDRAWAL_ACCOUNT" satisfies RequestKind))
      await emailAbout(tx, services, about, await readStepOfAccount(tx, event));
  }
}

/** Returns the e-mail about a step of a withdrawal account's change; all admins get every step. */
async function readStepOfAccount(tx: Tx, { type, payload }: RequestEvent): Promise<WrittenEmail> {
  const people = await readEmails(tx, [payload.by.id, payload.requestedBy]);
  const requester = people.get(payload.requestedBy);
  const step = {
    by: withEmail(payload.by.name, people.get(payload.by.id)?.email ?? null),
    requestedBy: requester ? withEmail(requester.name, requester.email) : null,
    isFirst: payload.isFirst === true,
    facts: payload.facts,
  };
  if (type === "approval.requested") return written("accountChangeRequested", step);
  if (type === "approval.given")
    return written("accountChangeApproved", { ...step, missing: payload.missing });
  return written("accountChangeRefused", { ...step, isOwn: payload.isOwn, reason: payload.reason });
}

/** Pause between two e-mails about requests to the same person. */
const gapMinutes = 5;
const gapBefore = (now: Date) => new Date(now.getTime() - gapMinutes * minuteMs);

/**
 * Asks people for their approval: in an e-mail of its own, or together with later requests if another one was sent
 * shortly before.
 */
async function emailDue(tx: Tx, services: Needs, now: Date): Promise<void> {
  await requests.lockNotices(tx);
  const due = await requests.listPeopleToEmail(tx, gapBefore(now));
  if (due.length === 0) return;
  const people = await listApprovers(tx, await readPolicyInForce(tx, now));
  for (const id of due) {
    const [first, ...more] = (await requests.claimNotices(tx, id, now)).map(waiting);
    const to = people.find((one) => one.id === id);
    // Skips requests decided meanwhile and people who may no longer approve.
    if (to && first) await queueEmail(tx, services, written("requestsWait", [first, ...more]), { to, now });
  }
}

const waiting = ({ requested_by_name, email, facts, ...request }: requests.NoticedRequest) => ({
  title: requestTitle(request),
  by: withEmail(requested_by_name, email),
  facts,
});

/** Sends due e-mails to approvers on schedule. */
export async function emailDueApprovers(services: Services): Promise<void> {
  const now = services.clock.now();
  const companies = await services.db.withSystem((tx) => requests.listCompaniesToEmail(tx, gapBefore(now)));
  await forEachCompany(services, "writing to approvers", companies, (companyId) =>
    services.db.withCompany(companyId, (tx) => emailDue(tx, services, services.clock.now())),
  );
}
