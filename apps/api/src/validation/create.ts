/** Adds a validation (VAL-012): our own rules first, then the Pix directory or a micro deposit. */
import type * as contracts from "@malote/contracts/validation";
import { findBankByIspb } from "@malote/domain/banks";
import { spareTokens } from "@malote/domain/directory-allowance";
import { minuteMs } from "@malote/domain/durations";
import { payoutFunctionOf } from "@malote/domain/suspended-functions";
import { maskTaxId } from "@malote/domain/tax-id";
import {
  allowedValidationTypes,
  checkData,
  type DataToValidate,
  errorsOfKey,
  holderOf,
  isByKey,
  type KeyFacts,
  microDepositMethod,
  microDepositValue,
  microDepositWindow,
  problemsOfData,
} from "@malote/domain/validation";
import type { ValidationError } from "@malote/domain/validation-texts";
import type { ValidationType } from "@malote/domain/validation-types";
import { listBlockedTaxIds, readCompany, requireFunction, type StoredSettings } from "../company/index.ts";
import { type Movement, post } from "../ledger/index.ts";
import { consumeLimits } from "../limits/index.ts";
import { consumeQueries, insertSystemBatch, settleQueries } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { dataFrom, errorOnWire } from "./present.ts";
import { countMicroDepositsSince, insertValidation } from "./store.ts";

type Creation = Call<typeof contracts.createValidation> | Call<typeof contracts.validateDraftAccount>;

type Needs = Pick<Services, "accountCheck" | "clock" | "db">;

/** Answer of the directory, or the minutes until the company may ask it again. */
type DirectoryAnswer = KeyFacts | { limitedFor: number } | undefined;

/**
 * Looks up a key in the directory for a basic check; a micro deposit proves by itself whether the key works. Asks only
 * for a validation that its answer decides, and takes the price of an unknown key before asking, so that validations
 * never use what is left for people who pay.
 */
export async function findKeyFacts(
  services: Needs,
  call: Call<typeof contracts.createValidation>,
): Promise<DirectoryAnswer> {
  const { query, body } = call;
  const data = dataFrom(body);
  if (problemsOfData(data).length > 0) return undefined;
  const { pixKey, pixKeyType } = data;
  if (query.type !== "BASIC" || pixKey === null) return undefined;
  const inCompany = <T>(work: (tx: Tx) => Promise<T>) => services.db.withCompany(call.actor.companyId, work);
  const taken = await inCompany(async (tx) => {
    const { mayUse, ownErrorsOf } = await readRules(tx);
    if (!mayUse(query.type) || ownErrorsOf(data).length > 0) return undefined;
    return consumeQueries(tx, 1, spareTokens, services.clock.now());
  });
  if (!taken) return undefined;
  if (taken.granted === 0) return { limitedFor: taken.minutesUntilNext };
  let key: KeyFacts | undefined;
  try {
    key = await services.accountCheck.findKey({ type: pixKeyType as never, key: pixKey }, holderOf(data));
  } finally {
    const notFound = key?.found === false ? 1 : 0;
    await inCompany((tx) => settleQueries(tx, { asked: 1, notFound }, spareTokens));
  }
  return key;
}

/** Reads the company's rules for validations, which need no answer from outside. */
async function readRules(tx: Tx) {
  const [{ settings, blocked }, blockedIds] = await Promise.all([readCompany(tx), listBlockedTaxIds(tx)]);
  return {
    settings,
    blocked,
    mayUse: (type: ValidationType) => allowedValidationTypes(settings).includes(type),
    ownErrorsOf: (data: DataToValidate) =>
      checkData(data, {
        blocked: (taxId) => blockedIds.has(taxId),
        publicEntityNeedsCaixa: settings.publicEntityNeedsCaixa,
      }),
  };
}

