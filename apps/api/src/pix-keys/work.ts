/** Keys that another institution claims, for the home page. */
import { confirmPixKeyClaim } from "@malote/contracts/pix-keys";
import { claimDeadline, claimKindOf } from "@malote/domain/own-pix-key";
import { type WorkSource, workShownMax } from "../home/index.ts";
import { countKeysToAnswer, listKeysToAnswer } from "./store.ts";

export const claimWork: WorkSource = {
  policy: confirmPixKeyClaim.policy,
  async list(tx) {
    const rows = await listKeysToAnswer(tx, workShownMax);
    return rows.flatMap(({ id, key, status, updated_at }) => {
      const claim = claimKindOf(status);
      if (!claim || key === null) return [];
      return [
        { kind: "answer_claim" as const, due_at: claimDeadline(updated_at).toISOString(), id, key, claim },
      ];
    });
  },
  count: (tx) => countKeysToAnswer(tx, workShownMax),
};
