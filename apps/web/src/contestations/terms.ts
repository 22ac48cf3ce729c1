/** True when the person accepted the terms of the area; read on entering, and cached from then on (MED-003). */
import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { call } from "../shell/call.ts";
import type { BeforeEnter } from "../shell/guards.ts";
import { pathOf } from "../shell/routes.ts";

const checkpoint = "HAS_ACCEPTED_INFRACTION_TERMS";
export const termsPath = pathOf("InfractionTermsPage");

/** Cached per person, because another may sign in on the same page. An acceptance is never undone. */
const accepted = new Set<string>();

/**
 * FST-025: while it cannot be read, the call reports the failure and the person is admitted; the next page asks again.
 */
async function hasAccepted(personId: string): Promise<boolean | "unknown"> {
  if (accepted.has(personId)) return true;
  const known = await call(readCheckpoint, { params: { id: checkpoint }, query: {} }).catch(() => undefined);
  if (known?.exists) accepted.add(personId);
  return known?.exists ?? "unknown";
}

export const sendToTerms: BeforeEnter = async ({ sub }) =>
  (await hasAccepted(sub)) === false ? termsPath : undefined;

export const leaveTerms: BeforeEnter = async ({ sub }) =>
  (await hasAccepted(sub)) === true ? pathOf("InfractionsPage") : undefined;

export async function acceptTerms(personId: string): Promise<void> {
  await call(createCheckpoint, { body: { location: checkpoint } });
  accepted.add(personId);
}

/** Used by tests, in which one page serves many people. */
export const forgetAcceptedTerms = () => accepted.clear();
