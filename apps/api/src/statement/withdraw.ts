/** Sends balance to the company's own account (STM-029). Its money is set aside in the request, as that of a batch is. */
import type { withdrawBalance } from "@malote/contracts/statement";
import { findBankByIspb } from "@malote/domain/banks";
import { cents } from "@malote/domain/money";
import { type Destination, defaultPaymentMethod } from "@malote/domain/transfer";
import { decideWithdrawal, mayWithdraw } from "@malote/domain/withdrawal";
import { insertLonePayment, tedMoment } from "../batches/index.ts";
import { type CompanyBankAccount, findBankAccount, isTaxIdBlocked, readCompany } from "../company/index.ts";
import { availableBalance, type Movement, post } from "../ledger/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import { uuidv7 } from "../platform/uuid.ts";

export async function withdraw(tx: Tx, call: Call<typeof withdrawBalance>, jobs: Jobs) {
  const { actor, now } = call;
  const { value } = call.body;
  const [company, account, available] = await Promise.all([
    readCompany(tx),
    findBankAccount(tx),
    availableBalance(tx),
  ]);
  const { blockWithdrawForOperator } = company.settings;
  const decision = decideWithdrawal({
    mayWithdraw: mayWithdraw({ profile: actor.profile, blockWithdrawForOperator }),
    companyBlocked: company.blocked,
    hasAccount: account !== undefined,
    holderBlocked: account !== undefined && (await isTaxIdBlocked(tx, account.cpfCnpj)),
    valueCents: cents(value),
    availableCents: cents(available),
  });
  if (decision.kind === "refused") throw new AppError(decision.code);
  if (!account) throw new Error("a withdrawal was accepted without an account to send it to");

  const method = defaultPaymentMethod(account.bank_id);
  const executeAt = method === "TED" ? tedMoment(null, now) : now;
  const paymentId = uuidv7(now.getTime());
  const isPosted = await post(tx, now, [movementOf(paymentId, value, account, method === "TED")]);
  // Spent elsewhere since it was looked at.
  if (!isPosted) throw new AppError("insufficient_balance");
  await Promise.all([
    insertLonePayment(tx, {
      type: "WITHDRAWAL",
      batchId: uuidv7(now.getTime()),
      paymentId,
      value,
      method,
      to: destinationOf(account),
      executeAt,
      actor,
      now,
    }),
    jobs.enqueue(tx, "send-payments", { companyId: tx.companyId }),
    audit(tx, call, "balance_withdrawn", paymentId, { value, account }),
  ]);
  return { id: paymentId, value, execute_at: executeAt.toISOString() };
}

const destinationOf = (account: CompanyBankAccount): Destination => ({
  name: account.name,
  taxId: account.cpfCnpj,
  email: null,
  bankIspb: account.bank_id,
  agency: account.agency,
  agencyDigit: account.agency_digit,
  account: account.account,
  accountDigit: account.account_digit,
  accountType: account.account_type,
  pixKeyType: null,
  pixKey: null,
});

function movementOf(paymentId: string, value: number, account: CompanyBankAccount, isTed: boolean): Movement {
  const bank = findBankByIspb(account.bank_id)?.name ?? null;
  return {
    type: "WITHDRAW",
    cause: `withdraw:${paymentId}`,
    from: "available",
    to: "reserved",
    amount: value,
    description: "Resgate para a conta da empresa",
    complement: {
      transfer_id: paymentId,
      isTed,
      bank,
      receiver: {
        name: account.name,
        bank,
        agency: account.agency_digit ? `${account.agency}-${account.agency_digit}` : account.agency,
        account: account.account,
        account_digit: account.account_digit,
        account_type: account.account_type,
        document: account.cpfCnpj,
      },
    },
  };
}
