import type { saveCompanyBankAccount } from "@malote/contracts/company";
import { type AuditChanges, auditChanges } from "@malote/domain/audit-trail";
import { checkBankAccount, normaliseBankAccount } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { approvesFrom, isNameOf } from "@malote/domain/controls";
import { severityOf } from "@malote/domain/issues";
import { textOrNull } from "@malote/domain/line-of-text";
import { formatTaxId, normaliseTaxId, taxIdKind } from "@malote/domain/tax-id";
import { putAccount } from "@malote/domain/withdrawal";
import {
  type Company,
  type CompanyBankAccount,
  findBankAccount,
  findBankAccountState,
  lockCompany,
  readCompany,
  saveBankAccount,
} from "../company/index.ts";
import {
  type ApprovalCall,
  type ExecuteRequest,
  passControls,
  readPolicyInForce,
  requireAged,
} from "../controls/index.ts";
import { listAdminIds } from "../identities/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import { emissionOf, emit } from "../platform/events/emit.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Services } from "../platform/services.ts";
import { requireIdentityConfirmed } from "../session/index.ts";

/**
 * SET-011: applies the shared rules of bank accounts. Returns the normalised account or refuses with the invalid
 * fields.
 */
export function checkCompanyBankAccount(given: CompanyBankAccount, company: Company): CompanyBankAccount {
  const bank = findBankByIspb(given.bank_id);
  if (!bank) throw new AppError("bank_unknown");
  const taxId = normaliseTaxId(given.cpfCnpj);
  const holder = textOrNull(given.name) ?? "";
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
  if (holder.length < 3) fields.add("name");
  if (fields.size > 0) throw new AppError("invalid_request", { fields: [...fields], issues });
  // Withdrawn money stays the company's own, at any bank, so the account must have the company's tax id.
  if (taxId !== company.taxId)
    throw new AppError("withdrawal_account_not_yours", { taxId: formatTaxId(company.taxId) });
  if (!isNameOf(company.name, holder)) throw new AppError("withdrawal_account_name", { name: company.name });
  return {
    bank_id: bank.ispb,
    agency: account.agency,
    agency_digit: account.agencyDigit || null,
    account_type: given.account_type,
    account: account.account,
    account_digit: account.accountDigit,
    name: holder,
    cpfCnpj: taxId,
  };
}

/**
 * Returns the fields that decide where money arrives; an agency with another check digit, or without one, is another
 * agency.
 */
const accountIdentity = ({
  bank_id,
  agency,
  agency_digit,
  account,
  account_digit,
  account_type,
}: CompanyBankAccount) => [bank_id, agency, agency_digit, account, account_digit, account_type].join();

/** Returns the account with the audit trail's field names. */
const auditFields = ({ name, cpfCnpj, ...place }: CompanyBankAccount) => ({
  ...place,
  holder: name,
  tax_id: cpfCnpj,
});

const approvalFacts = (account: CompanyBankAccount) => [
  { label: "Banco", value: findBankByIspb(account.bank_id)?.name ?? account.bank_id },
  {
    label: "Agência",
    value: account.agency_digit ? `${account.agency}-${account.agency_digit}` : account.agency,
  },
  { label: "Conta", value: `${account.account}-${account.account_digit}` },
  { label: "Titular", value: account.name },
];

/**
 * SET-009: saves the withdrawal account. Later withdrawals go there, so a change counts like a payment where the
 * company requires approvals: neither a stolen token nor a new user may request another account. Saving the account in
 * force is a no-op without approval.
 */
export async function saveWithdrawalAccount(
  tx: Tx,
  services: Pick<Services, "clock">,
  call: Call<typeof saveCompanyBankAccount> & ApprovalCall,
) {
  await requireIdentityConfirmed(tx, services, call.actor);
  const account = checkCompanyBankAccount(call.body, await readCompany(tx));
  const inForce = await findBankAccount(tx);
  // Nothing is written, so a concurrent change is not overwritten.
  if (inForce && Object.keys(auditChanges(auditFields(inForce), auditFields(account))).length === 0)
    return { ok: true as const };
  // The first account replaces none and is part of an invited user's first steps, so a new user may set it.
  if (inForce) await requireAged(tx, call.actor.id, call.now);
  const passed = await passControls(tx, call, {
    kind: "WITHDRAWAL_ACCOUNT",
    objectId: tx.companyId,
    amount: null,
    payload: account,
    facts: approvalFacts(account),
  });
  if (passed.kind === "waits") return { ok: true as const, awaits_approval: true };
  const { before, isSame, changes } = await replaceAccount(tx, account, call.now);
  await audit(tx, call, "company.withdraw_account_saved", tx.companyId, { changes });
  if (!isSame)
    await emit(tx, emissionOf(call), {
      type: "company.withdrawal_account_saved",
      objectId: tx.companyId,
      payload: {
        admins: await listAdminIds(tx),
        by: call.actor.name,
        isFirst: before === undefined,
        facts: approvalFacts(account),
      },
    });
  return { ok: true as const };
}

async function replaceAccount(
  tx: Tx,
  account: CompanyBankAccount,
  now: Date,
): Promise<{ before: CompanyBankAccount | undefined; isSame: boolean; changes: AuditChanges }> {
  // Without the lock, two concurrent changes would start from the same account, and one would wait too short a time.
  await lockCompany(tx);
  const [inForce, policy] = await Promise.all([findBankAccountState(tx), readPolicyInForce(tx, now)]);
  const isSamePlace = (a: CompanyBankAccount, b: CompanyBankAccount) =>
    accountIdentity(a) === accountIdentity(b);
  const { changedAt } = inForce ?? {};
  const isRipe = !changedAt || now >= approvesFrom(changedAt, policy);
  await saveBankAccount(tx, account, inForce && putAccount(inForce, account, { isRipe, isSamePlace, now }));
  const before = inForce?.account;
  return {
    before,
    isSame: before !== undefined && isSamePlace(before, account) && before.name === account.name,
    changes: auditChanges(before ? auditFields(before) : {}, auditFields(account)),
  };
}

/** Executes an approved change of the account; the approval itself notifies all admins. */
export const executeAccountChange: ExecuteRequest<"WITHDRAWAL_ACCOUNT"> = async (
  tx,
  { payload },
  { now },
) => {
  const account = checkCompanyBankAccount(payload, await readCompany(tx));
  return (await replaceAccount(tx, account, now)).changes;
};
