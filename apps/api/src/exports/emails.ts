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
      const asked = await findExport(tx, { id: objectId, kinds: [...kinds.keys()], now });
      const kind = asked && kinds.get(asked.kind);
      // The requester was removed or is a credential.
      if (!kind || !asked.requester_email || !asked.requester_name) continue;
      const { ready, failed } = await kind.email(tx, asked);
      const to = { name: asked.requester_name, email: asked.requester_email };
      await queueEmail(tx, services, payload.isReady ? ready : failed, { to, now, eventId });
    }
  };
