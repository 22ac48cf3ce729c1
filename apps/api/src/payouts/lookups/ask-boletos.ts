/** Registration of a boleto, looked up before paying and stored with its requester. */

import type { BoletoRegister as WireRegister } from "@malote/contracts/boleto-register";
import type { lookUpBoleto } from "@malote/contracts/lookups";
import { type Moment, priceOf, type Register } from "@malote/domain/boleto";
import { readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { boletoFreshMs } from "@malote/domain/freshness";
import { maskTaxId } from "@malote/domain/tax-id";
import { AppError } from "../../platform/app-error.ts";
import { audit } from "../../platform/audit.ts";
import type { Call } from "../../platform/http/serve.ts";
import type { Services } from "../../platform/services.ts";
import { registerAnswer } from "../../ports/boleto-register.ts";
import {
  type AnsweredBoleto,
  type BoletoLookup,
  listDraftsWithBoleto,
  type Requester,
  readBoletoLookups,
  saveBoletoLookups,
} from "./store.ts";

const askedAtOnce = 5;

export type Needs = Pick<Services, "db" | "clock" | "boletoRegister" | "log">;

const isFresh = (known: BoletoLookup | undefined, now: Date): boolean => {
  const age = known ? now.getTime() - known.asked_at.getTime() : -1;
  return known !== undefined && known.outcome !== "silent" && age >= 0 && age < boletoFreshMs;
};

/** Refreshes stale lookups outside a transaction and returns all of them. */
export async function askAboutBoletos(
  services: Needs,
  companyId: string,
  requester: Requester,
  wanted: readonly string[],
): Promise<Map<string, BoletoLookup>> {
  const barcodes = [...new Set(wanted)];
  const known = await services.db.readCompany(companyId, (tx) => readBoletoLookups(tx, barcodes));
  const stale = barcodes.filter((barcode) => !isFresh(known.get(barcode), services.clock.now()));
  if (stale.length === 0) return known;
  const answers = await askRegister(services, stale);
  return services.db.withCompany(companyId, async (tx) => {
    await saveBoletoLookups(tx, answers, requester, services.clock.now());
    return readBoletoLookups(tx, barcodes);
  });
}

async function askRegister(
  { boletoRegister, log }: Pick<Services, "boletoRegister" | "log">,
  barcodes: readonly string[],
): Promise<AnsweredBoleto[]> {
  const ask = async (barcode: string): Promise<AnsweredBoleto> => {
    try {
      const answer = registerAnswer.parse(await boletoRegister.find(barcode));
      return { barcode, outcome: answer.outcome, boleto: "boleto" in answer ? answer.boleto : null };
    } catch (error) {
      log.warn({ err: error }, "the register of boletos did not answer");
      return { barcode, outcome: "silent", boleto: null };
    }
  };
  const answers: AnsweredBoleto[] = [];
  for (let start = 0; start < barcodes.length; start += askedAtOnce)
    answers.push(...(await Promise.all(barcodes.slice(start, start + askedAtOnce).map(ask))));
  return answers;
}

export const registerOf = (row: BoletoLookup | undefined): Register | undefined =>
  row && { outcome: row.outcome, boleto: row.registered };

export async function lookUp(
  services: Needs & Pick<Services, "jobs">,
  call: Call<typeof lookUpBoleto>,
): Promise<WireRegister> {
  const { body, actor } = call;
  const today = saoPauloDate(call.now);
  const code = readBoletoCode(body.barcode, today);
  if (!code)
    throw new AppError("billet_invalid", { errors: [{ code: "billet_code_invalid", field: "barcode" }] });
  const requester = { id: actor.id, name: actor.name };
  const known = await askAboutBoletos(services, actor.companyId, requester, [code.barcode]);
  const row = known.get(code.barcode);
  await services.db.withCompany(actor.companyId, async (tx) => {
    await audit(tx, call, "billet_looked_up", undefined, {
      barcode: code.barcode,
      outcome: row?.outcome ?? "silent",
    });
    // The new answer sets the price in drafts with this boleto, even when the form is left without saving.
    if (row && row.asked_at >= call.now)
      for (const batchId of await listDraftsWithBoleto(tx, code.barcode))
        await services.jobs.enqueue(tx, "ask-lookups", { companyId: tx.companyId, batchId });
  });
  return registerOnWire(
    row,
    { value: code.value, paymentDate: body.payment_date ?? null },
    {
      today,
      now: saoPauloTime(call.now),
    },
  );
}

/** Returns the register's answer in its wire shape, with the price on the day of payment. */
export function registerOnWire(
  row: BoletoLookup | undefined,
  { value, paymentDate }: { value: number | null; paymentDate: string | null },
  moment: Moment,
): WireRegister {
  const boleto = row?.registered ?? null;
  const price = row && priceOf({ barcode: row.barcode, value, paymentDate }, moment, registerOf(row));
  return {
    status: !row || row.outcome === "silent" ? "unavailable" : row.outcome,
    code: price && price.daysLate > 0 ? "BIL_16" : null,
    beneficiary: boleto && {
      name: boleto.beneficiary.name,
      cpf_cnpj: maskTaxId(boleto.beneficiary.taxId),
    },
    value: boleto?.value ?? null,
    due_date: boleto?.dueDate ?? null,
    limit_date: boleto?.limitDate ?? null,
    fine_basis_points: boleto?.fineBasisPoints ?? 0,
    interest_basis_points: boleto?.interestBasisPoints ?? 0,
    discount: boleto?.discount ?? null,
    abatement: boleto?.abatement ?? 0,
    on_day: price
      ? {
          days_late: price.daysLate,
          fine: price.fine,
          interest: price.interest,
          discount: price.discount,
          abatement: price.abatement,
          total: price.total,
          until: price.until,
        }
      : null,
    asked_at: row?.asked_at.toISOString() ?? null,
    asked_by: row?.asked_by_name ?? null,
  };
}
