/** The subscriber that notifies the requester of a file when it is ready or has failed. */
import { queueEmail } from "../emails/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";
import type { FileKinds } from "./kind.ts";
import { findExport } from "./store.ts";

export const emailAboutExports =
  (kinds: FileKinds) =>
  async (
    tx: Tx,
    events: readonly StoredEvent<"export.ended">[],
    services: Pick<Services, "clock" | "config" | "jobs">,
  ): Promise<void> => {
    const now = services.clock.now();
    for (const { id: eventId, objectId, payload } of events) {
      const requested = await findExport(tx, { id: objectId, kinds: [...kinds.keys()], now });
      const kind = requested && kinds.get(requested.kind);
      // The requester was removed or is a credential.
      if (!kind || !requested.requester_email || !requested.requester_name) continue;
      const { ready, failed } = await kind.email(tx, requested);
      const to = { name: requested.requester_name, email: requested.requester_email };
      await queueEmail(tx, services, payload.isReady ? ready : failed, { to, now, eventId });
    }
  };
