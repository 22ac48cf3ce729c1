/**
 * Dead letters of subscribers and events of networks that cannot be applied, with the operator's decisions about them.
 */

import { closeRailDeadLetter, listRailDeadLetters, type RailDeadLetter } from "../payments/index.ts";
import type { Database } from "../platform/db/database.ts";
import {
  type DeadLetter,
  listDeadLetters,
  retryDeadLetter,
  skipDeadLetter,
} from "../platform/events/dead-letter-store.ts";
import { isUuid } from "../platform/uuid.ts";
import { insertOperatorEntry } from "./entries.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

export async function describeDeadLetters(db: Database): Promise<Answer> {
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
      await insertOperatorEntry(
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

export async function describeRailDeadLetters(db: Database): Promise<Answer> {
  const found = await db.withSystem(listRailDeadLetters);
  return answer(found, found.map(railLineOf).join("\n") || "Nenhum evento da rede espera por alguém.");
}

function railLineOf(dead: RailDeadLetter): string {
  return [
    dead.id,
    dead.why,
    `${dead.connection} ${dead.event_id}`,
    dead.company ?? "nenhuma empresa",
    `desde ${dead.since.toISOString()}`,
    ...(dead.try_at ? [`nova tentativa em ${dead.try_at.toISOString()}`] : []),
    dead.detail,
  ].join("  ");
}

export async function closeNetworkEvent(
  db: Database,
  now: Date,
  [id = "", given = ""]: readonly string[],
): Promise<Answer> {
  const reason = given.trim();
  if (!isUuid(id) || reason === "") throw new WrongCommand(usage);
  const closed = await db.withSystem(async (tx) => {
    const found = await closeRailDeadLetter(tx, { id, reason, now });
    if (found && found !== "being_tried") {
      const { company_id: companyId, connection, event_id: eventId, why } = found;
      await insertOperatorEntry(
        tx,
        "network_event_closed",
        { id, companyId, connection, eventId, why, reason },
        now,
      );
    }
    return found;
  });
  if (!closed)
    throw new WrongCommand(
      `Nenhum evento da rede espera com o id ${id}. Veja a lista com: npm run operator -- network-events`,
    );
  if (closed === "being_tried")
    throw new WrongCommand("O evento está sendo tentado de novo agora. Espere um minuto e veja a lista.");
  return answer({ ok: true }, "Evento da rede encerrado; o motivo ficou registrado.");
}
