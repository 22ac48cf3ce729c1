/**
 * Hands answers to the provider. One that is not known to be taken is handed over again, later each time: it takes the first and
 * no other.
 */

import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Parts } from "../platform/parts.ts";
import type { InfractionAnswer } from "../ports/infractions.ts";
import { claimUntold, type InfractionRow, markAnswerSent } from "./store.ts";

type Needs = Pick<Parts, "db" | "clock" | "files" | "infractions">;

export async function sendInfractionAnswers(
  parts: Needs,
  { companyId }: { companyId: string },
): Promise<void> {
  const answers = await parts.db.withCompany(companyId, (tx) => claimUntold(tx, parts.clock.now()));
  await forEachInTurn(answers, async (row) => {
    await parts.infractions.answer(answerOf(parts, row));
    await parts.db.withCompany(companyId, (tx) => markAnswerSent(tx, row.id, parts.clock.now()));
  });
}

function answerOf({ files }: Pick<Parts, "files">, row: InfractionRow): InfractionAnswer {
  const { file_key: key, file_name: name, file_type: type, file_bytes: bytes } = row;
  return {
    infractionId: row.provider_id,
    analysis: row.analysis_status as InfractionAnswer["analysis"],
    description: row.analysis_description,
    attachment: key && name && type && bytes ? { name, type, bytes, read: () => files.read(key) } : null,
  };
}
