/** Parts of the first steps that other features use. */

import type { BeforeEnter } from "../shell/guards.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { pathOf, type RouteName } from "../shell/routes.ts";
import { firstTimeQuery, hasFilledFirstSteps, withdrawalAccountQuery } from "./api.ts";

export type { WithdrawalAccount } from "./api.ts";
export { firstTimeQuery, hasFilledFirstSteps, withdrawalAccountQuery };

/**
 * Redirects to first steps from pages that need a company set up (FST-009); afterwards the person returns to the page.
 */
export function sendToFirstSteps(name: RouteName): BeforeEnter {
  return async (session, address = pathOf(name)) =>
    (await hasFilledFirstSteps(session))
      ? undefined
      : `${pathOf("FirstStepsPage")}?redirectedFrom=${encodeURIComponent(address)}`;
}

/** Form without its page, for the batch wizard (BAT-033). Calls `onSaved`. */
export const FirstStepsForm = lazyPart(() => import("./first-steps-form.tsx"));
