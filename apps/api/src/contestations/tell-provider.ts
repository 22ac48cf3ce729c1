/**
 * Hands answers to the provider. One that is not known to be taken is handed over again, later each time: it takes the first and
 * no other. The others go on meanwhile.
 */
import type { InfractionAnswer } from "../infractions/port.ts";
import type { Parts } from "../platform/parts.ts";
import { type InfractionRow, setTold, tellLater, untoldAnswers } from "./store.ts";

type Needs = Pick<Parts, "db" | "clock" | "files" | "infractions">;

export async function tellProvider(parts: Needs, { companyId }: { companyId: string }): Promise<void> {
  const now = () => parts.clock.now();
  const answers = await parts.db.readCompany(companyId, (tx) => untoldAnswers(tx, now()));
  const failures: unknown[] = [];
  for (const row of answers) {
    try {
      await parts.infractions.answer(answerOf(parts, row));
    } catch (error) {
      failures.push(error);
      await parts.db.withCompany(companyId, (tx) => tellLater(tx, row.id, now()));
      continue;
    }
    await parts.db.withCompany(companyId, (tx) => setTold(tx, row.id, now()));
  }
  if (failures.length > 0)
    throw new AggregateError(
      failures,
      `the provider did not take ${failures.length} of ${answers.length} answers`,
    );
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
