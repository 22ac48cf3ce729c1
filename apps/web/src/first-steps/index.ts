/** What other features may use of the first steps. */
import { lazy } from "react";
import type { BeforeEnter } from "../shell/guards.ts";
import { hasFilledFirstSteps } from "./api.ts";

export const firstStepsPath = "/pagamentos/primeiros-passos";

export { hasFilledFirstSteps };

/** For pages that need a company set up (FST-009); afterwards the way leads back to `path`. */
export function sendToFirstSteps(path: string): BeforeEnter {
  return async (session) =>
    (await hasFilledFirstSteps(session))
      ? undefined
      : `${firstStepsPath}?redirectedFrom=${encodeURIComponent(path)}`;
}

/** The form without its page, for the batch wizard (BAT-033). Takes `onSaved`. */
export const FirstStepsForm = lazy(() => import("./first-steps-form.tsx"));
