/** Sends balance to the company's own account (STM-029). Reserves the money within the request, like a batch. */

import type { withdrawBalance } from "@malote/contracts/statement";
import { findBankByIspb } from "@malote/domain/banks";
import { formatMoment } from "@malote/domain/calendar";
import { approvesFrom } from "@malote/domain/controls";
import { cents, formatBrl } from "@malote/domain/money";
import { tedMoment } from "@malote/domain/payment-moment";
import { payoutFunctionOf } from "@malote/domain/suspended-functions";
import { formatTaxId } from "@malote/domain/tax-id";
import { type Destination, defaultTransferMethod } from "@malote/domain/transfer";
import { decideWithdrawal, mayWithdraw } from "@malote/domain/withdrawal";
import {
  type CompanyBankAccount,
  findBankAccountState,
  isSameBankAccount,
  isTaxIdBlocked,
  readCompany,
  requireFunction,
} from "../company/index.ts";
import {
  type ExecuteRequest,
  passControls,
  readPolicyInForce,
  recordUnapprovedOutflow,
} from "../controls/index.ts";
import { type Movement, post, readAvailableBalance } from "../ledger/index.ts";
import { consumeLimits } from "../limits/index.ts";
import { insertSystemBatch } from "../payouts/index.ts";
import { AppError } from "../platform/app-error.ts";
import { audit } from "../platform/audit.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";

export async function withdraw(
  tx: Tx,
  call: Call<typeof withdrawBalance>,
  services: Pick<Services, "jobs" | "config">,
) {
  const { actor, now } = call;
  const { value } = call.body;
  const { operatorsMayWithdraw } = await readPolicyInForce(tx, now);
  const isAllowed = mayWithdraw({ profile: actor.profile, operatorsMayWithdraw });
  const account = await getAccountToWithdrawTo(tx, { isAllowed, value, now });
  const draft = {
    kind: "WITHDRAWAL" as const,
    objectId: uuidv7(now.getTime()),
    amount: value,
    // An approval applies to this account only.
    payload: { value, account },
    facts: [
      { label: "Valor", value: formatBrl(cents(value)) },
      { label: "Para a conta", value: `${numberOf(account)}, ${account.name}` },
    ],
  };
  const passed = await passControls(tx, call, draft);
  if (passed.kind === "waits")
    return { id: passed.requestId, value, execute_at: null, awaits_approval: true };
  const sent = await send(tx, services.jobs, { id: draft.objectId, value, account, actor, now });
  await recordUnapprovedOutflow(tx, {
    id: sent.id,
    kind: "WITHDRAWAL",
    amount: value,
    people: passed.people,
    now,
  });
  await audit(tx, call, "balance_withdrawn", sent.id, { value, account });
  return sent;
}

const numberOf = ({ account, account_digit }: CompanyBankAccount) => `${account}-${account_digit}`;

/** Executes an approved withdrawal; checks again whatever may have changed while it waited. */
export const executeWithdrawal =
  (services: Pick<Services, "jobs">): ExecuteRequest<"WITHDRAWAL"> =>
  async (tx, { objectId, payload }, { actor, now }) => {
    const { value, account: seen } = payload;
    const account = await getAccountToWithdrawTo(tx, { isAllowed: true, value, now });
    if (!isSameBankAccount(account, seen)) throw new AppError("approval_content_changed");
    await send(tx, services.jobs, { id: objectId, value, account, actor, now });
  };

async function getAccountToWithdrawTo(
  tx: Tx,
  { isAllowed, value, now }: { isAllowed: boolean; value: number; now: Date },
): Promise<CompanyBankAccount> {
  const [company, state, available, policy] = await Promise.all([
    readCompany(tx),
    findBankAccountState(tx),
    readAvailableBalance(tx),
    readPolicyInForce(tx, now),
  ]);
  const account = state?.account;
  const thawsAt = state?.changedAt ? approvesFrom(state.changedAt, policy) : undefined;
  const decision = decideWithdrawal({
    mayWithdraw: isAllowed,
    companyBlocked: company.blocked,
    hasAccount: account !== undefined,
    isOwnAccount: account?.cpfCnpj === company.taxId,
    isFrozen: thawsAt !== undefined && now < thawsAt,
    holderBlocked: account !== undefined && (await isTaxIdBlocked(tx, account.cpfCnpj)),
    valueCents: cents(value),
    availableCents: cents(available),
  });
  if (decision.kind === "refused") {
    const { code } = decision;
    if (code === "withdrawals_frozen" && thawsAt)
      throw new AppError(code, {
        until: formatMoment(thawsAt),
        back: state?.before
          ? ` Para resgatar já, um administrador pode salvar de novo a conta anterior, ${numberOf(state.before)}.`
          : "",
      });
    throw new AppError(
      code,
      code === "withdrawal_account_not_yours" ? { taxId: formatTaxId(company.taxId) } : null,
    );
  }
  if (!account) throw new Error("a withdrawal was accepted without an account to send it to");
  // The function may have been suspended after the request.
  await requireFunction(tx, "balance_withdrawal");
  await requireFunction(tx, payoutFunctionOf[defaultTransferMethod(account.bank_id)]);
  return account;
}

async function send(
  tx: Tx,
  jobs: Jobs,
  withdrawal: {
    id: string;
    value: number;
    account: CompanyBankAccount;
    actor: Pick<Actor, "kind" | "id" | "name">;
    now: Date;
  },
) {
  const { id: paymentId, value, account, actor, now } = withdrawal;
  const method = defaultTransferMethod(account.bank_id);
  const executeAt = method === "TED" ? tedMoment(null, now) : now;
  await consumeLimits(tx, { method, value, at: executeAt, now }, (await readCompany(tx)).settings);
  const isPosted = await post(tx, now, [movementOf(paymentId, value, account, method === "TED")]);
  // The money may have been spent after the balance was read.
  if (!isPosted) throw new AppError("insufficient_balance");
  await Promise.all([
    insertSystemBatch(tx, {
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
