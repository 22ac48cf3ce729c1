/** How a withdrawal is kept: as a batch of one payment whose money is set aside, past everything people decide (decision 0012). */
import type { PaymentMethod } from "@malote/domain/transfer";
import { sql } from "kysely";
import type { CompanyBankAccount } from "../company/index.ts";
import type { Actor } from "../platform/auth/actor.ts";
import type { Tx } from "../platform/db/database.ts";

export interface Withdrawal {
  batchId: string;
  paymentId: string;
  /** Centavos, which the same transaction has to set aside. */
  value: number;
  method: PaymentMethod;
  account: CompanyBankAccount;
  executeAt: Date;
  actor: Actor;
  now: Date;
}

export async function insertWithdrawal(tx: Tx, withdrawal: Withdrawal): Promise<void> {
  const { batchId, paymentId, value, account, executeAt, actor, now } = withdrawal;
  const status = executeAt > now ? "SCHEDULED" : "RECEIVED";
  await Promise.all([
    sql`
      INSERT INTO batches (company_id, id, name, type, status, value, payments_count, reserved_value, created_at,
        created_by, created_by_name, closed_at, received_date)
      VALUES (${tx.companyId}, ${batchId}, 'Resgate', 'WITHDRAWAL', 'RECEIVED', ${value}, 1, ${value}, ${now},
        ${actor.kind === "user" ? actor.id : null}, ${actor.name}, ${now}, ${now})
    `.execute(tx),
    sql`
      INSERT INTO transfers (company_id, batch_id, id, position, status, value, payment_method, name, tax_id, bank_ispb,
        agency, agency_digit, account, account_digit, account_type, execute_at, created_at)
      VALUES (${tx.companyId}, ${batchId}, ${paymentId}, 1, ${status}, ${value}, ${withdrawal.method}, ${account.name},
        ${account.cpfCnpj}, ${account.bank_id}, ${account.agency}, ${account.agency_digit}, ${account.account},
        ${account.account_digit}, ${account.account_type}, ${executeAt}, ${now})
    `.execute(tx),
  ]);
}
