/** Charges of dynamic Pix codes, read before the transaction that stores them. */

import type { lookUpPixCode } from "@malote/contracts/lookups";
import type { PixCode as WireCode } from "@malote/contracts/pix-code";
import { type CalendarDate, parseDate, saoPauloDate } from "@malote/domain/calendar";
import {
  chargeOfStaticCode,
  keyOfCharge,
  locationOf,
  type PixCharge,
  pixCodeProblem,
} from "@malote/domain/pix-charge";
import { maskTaxId } from "@malote/domain/tax-id";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { pixCharge } from "../../ports/pix-codes.ts";

/** Charges by code, as the payee's institution answered. A missing code had no answer or names no charge. */
export type ReadCharges = ReadonlyMap<string, PixCharge>;
export const noCharges: ReadCharges = new Map();

/** Maximum number of dynamic codes in one call: each is a call to another institution's server. */
const codesMax = 20;

type Needs = Pick<Services, "pixCodes" | "clock" | "log">;

interface Coded {
  emv?: string | null | undefined;
  payment_date?: string | null | undefined;
}

async function readOne(
  { pixCodes, clock, log }: Needs,
  location: string,
  wanted: string | null | undefined,
): Promise<PixCharge | undefined> {
  const today = saoPauloDate(clock.now());
  const payOn: CalendarDate = (wanted ? parseDate(wanted) : undefined) ?? today;
  try {
    const answers = await pixCodes.read(location, payOn < today ? today : payOn);
    return answers && pixCharge.parse(answers);
  } catch (error) {
    log.warn({ err: error }, "cannot read the charge of a Pix code");
    return undefined;
  }
}

/** Reads the charges of dynamic codes over the network. Never call it inside a transaction. */
export async function readCharges(services: Needs, payments: readonly Coded[]): Promise<ReadCharges> {
  const byCode = new Map<string, { location: string; payOn: string | null | undefined }>();
  for (const { emv, payment_date } of payments) {
    const location = locationOf(emv);
    if (emv && location) byCode.set(emv.trim(), { location, payOn: payment_date });
  }
  if (byCode.size === 0) return noCharges;
  if (byCode.size > codesMax) throw new AppError("too_many_codes", { max: codesMax });
  const answers = await Promise.all(
    [...byCode].map(
      async ([emv, { location, payOn }]) => [emv, await readOne(services, location, payOn)] as const,
    ),
  );
  return new Map(answers.flatMap(([emv, charge]) => (charge ? [[emv, charge] as const] : [])));
}

export async function lookUpCode(
  services: Needs & Pick<Services, "db">,
  call: Call<typeof lookUpPixCode>,
): Promise<WireCode> {
  const { body, actor } = call;
  const emv = body.emv.trim();
  const problem = pixCodeProblem(emv);
  if (problem) throw new AppError("pix_code_invalid", { errors: [{ code: problem, field: "emv" }] });
  const own = chargeOfStaticCode(emv);
  const charge = own ?? (await readCharges(services, [body])).get(emv) ?? null;
  await services.db.withCompany(actor.companyId, (tx) =>
    audit(tx, call, "pix_code_looked_up", undefined, { txid: charge?.txid ?? null, read: charge !== null }),
  );
  if (!charge) return { status: "unavailable", charge: null };
  const { type, key } = keyOfCharge(charge);
  return {
    status: "read",
    charge: {
      type: charge.type,
      status: charge.status,
      pix_key_type: type,
      pix_key: key,
      name: charge.receiver.name,
      cpf_cnpj: charge.receiver.taxId && maskTaxId(charge.receiver.taxId),
      amount: charge.amount,
      due_date: charge.dueDate,
      fine_amount: charge.fine,
      interest_amount: charge.interest,
      discount_amount: charge.discount,
      abatment_amount: charge.abatement,
      txid: charge.txid,
      until: charge.until,
    },
  };
}
