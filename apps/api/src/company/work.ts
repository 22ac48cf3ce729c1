/** The first steps of a company, for the home page. */
import { createCheckpoint } from "@malote/contracts/company";
import type { Policy } from "@malote/contracts/policy";
import type { WorkSource } from "../home/index.ts";
import { findFirstSteps } from "./store.ts";

const admins: Policy = { ...createCheckpoint.policy, profiles: ["admin"] };

/** Until each step but the second factor is done. */
export const firstStepsWork: WorkSource = {
  policy: admins,
  async list(tx, { actor }) {
    const steps = await findFirstSteps(tx, actor.id);
    if (steps.withdrawal_account && steps.receiver && steps.batch) return [];
    return [{ kind: "first_steps" as const, due_at: null, id: tx.companyId, steps }];
  },
};
