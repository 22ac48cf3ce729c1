import {
  changeCompany,
  changeCompanySettings,
  createCheckpoint,
  listBanks,
  listPaymentAccounts,
  listPixKeys as listPixKeysContract,
  readBankByCode,
  readCheckpoint,
  readCompanyBankAccount,
  readCompany as readCompanyContract,
  readCompanySettings,
  readLogo,
  readTransferLimits,
  readUserSettings,
  saveCompanyBankAccount,
  uploadLogo,
} from "@malote/contracts/company";
import { readBlacklist } from "@malote/contracts/transfers";
import { findBankByCode } from "@malote/domain/banks";
import { limitsByPeriod } from "@malote/domain/limits";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Serve } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { checkCompanyBankAccount } from "./bank-account.ts";
import { bankOnWire, banksOnWire } from "./banks.ts";
import { dataOnWire, saveData, sendLogo, takeLogo } from "./data.ts";
import { readCompanyData } from "./data-store.ts";
import { paymentAccountsOf, qrCodeOf } from "./payment-accounts.ts";
import {
  addCheckpoint,
  blockedTaxIds,
  changeSettings,
  findBankAccount,
  hasCheckpoint,
  listPixKeys,
  readCompany,
  readTwoFactorState,
  saveBankAccount,
} from "./store.ts";

const ok = { ok: true } as const;

export function companyRoutes({ serve, serveOutside }: Serve, parts: Parts): void {
  serve(readCompanySettings, async (tx, { actor }) => {
    const { requiresTwoFactor: _, ...settings } = (await readCompany(tx)).settings;
    // The key of the company's own systems is not for everybody who may look at the settings.
    return { ...settings, apiAccessToken: actor.profile === "admin" ? settings.apiAccessToken : null };
  });

  serve(changeCompanySettings, async (tx, call) => {
    const changed = { acceptContaCertaSuggestions: call.body.accept_contacerta_suggestions };
    await changeSettings(tx, changed);
    await audit(tx, call, "company.settings_changed", tx.companyId, changed);
    return ok;
  });

  serve(readCompanyContract, async (tx) => dataOnWire(await readCompanyData(tx)));
  serve(changeCompany, saveData);
  serveOutside(uploadLogo, (call) => takeLogo(parts, call));
  serveOutside(readLogo, (call) => sendLogo(parts, call));

  serve(readTransferLimits, async (tx) => limitsByPeriod((await readCompany(tx)).settings.accountLimits));

  serve(readUserSettings, (tx, { actor }) => readTwoFactorState(tx, actor.id));

  serve(readBankByCode, async (_tx, { params }) => {
    const found = findBankByCode(params.code);
    if (!found) throw new AppError("not_found");
    return bankOnWire(found);
  });

  serve(listBanks, async (_tx, { query }) => ({ data: banksOnWire(query) }));

  serve(listPaymentAccounts, async (tx) => ({
    data: paymentAccountsOf(await readCompany(tx), await listPixKeys(tx)),
  }));

  serve(listPixKeysContract, async (tx) => {
    const company = await readCompany(tx);
    const keys = await listPixKeys(tx);
    return { data: keys.map((key) => ({ ...key, pix_qrcode_emv_payload: qrCodeOf(company, key) })) };
  });

  serve(
    readCompanyBankAccount,
    async (tx, { query }) => (await findBankAccount(tx, query.accountSource)) ?? null,
  );

  serve(saveCompanyBankAccount, async (tx, call) => {
    const account = checkCompanyBankAccount(call.body, await readCompany(tx));
    await saveBankAccount(tx, "WITHDRAW", account);
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
