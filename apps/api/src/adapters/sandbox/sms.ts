/** Stores text messages of the sandbox and shows them in the simulator. */
import { sql } from "kysely";
import type { Clock } from "../../platform/clock.ts";
import type { DatabaseWithSandbox } from "../../platform/db/database.ts";
import type { Sms, SmsMessage } from "../../ports/sms.ts";

export function sandboxSms(db: DatabaseWithSandbox, clock: Clock): Sms {
  return {
    async send({ id, companyId, to, text }) {
      await db.withSandbox((tx) =>
        sql`
          INSERT INTO sandbox.texts (id, company_id, to_number, words, sent_at)
          VALUES (${id}, ${companyId}, ${to}, ${text}, ${clock.now()}) ON CONFLICT (id) DO NOTHING
        `.execute(tx),
      );
    },
  };
}

export interface SentText extends Pick<SmsMessage, "id" | "to"> {
  words: string;
  sent_at: string;
}

/** Maximum number of messages in one answer of the simulator. */
const textsShownMax = 50;

/** Lists the stored messages, newest first. */
export async function listTexts(db: DatabaseWithSandbox): Promise<SentText[]> {
  const { rows } = await db.withSandbox((tx) =>
    sql<Omit<SentText, "sent_at"> & { sent_at: Date }>`
      SELECT id, to_number AS "to", words, sent_at FROM sandbox.texts ORDER BY position DESC LIMIT ${textsShownMax}
    `.execute(tx),
  );
  return rows.map((row) => ({ ...row, sent_at: row.sent_at.toISOString() }));
}
