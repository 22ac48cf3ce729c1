/** Codes that prove possession of a key: sent only to the key itself, by e-mail or to the phone. */
import { randomInt } from "node:crypto";
import { saoPauloDate } from "@malote/domain/calendar";
import { hourMs, minuteMs } from "@malote/domain/durations";
import { codeMinutes, codeTriesMax, resendRestSeconds } from "@malote/domain/own-pix-key";
import { readCompany } from "../company/index.ts";
import { queueEmail, written } from "../emails/index.ts";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Services } from "../platform/services.ts";
import { countCodesSince, countCodesTo, findPixKey, type KeyOfCompany, type PixKeyRow } from "./store.ts";

/** Codes per company and hour, because each goes to a person who may not have requested it. */
const codesPerHourMax = 40;
/** Codes per key and day of São Paulo, across all companies and however often the key is deleted and added again. */
const codesPerKeyMax = 10;

/** Returns the seconds until the next code may be sent. */
export function restSeconds({ code_sent_at, code_sends }: PixKeyRow, now: Date): number {
  if (!code_sent_at) return 0;
  const until = code_sent_at.getTime() + resendRestSeconds(code_sends) * 1000;
  return Math.max(0, Math.ceil((until - now.getTime()) / 1000));
}

/** Returns true after too many tries or too much time, when another code must be sent. */
export function isCodeExpired({ code_tries, code_sent_at }: PixKeyRow, now: Date): boolean {
  const sentAt = code_sent_at?.getTime() ?? 0;
  return code_tries >= codeTriesMax || now.getTime() > sentAt + codeMinutes * minuteMs;
}

/** Returns the row with a new code, and sends the code's message with the transaction. The caller writes the row. */
export async function withNewCode(
  tx: Tx,
  { jobs, config, secrets }: Pick<Services, "jobs" | "config" | "secrets">,
  row: PixKeyRow,
  now: Date,
): Promise<PixKeyRow> {
  if ((await countCodesSince(tx, new Date(now.getTime() - hourMs))) >= codesPerHourMax)
    throw new AppError("too_many_tries", { minutes: 60 });
  const today = saoPauloDate(now);
  if ((await countCodesTo(tx, row.key ?? "", today)) >= codesPerKeyMax)
    throw new AppError("pix_key_codes_too_many");
  const code = String(randomInt(1_000_000)).padStart(6, "0");
  if (row.key_type === "EMAIL") await emailCode(tx, { jobs, config }, row.key ?? "", code, now);
  else await jobs.enqueue(tx, "send-pix-key-code", { companyId: tx.companyId, keyId: row.id });
  return {
    ...row,
    code_secret: secrets.encrypt(code),
    code_sent_at: now,
    code_sends: row.code_sends + 1,
    code_day: today,
    code_day_sends: row.code_day === today ? row.code_day_sends + 1 : 1,
    code_tries: 0,
  };
}

/** Sends the code directly rather than by an event, because the event log must not contain codes. */
async function emailCode(
  tx: Tx,
  services: Pick<Services, "jobs" | "config">,
  to: string,
  code: string,
  now: Date,
): Promise<void> {
  const { name: company } = await readCompany(tx);
  await queueEmail(tx, services, written("pixKeyCode", { company, code, minutes: codeMinutes }), {
    to: { name: "", email: to },
    now,
    goodUntil: new Date(now.getTime() + codeMinutes * minuteMs),
  });
}

/** Sends a code as a job: a retry sends the same message, and an expired or replaced code is not sent. */
export async function sendPixKeyCode(services: Services, { companyId, keyId }: KeyOfCompany): Promise<void> {
  const found = await services.db.readCompany(companyId, async (tx) => ({
    row: await findPixKey(tx, keyId),
    company: await readCompany(tx),
  }));
  const { row, company } = found;
  if (!row?.code_secret || row.key === null || row.key_type !== "TELEFONE") return;
  if (isCodeExpired(row, services.clock.now())) return;
  const code = services.secrets.decrypt(row.code_secret);
  await services.sms.send({
    id: textIdOf(row),
    companyId,
    to: row.key,
    text: `${code} é o código para cadastrar este celular como chave Pix de ${company.name}. Não passe a ninguém.`,
  });
}

/** Returns an id for each sending of the key's code: the count replaces the last digits of the key's id. */
const textIdOf = ({ id, code_sends }: PixKeyRow) =>
  `${id.slice(0, -4)}${code_sends.toString(16).padStart(4, "0")}`;
