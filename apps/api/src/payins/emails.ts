/** Subscriber that notifies the company of a second payment of a paid charge, which it would not expect. */

import { queueEmail, written } from "../emails/index.ts";
import { listPaymentAdmins } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

export async function emailOfDoublePayments(
  tx: Tx,
  events: readonly StoredEvent<"payin.doubled">[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  const people = await listPaymentAdmins(tx);
  for (const { id, objectId, payload } of events) {
    const email = written("payinDoubled", { ...payload, id: objectId });
    for (const person of people)
      await queueEmail(tx, services, email, { to: person, now: services.clock.now(), eventId: id });
  }
}
