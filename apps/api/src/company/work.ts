/** Work item on the home page for a company's first steps. */
import { createCheckpoint } from "@malote/contracts/company";
import type { Policy } from "@malote/contracts/policy";
import type { WorkSource } from "../home/index.ts";
import { type FirstSteps, findFirstSteps } from "./store.ts";

const admins: Policy = { ...createCheckpoint.policy, profiles: ["admin"] };

/** Returns true when the first steps are complete; the second factor is not required. */
const areDone = ({ withdrawal_account, receiver, batch }: FirstSteps) =>
  withdrawal_account && receiver && batch;

export const firstStepsWork: WorkSource = {
  policy: admins,
  async list(tx, { actor }) {
    const steps = await findFirstSteps(tx, actor.id);
    if (areDone(steps)) return [];
    return [{ kind: "first_steps" as const, due_at: null, id: tx.companyId, steps }];
  },
  count: async (tx, { actor }) => (areDone(await findFirstSteps(tx, actor.id)) ? 0 : 1),
};
