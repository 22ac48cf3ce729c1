/**
 * Subscriber for changes of limits: a raise waits so that another admin can cancel it, and a lower limit may stop
 * others' payments.
 */
import { installationLimits } from "../company/index.ts";
import { type WrittenEmail, written } from "../emails/index.ts";
import { emailAbout } from "../identities/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { StoredEvent } from "../platform/events/subscriber.ts";
import type { Services } from "../platform/services.ts";

type LimitEvent = StoredEvent<"limit.changed" | "limit.raise_asked" | "limit.raise_cancelled">;

export async function emailAboutLimits(
  tx: Tx,
  events: readonly LimitEvent[],
  services: Pick<Services, "clock" | "config" | "jobs">,
): Promise<void> {
  for (const event of events) {
    const { id, payload } = event;
    await emailAbout(
      tx,
      services,
      { id, people: payload.admins },
      emailOf(event, installationLimits().raiseHours),
    );
  }
}

function emailOf({ type, payload }: LimitEvent, raiseHours: number): WrittenEmail {
  if (type === "limit.raise_cancelled") return written("limitRaiseCancelled", payload);
  const replaced = payload.replaced && {
    ...payload.replaced,
    takesEffectAt: new Date(payload.replaced.takesEffectAt),
  };
  if (type === "limit.changed") return written("limitChanged", { ...payload, replaced, raiseHours });
  return written("limitRaiseRequested", {
    ...payload,
    replaced,
    takesEffectAt: new Date(payload.takesEffectAt),
  });
}
