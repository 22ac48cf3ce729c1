/**
 * Sends answers to the provider. An answer that may not have arrived is sent again with backoff: the provider keeps the
 * first.
 */

import { forEachInTurn } from "../platform/for-each-in-turn.ts";
import type { Services } from "../platform/services.ts";
import type { InfractionAnswer } from "../ports/infractions.ts";
import { claimUnsentAnswers, type InfractionRow, markAnswerSent } from "./store.ts";

type Needs = Pick<Services, "db" | "clock" | "files" | "infractions">;

export async function sendInfractionAnswers(
  services: Needs,
  { companyId }: { companyId: string },
): Promise<void> {
  const answers = await services.db.withCompany(companyId, (tx) =>
    claimUnsentAnswers(tx, services.clock.now()),
  );
  await forEachInTurn(answers, async (row) => {
    await services.infractions.answer(answerOf(services, row));
    await services.db.withCompany(companyId, (tx) => markAnswerSent(tx, row.id, services.clock.now()));
  });
}

function answerOf({ files }: Pick<Services, "files">, row: InfractionRow): InfractionAnswer {
  const { file_key: key, file_name: name, file_type: type, file_bytes: bytes } = row;
  return {
    infractionId: row.provider_id,
    analysis: row.analysis_status as InfractionAnswer["analysis"],
    description: row.analysis_description,
    attachment: key && name && type && bytes ? { name, type, bytes, read: () => files.read(key) } : null,
  };
}
