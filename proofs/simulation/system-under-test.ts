/**
 * The product of the sequences: two processes on one database, of which one works at a time, a queue in the database,
 * and a clock that moves only when set. Between sequences all data is deleted.
 */

import { CompiledQuery } from "kysely";
import pg from "pg";
import { demoBlockedTaxIds } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { checkBooks } from "../../apps/api/src/ledger/check-books.ts";
import { openPayments, type PaymentsKit } from "../../apps/api/src/testing/payments-kit.ts";
import { type FaultPoint, faultPointOf } from "./faults.ts";
import { companyId, createNames, type Names, withdrawalAccountOf } from "./names.ts";
import { firstSettings, type Settings, type Who } from "./operations.ts";
import { sandboxCredential } from "./sandbox-credential.ts";

export interface Process {
  kit: PaymentsKit;
  faults: FaultPoint;
  /** The behaviour of the network when the next call gets no answer. */
  silence: "taken" | "lost" | undefined;
}

export interface SystemUnderTest {
  processes: readonly Process[];
  /** The process that works at present. */
  active: Process;
  /** Replaces the active process, which died, by the other one. */
  replace(): void;
  tokens: Record<Who, string>;
  names: Names;
  /** Reads the database from outside, and plants faults there. */
  client: pg.Client;
  changeSettings(settings: Settings): Promise<void>;
  /** Deletes everything but an empty company. */
  wipe(): Promise<void>;
  books(): Promise<string[]>;
  close(): Promise<void>;
}

const ledgerTables = "ledger_accounts, ledger_transactions, ledger_entries, ledger_months";
const wiped = `outbox, limit_sums, limit_raises, approvals, approval_requests, outflows, payment_changes, card_receivables, payin_refunds, payins, sheets, batches, provider_references, payment_attempts, transfers, payment_days, rail_events, receivers, idempotency_keys, mails, ${ledgerTables},
  sandbox.orders, sandbox.events, sandbox.calls, sandbox.mails, simulation_jobs`;

export async function openSystem(): Promise<SystemUnderTest> {
  const first = await openPayments();
  const second = await first.another();
  const { host, port, user, password, database } = first.services.db.pool.options;
  const client = new pg.Client({ host, port, user, password, database } as pg.ClientConfig);
  await client.connect();
  await client.query(`
    CREATE TABLE simulation_jobs (n bigserial PRIMARY KEY, queue text NOT NULL, data jsonb NOT NULL);
    GRANT INSERT ON simulation_jobs TO malote_app, malote_system;
    GRANT USAGE ON simulation_jobs_n_seq TO malote_app, malote_system`);
  // The other process may read a sheet that was uploaded here.
  second.services.files = first.services.files;
  const processes = [first, second].map(prepare);
  const [one, other] = processes as [Process, Process];

  const system: SystemUnderTest = {
    processes,
    active: one,
    replace() {
      system.active = system.active === one ? other : one;
    },
    tokens: {
      admin: first.admin.token,
      operator: first.operator.token,
      analyst: first.analyst.token,
      stranger: first.stranger.token,
      machine: await sandboxCredential(first),
    },
    names: createNames(),
    client,
    async changeSettings({
      otherApprover,
      limit,
      blocked,
      blockedDocuments,
      withdrawTo,
      operatorMayWithdraw,
    }) {
      const limits = { PIX: limit, TED: limit, TEV: limit, BILLET: limit };
      const settings = JSON.stringify({
        requiresOtherApprover: otherApprover,
        accountLimits: limits,
        blockWithdrawForOperator: !operatorMayWithdraw,
      });
      await client.query(
        "UPDATE companies SET blocked = $2, settings = settings || $3::jsonb WHERE company_id = $1",
        [companyId, blocked, settings],
      );
      const documents = [...demoBlockedTaxIds.map(({ taxId }) => taxId), ...blockedDocuments];
      await client.query("DELETE FROM blocked_tax_ids WHERE tax_id <> ALL($1)", [documents]);
      await client.query(
        "INSERT INTO blocked_tax_ids (tax_id, reason) SELECT unnest($1::text[]), 'Teste' ON CONFLICT DO NOTHING",
        [documents],
      );
      const ofWithdrawals = "company_id = $1 AND source = 'WITHDRAW'";
      await client.query(`DELETE FROM company_bank_accounts WHERE ${ofWithdrawals}`, [companyId]);
      if (withdrawTo === null) return;
      // Withdrawals go to the company's own document, whichever receiver lends its account.
      await client.query("UPDATE companies SET tax_id = $2 WHERE company_id = $1", [
        companyId,
        withdrawalAccountOf(withdrawTo).cpfCnpj,
      ]);
      await client.query(
        "INSERT INTO company_bank_accounts (company_id, source, account) VALUES ($1, 'WITHDRAW', $2::jsonb)",
        [companyId, JSON.stringify(withdrawalAccountOf(withdrawTo))],
      );
    },
    async wipe() {
      system.names = createNames();
      await client.query(
        wiped
          .split(",")
          .map((table) => `DELETE FROM ${table.trim()}`)
          .join(";"),
      );
      await client.query("SELECT open_ledger(company_id) FROM companies");
      await system.changeSettings(firstSettings);
    },
    books: async () =>
      (await checkBooks(first.services.db)).map(({ rule, where }) => `the books: ${rule} (${where})`),
    async close() {
      await client.end();
      await second.close();
      await first.close();
    },
  };
  return system;
}

function prepare(kit: PaymentsKit): Process {
  const { services } = kit;
  const made: Process = { kit, faults: faultPointOf(services.db.pool), silence: undefined };
  const { rails } = services;
  services.rails = {
    ...rails,
    async send(orders) {
      const { silence } = made;
      made.silence = undefined;
      const answers = silence === "lost" ? new Map() : await rails.send(orders);
      if (silence) throw new Error(noAnswer);
      return answers;
    },
  };
  // A job exists exactly when the work that enqueued it is committed, as in the product's own queue.
  services.jobs.enqueue = async (tx, queue, data) => {
    const text = "INSERT INTO simulation_jobs (queue, data) VALUES ($1, $2::jsonb)";
    await tx.executeQuery(CompiledQuery.raw(text, [queue, JSON.stringify(data)]));
  };
  return made;
}

export const noAnswer = "the network did not answer";
