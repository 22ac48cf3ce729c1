import type * as contracts from "@malote/contracts/validation";
import { addDays, type CalendarDate, startOfDay } from "@malote/domain/calendar";
import { AppError } from "../platform/app-error.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { sendBankReceipt, sendReceipt } from "../receipts/index.ts";
import { validationOf } from "./present.ts";
import { findValidation, listPage } from "./store.ts";

type ReadCall = Call<typeof contracts.readValidation> | Call<typeof contracts.readDraftAccountValidation>;

const readBoolean = (text: "true" | "false" | undefined) =>
  text === undefined ? undefined : text === "true";

/**
 * Returns whether the reader may repeat a validation and therefore sees its tax id unmasked, like a receiver's for
 * those who may pay it.
 */
const seesWhole = ({ profile }: ReadCall["actor"]) => profile !== "analyst";

export async function listValidations(tx: Tx, { query, actor }: Call<typeof contracts.listValidations>) {
  const { page, itemsPerPage, initialDate, endDate } = query;
  const filters = {
    type: query.type,
    search: query.searchTerm,
    valid: readBoolean(query.valid),
    isDepositEnded: readBoolean(query.microDepositValidated),
    from: initialDate === undefined ? undefined : startOfDay(initialDate as CalendarDate),
    until: endDate === undefined ? undefined : startOfDay(addDays(endDate as CalendarDate, 1)),
    source: query.source,
    whole: seesWhole(actor),
  };
  const { rows, count } = await listPage(tx, filters, { page, size: itemsPerPage });
  return {
    data: rows.map((row) => validationOf(row, { whole: false })),
    metadata: { pagination: { itemsPerPage, totalItems: count } },
  };
}

export async function readValidation(tx: Tx, { params, actor }: ReadCall) {
  const row = await findValidation(tx, params.id);
  if (!row) throw new AppError("not_found");
  return validationOf(row, { whole: seesWhole(actor) });
}

export const downloadReceipt = async (
  services: Services,
  call: Call<typeof contracts.downloadValidationReceipt>,
) => sendReceipt(services, call.actor.companyId, await findDeposit(services, call), call.reply);

export const downloadBankReceipt = async (
  services: Services,
  call: Call<typeof contracts.downloadValidationBankReceipt>,
) => sendBankReceipt(services, call.actor.companyId, await findDeposit(services, call), call.reply);

async function findDeposit(
  services: Services,
  {
    params,
    actor,
  }: Call<typeof contracts.downloadValidationReceipt> | Call<typeof contracts.downloadValidationBankReceipt>,
): Promise<string> {
  const row = await services.db.readCompany(actor.companyId, (tx) => findValidation(tx, params.id));
  if (!row) throw new AppError("not_found");
  if (row.transferId === null) throw new AppError("receipt_missing");
  return row.transferId;
}
