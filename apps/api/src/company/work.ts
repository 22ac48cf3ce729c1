/** Work item on the home page for a company's first steps. */
import { createCheckpoint } from "@malote/contracts/company";
import type { Policy } from "@malote/contracts/policy";
import type { WorkSource } from "../home/index.ts";
import type { Tx } from "../platform/db/database.ts";
import { findOwnFirstSteps } from "./store.ts";

const admins: Policy = { ...createCheckpoint.policy, profiles: ["admin"] };

/** First steps in other features, which answer whether the company has done them. */
export type StepsElsewhere = Record<"receiver" | "batch", (tx: Tx) => Promise<boolean>>;

/** Returns the first steps that the company has done; the second factor is the given user's. */
async function readFirstSteps(tx: Tx, userId: string, elsewhere: StepsElsewhere) {
  const [own, receiver, batch] = await Promise.all([
    findOwnFirstSteps(tx, userId),
    elsewhere.receiver(tx),
    elsewhere.batch(tx),
  ]);
  return { ...own, receiver, batch };
}

type FirstSteps = Awaited<ReturnType<typeof readFirstSteps>>;

/** Returns true when the first steps are complete; the second factor is not required. */
const areDone = ({ withdrawal_account, receiver, batch }: FirstSteps) =>
  withdrawal_account && receiver && batch;

export const firstStepsWork = (elsewhere: StepsElsewhere): WorkSource => ({
  policy: admins,
  async list(tx, { actor }) {
    const steps = await readFirstSteps(tx, actor.id, elsewhere);
    if (areDone(steps)) return [];
    return [{ kind: "first_steps" as const, due_at: null, id: tx.companyId, steps }];
  },
  count: async (tx, { actor }) => (areDone(await readFirstSteps(tx, actor.id, elsewhere)) ? 0 : 1),
});
