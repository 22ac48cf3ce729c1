/** Infractions without an answer, for the home page. */

import { answerInfraction } from "@malote/contracts/contestations";
import { instantOrNull } from "@malote/contracts/wire";
import { type WorkSource, workShownMax } from "../home/index.ts";
import { countUnanswered, findUnanswered } from "./store.ts";

export const infractionWork: WorkSource = {
  policy: answerInfraction.policy,
  async list(tx, { now }) {
    const rows = await findUnanswered(tx, now, workShownMax);
    return rows.map((row) => ({
      kind: "answer_infraction" as const,
      due_at: row.analysis_due_at.toISOString(),
      id: row.id,
      payer_name: row.payer_name,
      amount: row.amount,
      received_at: instantOrNull(row.received_at),
    }));
  },
  count: (tx, { now }) => countUnanswered(tx, now, workShownMax),
};
