/**
 * Dynamic Pix codes of the sandbox: charges of our own companies, and fictitious ones of another bank whose address
 * encodes their behaviour. A payer's bank reads a code before it pays, and pays it once.
 */

import { writeDynamicBrCode } from "@malote/domain/br-code";
import { addDays, type CalendarDate, parseDate, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import { ownInstitution } from "@malote/domain/own-institution";
import type { PixCharge } from "@malote/domain/pix-charge";
import { amountDue, isTakenOn, type RegisteredBoleto } from "@malote/domain/registered-boleto";
import { sql } from "kysely";
import type { AnyTx, DatabaseWithSandbox } from "../../../platform/db/database.ts";
import type { PayinEvent } from "../../../ports/charges.ts";
import type { PixCodes } from "../../../ports/pix-codes.ts";
import type { PaymentOrder } from "../../../ports/rails.ts";
import { shareOf } from "./chance.ts";
import { inventedParty } from "./invented.ts";
import { NoAnswer } from "./no-answer.ts";
import { insertEvent } from "./store.ts";

/** Hosts of our own codes; the second name keeps codes of earlier versions valid. */
const ownHost =
  /^pix\.(?:cobranca|malote)\.invalid\/qr\/v2\/([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;
/**
 * Address of a code of the fictitious bank: kind, centavos, expiry of an immediate charge (cob) or due date of a cobv,
 * and the case.
 */
const auroraHost = /^pix\.aurora\.invalid\/qr\/v2\/(cob|cobv)\/(\d{1,11})\/(\d{8}|\d{12})\/(\d{2})$/;

/**
 * Cases with the same digits as the endings of keys and boletos: 01 is paid, the others name the reason for a refusal.
 */
const cases = { good: "01", removed: "15", paid: "16", silent: "25", open: "02" } as const;

/**
 * A fine of 2 % and interest of 1 % a month, payable up to thirty days late; a discount of 5 % up to five days before
 * the due date.
 */
const cobvTerms = {
  fineBasisPoints: 200,
  interestBasisPoints: 100,
  takenDays: 30,
  discountShare: 20,
  discountDays: 5,
};

interface OwnCharge {
  id: string;
  company_id: string;
  amount: number;
  state: string;
  charge_data: {
    receiver: { name: string; taxId?: string };
    payer: { name: string; taxId: string };
    expiresAt?: string;
  };
}

async function findOwn(tx: AnyTx, location: string): Promise<OwnCharge | undefined> {
  const id = ownHost.exec(location)?.slice(1).join("-");
  if (!id) return undefined;
  const { rows } = await sql<OwnCharge>`
    SELECT id, company_id, amount, state, charge_data FROM sandbox.charges
    WHERE id = ${id} AND method = 'pix' FOR UPDATE
  `.execute(tx);
  return rows.length === 1 ? rows[0] : undefined;
}

/** Derives 32 hexadecimal digits from a text, in the form of a random key. */
function randomKeyOf(text: string): string {
  const digits = Array.from({ length: 8 }, (_, place) =>
    Math.floor(shareOf(`${text} ${place}`) * 65_536)
      .toString(16)
      .padStart(4, "0"),
  ).join("");
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
}

const nothingMore = { dueDate: null, fine: null, interest: null, discount: null, abatement: null } as const;

function chargeOfOwn(charge: OwnCharge): PixCharge {
  const { receiver, expiresAt } = charge.charge_data;
  return {
    ...nothingMore,
    type: "IMMEDIATE_COLLECTION",
    status: charge.state === "paid" ? "PAID" : charge.state === "waiting" ? "ACTIVE" : "REMOVED",
    key: randomKeyOf(charge.company_id),
    receiver: { name: receiver.name, taxId: receiver.taxId ?? null },
    amount: cents(charge.amount),
    txid: charge.id.replaceAll("-", ""),
    until: expiresAt ?? null,
  };
}

const dayOf = (digits: string) =>
  parseDate(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}`);
const endOf = (day: CalendarDate) => new Date(startOfDay(addDays(day, 1)).getTime() - 1000).toISOString();

function chargeOfAurora(location: string, payOn: CalendarDate): PixCharge | undefined {
  const [, kind, value = "", when = "", held] = auroraHost.exec(location) ?? [];
  const day = dayOf(when);
  if (!day) return undefined;
  const amount = cents(Number(value));
  const base = {
    status: held === cases.removed ? "REMOVED" : held === cases.paid ? "PAID" : "ACTIVE",
    key: randomKeyOf(location),
    receiver: inventedParty(`charges ${location}`, "company"),
    txid: randomKeyOf(`txid ${location}`).replaceAll("-", ""),
  } as const;
  if (kind === "cob") {
    const minutes = Number(when.slice(8, 10)) * 60 + Number(when.slice(10, 12));
    const until = new Date(startOfDay(day).getTime() + minutes * 60_000).toISOString();
    return {
      ...base,
      ...nothingMore,
      type: "IMMEDIATE_COLLECTION",
      amount: held === cases.open ? null : amount,
      until,
    };
  }
  const registered: RegisteredBoleto = {
    beneficiary: base.receiver,
    value: amount,
    dueDate: day,
    limitDate: addDays(day, cobvTerms.takenDays),
    fineBasisPoints: cobvTerms.fineBasisPoints,
    interestBasisPoints: cobvTerms.interestBasisPoints,
    discount: {
      amount: cents(Math.floor(amount / cobvTerms.discountShare)),
      until: addDays(day, -cobvTerms.discountDays),
    },
    abatement: cents(0),
  };
  const due = amountDue(registered, payOn);
  return {
    ...base,
    type: "DUE_DATE_COLLECTION",
    status: isTakenOn(registered, payOn) ? base.status : "REMOVED",
    amount: due.total,
    dueDate: day,
    fine: due.fine,
    interest: due.interest,
    discount: due.discount,
    abatement: due.abatement,
    until: due.until && endOf(due.until),
  };
}

const isPaidBy = async (tx: AnyTx, location: string): Promise<boolean> => {
  const { rows } = await sql`
    SELECT 1 FROM sandbox.orders WHERE order_data -> 'code' ->> 'location' = ${location} AND outcome <> 'failed' LIMIT 1
  `.execute(tx);
  return rows.length > 0;
};

async function readCode(tx: AnyTx, location: string, payOn: CalendarDate): Promise<PixCharge | undefined> {
  const own = await findOwn(tx, location);
  if (own) return chargeOfOwn(own);
  const charge = chargeOfAurora(location, payOn);
  return charge && (await isPaidBy(tx, location)) ? { ...charge, status: "PAID" } : charge;
}

export function sandboxPixCodes(db: DatabaseWithSandbox): PixCodes {
  return {
    async read(location, payOn) {
      if (auroraHost.exec(location)?.[4] === cases.silent) throw new NoAnswer();
      return db.withSandbox((tx) => readCode(tx, location, payOn));
    },
  };
}

/** Returns the reason why the payee's institution refuses this payment; undefined when it accepts it. */
export async function findCodeRefusal(
  tx: AnyTx,
  order: PaymentOrder,
  now: Date,
): Promise<string | undefined> {
  if (!order.code?.location) return undefined;
  const charge = await readCode(tx, order.code.location, saoPauloDate(now));
  if (!charge) return "A cobrança deste código Pix não existe.";
  if (charge.status === "PAID") return "A cobrança deste código Pix já foi paga.";
  if (charge.status === "REMOVED") return "A cobrança deste código Pix foi cancelada.";
  if (charge.until !== null && new Date(charge.until) <= now) return "O código Pix venceu.";
  if (charge.amount !== null && charge.amount !== order.value)
    return "O valor é diferente do valor da cobrança do código Pix.";
  return undefined;
}

/** Settles the charge of one of our companies with the payment of another one. */
export async function payOwnCharge(tx: AnyTx, order: PaymentOrder, at: Date): Promise<void> {
  const charge = order.code?.location ? await findOwn(tx, order.code.location) : undefined;
  if (charge?.state !== "waiting") return;
  const eventId = (kind: PayinEvent["kind"]) => `${charge.company_id}:${charge.id}:${kind}`;
  const { payer } = order;
  const paid: PayinEvent = {
    kind: "charge_paid",
    id: eventId("charge_paid"),
    companyId: charge.company_id,
    chargeId: charge.id,
    at: at.toISOString(),
    paymentId: order.endToEndId,
    value: order.value,
    payer: {
      name: payer.name,
      document: payer.taxId,
      bank: ownInstitution().name,
      agency: payer.agency,
      account: payer.account,
      accountDigit: payer.accountDigit,
      accountType: "CONTA_PAGAMENTO",
    },
  };
  await sql`
    UPDATE sandbox.charges SET state = 'paid', answer = ${JSON.stringify(paid)}::jsonb
    WHERE company_id = ${charge.company_id} AND id = ${charge.id}
  `.execute(tx);
  await sql`
    DELETE FROM sandbox.events WHERE id = ${eventId("charge_expired")} AND delivered_at IS NULL
  `.execute(tx);
  await insertEvent(tx, charge.company_id, paid, at);
}

/** Returns codes of the fictitious bank to try, made for the given time. */
export function pixCodesToTry(now: Date): { kind: string; value: string; outcome: string }[] {
  const today = saoPauloDate(now);
  const digits = (day: CalendarDate) => day.replaceAll("-", "");
  const code = (kind: "cob" | "cobv", amount: number, when: string, held: string) => {
    const location = `pix.aurora.invalid/qr/v2/${kind}/${amount}/${when}/${held}`;
    const { name } = inventedParty(`charges ${location}`, "company");
    return writeDynamicBrCode({ location, merchantName: name, merchantCity: "SAO PAULO" });
  };
  const tomorrow = digits(addDays(today, 1));
  const rows: readonly (readonly [code: string, outcome: string])[] = [
    [code("cob", 150_00, `${tomorrow}2359`, cases.good), "Cobrança imediata de R$ 150,00. É paga uma vez."],
    [code("cob", 0, `${tomorrow}2359`, cases.open), "Cobrança imediata com valor aberto."],
    [code("cob", 80_00, `${digits(addDays(today, -1))}1200`, cases.good), "Cobrança imediata vencida."],
    [code("cob", 80_00, `${tomorrow}2359`, cases.paid), "Cobrança já paga."],
    [code("cob", 80_00, `${tomorrow}2359`, cases.removed), "Cobrança cancelada por quem cobra."],
    [code("cob", 80_00, `${tomorrow}2359`, cases.silent), "Quem cobra não responde à consulta."],
    [code("cobv", 1_000_00, digits(addDays(today, 10)), cases.good), "Cobrança com vencimento e desconto."],
    [code("cobv", 1_000_00, digits(addDays(today, -10)), cases.good), "Cobrança vencida, com multa e juros."],
  ];
  return rows.map(([value, outcome]) => ({ kind: "Pix copia e cola", value, outcome }));
}
