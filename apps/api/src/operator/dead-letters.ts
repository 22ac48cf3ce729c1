/** Events that a subscriber could not handle, and the operator's decisions about them. */

import type { Database } from "../platform/db/database.ts";
import {
  type DeadLetter,
  listDeadLetters,
  retryDeadLetter,
  skipDeadLetter,
} from "../platform/events/dead-letters.ts";
import { noteOperatorAction } from "./entries.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

export async function deadLetters(db: Database): Promise<Answer> {
  const found = await db.withSystem(listDeadLetters);
  return answer(found, found.map(lineOf).join("\n") || "Nenhum evento parado.");
}

function lineOf(dead: DeadLetter): string {
  const next = dead.dead_at ? "parado" : `nova tentativa em ${dead.try_at.toISOString()}`;
  return [
    `${dead.subscriber} ${dead.position}`,
    `${dead.type} ${dead.object_id}`,
    dead.company,
    `desde ${dead.since.toISOString()}`,
    dead.tries === 1 ? "1 tentativa" : `${dead.tries} tentativas`,
    next,
    ...(dead.waiting > 0 ? [`${dead.waiting} à espera`] : []),
    dead.detail ?? "",
  ].join("  ");
}

export async function decideDeadLetter(
  db: Database,
  now: Date,
  retries: boolean,
  [subscriber = "", place = "", reason = ""]: readonly string[],
): Promise<Answer> {
  const position = Number(place);
  if (!subscriber || !Number.isSafeInteger(position) || position < 1 || reason.trim() === "")
    throw new WrongCommand(usage);
  const which = { subscriber, position };
  const companyId = await db.withSystem(async (tx) => {
    const found = await (retries ? retryDeadLetter(tx, which, now) : skipDeadLetter(tx, which));
    if (found)
      await noteOperatorAction(
        tx,
        retries ? "event_retried" : "event_skipped",
        { ...which, companyId: found, reason: reason.trim() },
        now,
      );
    return found;
  });
  if (!companyId)
    throw new WrongCommand(
      `Nenhum evento de ${subscriber} está parado na posição ${place}. Veja a lista com: npm run operator -- dead-letters`,
    );
  return answer({ ok: true }, retries ? "O evento será tentado de novo agora." : "Evento deixado de lado.");
}
