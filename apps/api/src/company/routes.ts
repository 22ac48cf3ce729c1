import {
  changeCompany,
  changeCompanySettings,
  createCheckpoint,
  listAccountTypes,
  listBanks,
  listPaymentAccounts,
  readBank,
  readBankByCode,
  readCheckpoint,
  readCompanyBankAccount,
  readCompany as readCompanyContract,
  readCompanySettings,
  readDefaultPaymentMethod,
  readLogo,
  readTransferLimits,
  readUserSettings,
  saveCompanyBankAccount,
  uploadLogo,
} from "@malote/contracts/company";
import type { BodyOf } from "@malote/contracts/contract";
import { readBlacklist } from "@malote/contracts/transfers";
import {
  changeValidationCompany,
  listValidationBanks,
  readValidationCompany,
  readValidationCompanySettings,
  readValidationUserSettings,
} from "@malote/contracts/validation";
import { accountTypesAt } from "@malote/domain/bank-account";
import { type Bank, findBankByCode, findBankByIspb } from "@malote/domain/banks";
import { isEmail, normaliseEmail } from "@malote/domain/email";
import { limitsByPeriod } from "@malote/domain/limits";
import { defaultPaymentMethod } from "@malote/domain/transfer";
import { listPixKeys } from "../pix-keys/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { checkCompanyBankAccount } from "./bank-account.ts";
import { bankOnWire, banksOnWire } from "./banks.ts";
import { dataOnWire, saveData, sendLogo, takeLogo } from "./data.ts";
import { readCompanyData } from "./data-store.ts";
import { paymentAccountsOf, providerAccountOf } from "./payment-accounts.ts";
import type { StoredSettings } from "./settings.ts";
import {
  addCheckpoint,
  blockedTaxIds,
  changeSettings,
  findBankAccount,
  hasCheckpoint,
  readCompany,
  readTwoFactorState,
  saveBankAccount,
} from "./store.ts";

const ok = { ok: true } as const;

function known(bank: Bank | undefined): Bank {
  if (!bank) throw new AppError("not_found");
  return bank;
}

/** Only what was sent, each by its rule. */
function changedSettings(body: BodyOf<typeof changeCompanySettings>): Partial<StoredSettings> {
  const { accept_contacerta_suggestions: accepts, reply_to_email: replyTo } = body;
  if (replyTo !== undefined && !isEmail(replyTo)) throw new AppError("reply_to_invalid");
  return {
    ...(accepts !== undefined && { acceptContaCertaSuggestions: accepts }),
    ...(replyTo !== undefined && { replyToEmail: normaliseEmail(replyTo) }),
  };
}

export function companyRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(readCompanySettings, async (tx, { actor }) => {
    const { requiresTwoFactor: _, ...settings } = (await readCompany(tx)).settings;
    // The key of the company's own systems is not for everybody who may look at the settings.
    return { ...settings, apiAccessToken: actor.profile === "admin" ? settings.apiAccessToken : null };
  });

  serve(changeCompanySettings, async (tx, call) => {
    const changed = changedSettings(call.body);
    await changeSettings(tx, changed);
    await audit(tx, call, "company.settings_changed", tx.companyId, changed);
    return ok;
  });

  serve(readCompanyContract, async (tx) => dataOnWire(await readCompanyData(tx)));
  serve(changeCompany, saveData);
  serve(readValidationCompany, async (tx) => dataOnWire(await readCompanyData(tx)));
  serve(changeValidationCompany, saveData);
  serveOutside(uploadLogo, (call) => takeLogo(parts, call));
  serveOutside(readLogo, ({ actor, reply }) => sendLogo(parts, actor.companyId, reply));

  serve(readTransferLimits, async (tx) => limitsByPeriod((await readCompany(tx)).settings.accountLimits));

  serve(readUserSettings, (tx, { actor }) => readTwoFactorState(tx, actor.id));
  serve(readValidationUserSettings, (tx, { actor }) => readTwoFactorState(tx, actor.id));
  serve(readValidationCompanySettings, async (tx) => {
    const { uses_basic_validation, uses_micro_deposit } = (await readCompany(tx)).settings;
    return { uses_basic_validation, uses_micro_deposit };
  });

  serve(readBankByCode, async (_tx, { params }) => bankOnWire(known(findBankByCode(params.code))));
  serve(readBank, async (_tx, { params }) => bankOnWire(known(findBankByIspb(params.id))));
  serve(listAccountTypes, async (tx, { params }) => {
    const { code } = known(findBankByIspb(params.id));
    return { data: accountTypesAt(code, (await readCompany(tx)).settings.publicEntityNeedsCaixa) };
  });
  serve(readDefaultPaymentMethod, async (_tx, { query }) => {
    const bank = findBankByCode(query.bankCode);
    if (!bank) throw new AppError("invalid_request", { fields: ["bankCode"] });
    return { payment_method: defaultPaymentMethod(bank.ispb) };
  });

  serve(listBanks, async (_tx, { query }) => ({ data: banksOnWire(query) }));
  serve(listValidationBanks, async (_tx, { query }) => ({ data: banksOnWire(query) }));

  serve(listPaymentAccounts, async (tx) => ({
    data: paymentAccountsOf(await readCompany(tx), await listPixKeys(tx)),
  }));

  serve(readCompanyBankAccount, async (tx, { query }) =>
    query.accountSource === "PIX"
      ? providerAccountOf(await readCompany(tx))
      : ((await findBankAccount(tx)) ?? null),
  );

  serve(saveCompanyBankAccount, async (tx, call) => {
    const account = checkCompanyBankAccount(call.body, await readCompany(tx));
    await saveBankAccount(tx, account);
    await audit(tx, call, "company.withdraw_account_saved", tx.companyId, account);
    return ok;
  });

  serve(readCheckpoint, async (tx, { params, query, actor }) => ({
    exists: await hasCheckpoint(tx, params.id, query.in_company === "true" ? undefined : actor.id),
  }));

  serve(createCheckpoint, async (tx, call) => {
    const { location, metadata = {} } = call.body;
    const isNew = await addCheckpoint(tx, { id: location, userId: call.actor.id, metadata, now: call.now });
    if (isNew) await audit(tx, call, "checkpoint.recorded", location);
    return ok;
  });

  serve(readBlacklist, async (tx) => ({ data: [...(await blockedTaxIds(tx))] }));
}