export async function createValidation(tx: Tx, call: Creation, key: DirectoryAnswer, jobs: Jobs) {
  const { actor, now, query } = call;
  const { settings, blocked, mayUse, ownErrorsOf } = await readRules(tx);
  if (!mayUse(query.type)) throw new AppError("validation_type_unused");
  const data = dataFrom(call.body);
  const problems = problemsOfData(data);
  if (problems.length > 0) throw new AppError("validation_invalid", { errors: problems.map(errorOnWire) });

  const ownErrors = ownErrorsOf(data);
  const id = uuidv7(now.getTime());
  const keep = async (found: {
    valid: boolean | null;
    errors: ValidationError[];
    transferId: string | null;
  }) => {
    await insertValidation(tx, {
      ...data,
      ...found,
      id,
      type: query.type,
      source: actor.kind === "user" ? "APP" : "API",
      createdBy: creatorOf(actor),
      createdByName: actor.name,
      now,
    });
    await audit(tx, call, "validation_made", id, { type: query.type, transferId: found.transferId });
    return { id };
  };

  if (query.type === "MICRO_DEPOSIT" && ownErrors.length === 0) {
    if (blocked) throw new AppError("company_blocked");
    return keep({
      valid: null,
      errors: [],
      transferId: await sendMicroDeposit(tx, call, data, settings, jobs),
    });
  }
  const errors = ownErrors.length > 0 ? ownErrors : errorsOfBasicCheck(data, key);
  return keep({ valid: errors.length === 0, errors, transferId: null });
}

function errorsOfBasicCheck(data: DataToValidate, key: DirectoryAnswer): ValidationError[] {
  if (data.pixKey === null) return [];
  if (!key) throw new AppError("pix_directory_silent");
  if ("limitedFor" in key) throw new AppError("too_many_validations", { minutes: key.limitedFor });
  return errorsOfKey(key, data.pixKeyValidation === null ? "cpf_cnpj" : "pix_key_validation");
}

/** Throws above the limit of a person or of all credentials: micro deposits need no approval (decision 0019). */
async function requireFewMicroDeposits(tx: Tx, actor: Creation["actor"], now: Date): Promise<void> {
  const since = new Date(now.getTime() - microDepositWindow.minutes * minuteMs);
  const count = await countMicroDepositsSince(tx, creatorOf(actor), since);
  if (count >= microDepositWindow.max)
    throw new AppError("too_many_validations", { minutes: microDepositWindow.minutes });
}

const creatorOf = (actor: Creation["actor"]) => (actor.kind === "user" ? actor.id : null);

/** Adds the micro deposit, a payment like any other; `settleMicroDeposits` stores its outcome. */
async function sendMicroDeposit(
  tx: Tx,
  { actor, now }: Pick<Creation, "actor" | "now">,
  data: DataToValidate,
  settings: StoredSettings,
  jobs: Jobs,
): Promise<string> {
  const method = microDepositMethod(data);
  await requireFunction(tx, payoutFunctionOf[method]);
  await consumeLimits(tx, { method, value: microDepositValue, at: now, now }, settings);
  await requireFewMicroDeposits(tx, actor, now);
  const paymentId = uuidv7(now.getTime());
  if (!(await post(tx, now, [movementOf(paymentId, data)])))
    throw new AppError("micro_deposit_without_balance");
  await insertSystemBatch(tx, {
    type: "MICRO_DEPOSIT",
    batchId: uuidv7(now.getTime()),
    paymentId,
    value: microDepositValue,
    method,
    to: { ...data, email: null },
    pixKeyValidation: isByKey(data) ? holderOf(data) : null,
    pixDescription: "Validação de dados bancários",
    executeAt: now,
    actor,
    now,
  });
  await jobs.enqueue(tx, "send-payments", { companyId: tx.companyId });
  return paymentId;
}

function movementOf(paymentId: string, data: DataToValidate): Movement {
  const bank = findBankByIspb(data.bankIspb ?? "")?.name ?? null;
  return {
    type: "BATCH",
    cause: `micro-deposit:${paymentId}`,
    from: "available",
    to: "reserved",
    amount: microDepositValue,
    description: "Microdepósito de validação",
    complement: {
      transfer_id: paymentId,
      isPix: microDepositMethod(data) === "PIX",
      bank,
      receiver: {
        name: data.name ?? "",
        bank,
        agency: data.agencyDigit ? `${data.agency}-${data.agencyDigit}` : data.agency,
        account: data.account,
        account_digit: data.accountDigit,
        account_type: data.accountType,
        document: data.taxId && maskTaxId(data.taxId),
      },
    },
  };
}
