/** What other features may use of the first steps. */

import type { BeforeEnter } from "../shell/guards.ts";
import { lazyPart } from "../shell/lazy-part.ts";
import { pathOf, type RouteName } from "../shell/routes.ts";
import { firstTimeQuery, hasFilledFirstSteps, withdrawalAccountQuery } from "./api.ts";

export type { WithdrawalAccount } from "./api.ts";
export { firstTimeQuery, hasFilledFirstSteps, withdrawalAccountQuery };

/** For pages that need a company set up (FST-009); afterwards the person returns to the page. */
export function sendToFirstSteps(name: RouteName): BeforeEnter {
  return async (session, address = pathOf(name)) =>
    (await hasFilledFirstSteps(session))
      ? undefined
      : `${pathOf("FirstStepsPage")}?redirectedFrom=${encodeURIComponent(address)}`;
}

/** The form without its page, for the batch wizard (BAT-033). Takes `onSaved`. */
export const FirstStepsForm = lazyPart(() => import("./first-steps-form.tsx"));
