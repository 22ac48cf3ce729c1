/**
 * The subscriber that notifies admins, because a thief of an account would first change where replies and withdrawals
 * go.
 */

import { written } from "../emails/index.ts";
import { emailAbout } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

export async function emailAboutSettings(
  tx: Tx,
  events: readonly StoredEvent<"company.reply_to_changed" | "company.withdrawal_account_saved">[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const { id, type, payload } of events)
    await emailAbout(
      tx,
      services,
      { id, people: payload.admins },
      type === "company.reply_to_changed"
        ? written("replyToChanged", payload)
        : written("withdrawalAccountSaved", payload),
    );
}
