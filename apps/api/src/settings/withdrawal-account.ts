import type { saveCompanyBankAccount } from "@malote/contracts/company";
import { type AuditChanges, auditChanges } from "@malote/domain/audit-trail";
import { checkBankAccount, normaliseBankAccount } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { isNameOf } from "@malote/domain/controls";
import { severityOf } from "@malote/domain/issues";
import { formatTaxId, normaliseTaxId, taxIdKind } from "@malote/domain/tax-id";
import {
  adminIds,
  type Company,
  type CompanyBankAccount,
  findBankAccount,
  readCompany,
  saveBankAccount,
} from "../company/index.ts";
import { type CarryOut, type Deciding, expectAged, passControls } from "../controls/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { expectConfirmed } from "../session/index.ts";

/** SET-011: the shared rules of bank accounts. Answers the account in its own form, or refuses with the wrong fields. */
export function checkCompanyBankAccount(given: CompanyBankAccount, company: Company): CompanyBankAccount {
  const bank = findBankByIspb(given.bank_id);
  if (!bank) throw new AppError("bank_unknown");
  const taxId = normaliseTaxId(given.cpfCnpj);
  const account = normaliseBankAccount({
    bankCode: bank.code,
    agency: given.agency,
    agencyDigit: given.agency_digit ?? "",
    account: given.account,
    accountDigit: given.account_digit,
  });
  const issues = checkBankAccount(
    { ...account, accountType: given.account_type, taxId },
    company.settings.publicEntityNeedsCaixa,
  ).filter((issue) => severityOf(issue) === "error");
  const fields = new Set(issues.map((issue) => issue.field));
  if (taxIdKind(taxId) === undefined) fields.add("cpfCnpj");
  if (given.name.trim().length < 3) fields.add("name");
  if (fields.size > 0) throw new AppError("invalid_request", { fields: [...fields], issues });
  // Money that is withdrawn stays the company's own, in whatever bank.
  if (taxId !== company.taxId)
    throw new AppError("withdrawal_account_not_yours", { taxId: formatTaxId(company.taxId) });
  if (!isNameOf(company.name, given.name))
    throw new AppError("withdrawal_account_name", { name: company.name });
  return {
    bank_id: bank.ispb,
    agency: account.agency,
    agency_digit: account.agencyDigit || null,
    account_type: given.account_type,
    account: account.account,
    account_digit: account.accountDigit,
    name: given.name.trim(),
    cpfCnpj: taxId,
  };
}

const placeOf = ({ bank_id, agency, account, account_digit, account_type }: CompanyBankAccount) =>
  [bank_id, agency, account, account_digit, account_type].join();

/** As the trail says it. */
const saidOf = ({ name, cpfCnpj, ...place }: CompanyBankAccount) => ({
  ...place,
  holder: name,
  tax_id: cpfCnpj,
});

const factsOf = (account: CompanyBankAccount) => [
  { label: "Banco", value: findBankByIspb(account.bank_id)?.name ?? account.bank_id },
  {
    label: "Agência",
    value: account.agency_digit ? `${account.agency}-${account.agency_digit}` : account.agency,
  },
  { label: "Conta", value: `${account.account}-${account.account_digit}` },
  { label: "Titular", value: account.name },
];

/**
 * SET-009. Like money where the company asks others about it, since whatever is withdrawn from then on goes there: a stolen
 * token, or somebody who is new, does not even ask for another one.
 */
export async function saveWithdrawalAccount(
  tx: Tx,
  parts: Pick<Parts, "clock">,
  call: Call<typeof saveCompanyBankAccount> & Deciding,
) {
  await expectConfirmed(tx, parts, call.actor);
  // The first steps of whoever was let in end with the first account, which takes nothing from another.
  if (await findBankAccount(tx)) await expectAged(tx, call.actor.id, call.now);
  const account = checkCompanyBankAccount(call.body, await readCompany(tx));
  const passed = await passControls(tx, call, {
    kind: "WITHDRAWAL_ACCOUNT",
    objectId: tx.companyId,
    amount: null,
    payload: account,
    facts: factsOf(account),
  });
  if (passed.kind === "waits") return { ok: true as const, awaits_approval: true };
  const { before, isSame, changes } = await putAccount(tx, account, call.now);
  await audit(tx, call, "company.withdraw_account_saved", tx.companyId, { changes });
  if (!isSame)
    await emit(tx, emissionOf(call), {
      type: "company.withdrawal_account_saved",
      objectId: tx.companyId,
      payload: {
        admins: await adminIds(tx),
        by: call.actor.name,
        isFirst: before === undefined,
        facts: factsOf(account),
      },
    });
  return { ok: true as const };
}

async function putAccount(
  tx: Tx,
  account: CompanyBankAccount,
  now: Date,
): Promise<{ before: CompanyBankAccount | undefined; isSame: boolean; changes: AuditChanges }> {
  const before = await findBankAccount(tx);
  // The first one takes nothing from another; a change of the holder's name alone sends money nowhere else.
  const isElsewhere = before !== undefined && placeOf(before) !== placeOf(account);
  await saveBankAccount(tx, account, isElsewhere ? now : undefined);
  return {
    before,
    isSame: before !== undefined && !isElsewhere && before.name === account.name,
    changes: auditChanges(before ? saidOf(before) : {}, saidOf(account)),
  };
}

/** All admins read of the approval itself. */
export const carryOutAccount: CarryOut = async (tx, { payload }, { now }) => {
  const account = checkCompanyBankAccount(payload as CompanyBankAccount, await readCompany(tx));
  return (await putAccount(tx, account, now)).changes;
};
