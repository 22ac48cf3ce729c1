/** The phones of the sandbox: messages are kept, to be read in the simulator. */
import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../platform/db/database.ts";
import type { Text, Texts } from "../../ports/sms.ts";

export function sandboxTexts(db: DatabaseWithSandbox, clock: Clock): Texts {
  return {
    async send({ id, companyId, to, words }) {
      await db.withSandbox((tx) =>
        sql`
          INSERT INTO sandbox.texts (id, company_id, to_number, words, sent_at)
          VALUES (${id}, ${companyId}, ${to}, ${words}, ${clock.now()}) ON CONFLICT (id) DO NOTHING
        `.execute(tx),
      );
    },
  };
}

export interface SentText extends Pick<Text, "id" | "to" | "words"> {
  sent_at: string;
}

/** More than anybody reads, and few enough for one answer. */
const textsShownMax = 50;

/** The newest first. */
export async function listTexts(db: DatabaseWithSandbox): Promise<SentText[]> {
  const { rows } = await db.withSandbox((tx) =>
    sql<Omit<SentText, "sent_at"> & { sent_at: Date }>`
      SELECT id, to_number AS "to", words, sent_at FROM sandbox.texts ORDER BY position DESC LIMIT ${textsShownMax}
    `.execute(tx),
  );
  return rows.map((row) => ({ ...row, sent_at: row.sent_at.toISOString() }));
}
