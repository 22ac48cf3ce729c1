/** The working side of the process: queues, and what the clock calls for. */
import { sql } from "kysely";
import { releaseClosedBatch } from "./batches/index.ts";
import { closeMonths, companiesToCharge } from "./billing/index.ts";
import { tidyLogos } from "./company/index.ts";
import { keepInfractionDeadlines, makeExport, tellProvider, tidyInfractions } from "./contestations/index.ts";
import { importSheet, tidySheets } from "./import/index.ts";
import { watchBooks } from "./ledger/watch-books.ts";
import { offerMoney } from "./offer-money.ts";
import {
  cancelCharges,
  collectDue,
  companiesToCollectFor,
  sendDueRefunds,
  tidyPayinReports,
} from "./payins/index.ts";
import {
  askAboutSilentPayments,
  companiesWithSilentPayments,
  countAside,
  hearAgain,
  orphanAfterMs,
  sendDuePayments,
} from "./payments/index.ts";
import { answerLateClaims, askAgain, askDirectory, hearDirectory, sendPixKeyCode } from "./pix-keys/index.ts";
import { forgetOldAnswers } from "./platform/http/idempotency.ts";
import { booksClean } from "./platform/http/metrics.ts";
import { forgetUnsentSecrets, sendLateMails, sendMail } from "./platform/mail/send-mail.ts";
import type { Parts } from "./platform/parts.ts";
import { makeReceipts, tidyReceipts } from "./receipts/index.ts";
import { rememberReceivers } from "./receivers/index.ts";
import { makeReport, tidyReports } from "./reports/index.ts";
import { forgetOldSessions } from "./session/index.ts";

/** How often the clock is asked what is due. Payments just closed do not wait for it: their job wakes at once. */
const dueEveryMs = 1_000;
/** How often rows are asked for work whose job was lost or gave up, for months that are over and infractions nobody answered. */
const overdueEveryMs = 10_000;
/** How often payments without news, and events put aside, are looked after. */
const silentEveryMs = 10_000;
/** How often the Pix directory is asked what happened to keys, and claims for their deadline. */
const directoryEveryMs = 2_000;
const booksEveryMs = 60_000;
const tidyEveryMs = 3_600_000;

export interface Worker {
  stop(): Promise<void>;
}

export async function startWorker(parts: Parts): Promise<Worker> {
  const send = oncePerCompany((companyId) => sendDuePayments(parts, { companyId }));
  await parts.jobs.work("close-batch", (data) => releaseClosedBatch(parts, data));
  await parts.jobs.work("pay-waiting-batches", (data) => offerMoney(parts, data));
  await parts.jobs.work("send-payments", ({ companyId }) => send(companyId));
  await parts.jobs.work("send-refunds", (data) => sendDueRefunds(parts, data));
  await parts.jobs.work("cancel-charges", (data) => cancelCharges(parts, data));
  await parts.jobs.work("import-sheet", (data) => importSheet(parts, data));
  await parts.jobs.work("make-receipts", (data) => makeReceipts(parts, data));
  await parts.jobs.work("make-report", (data) => makeReport(parts, data));
  await parts.jobs.work("tell-infractions", (data) => tellProvider(parts, data));
  await parts.jobs.work("export-infractions", (data) => makeExport(parts, data));
  await parts.jobs.work("send-mail", (data) => sendMail(parts, data));
  await parts.jobs.work("ask-directory", (data) => askDirectory(parts, data));
  await parts.jobs.work("send-pix-key-code", (data) => sendPixKeyCode(parts, data));
  await parts.jobs.work("remember-receivers", ({ companyId, batchId }) =>
    parts.db.withCompany(companyId, (tx) => rememberReceivers(tx, batchId, parts.clock.now())),
  );

  // One company's trouble is told and does not keep the others waiting.
  const tell = (what: string, companyId: string) => (error: unknown) =>
    parts.log.warn({ err: error, company: companyId }, what);
  const due = every(dueEveryMs, async () => {
    const companies = await companiesWithDuePayments(parts);
    await Promise.all(
      companies.map((companyId) => send(companyId).catch(tell("sending payments", companyId))),
    );
  });
  const silent = every(silentEveryMs, async () => {
    for (const companyId of await companiesWithSilentPayments(parts)) {
      await askAboutSilentPayments(parts, { companyId }).catch(tell("asking about payments", companyId));
    }
    await countAside(parts);
    await hearAgain(parts);
  });
  const overdue = every(overdueEveryMs, () => takeUpOverdueWork(parts));
  const billing = every(overdueEveryMs, async () => {
    for (const companyId of await companiesToCharge(parts))
      await closeMonths(parts, { companyId }).catch(tell("closing the months", companyId));
  });
  const infractions = every(overdueEveryMs, () => keepInfractionDeadlines(parts));
  const receiving = every(overdueEveryMs, async () => {
    for (const companyId of await companiesToCollectFor(parts))
      await collectDue(parts, { companyId }).catch(tell("receiving", companyId));
  });
  const directory = every(directoryEveryMs, async () => {
    await hearDirectory(parts);
    await answerLateClaims(parts);
    await askAgain(parts);
  });
  const books = every(booksEveryMs, async () => {
    const { checked, faults } = await watchBooks(parts.db).catch((error: unknown) => {
      // A check that cannot be made is no clean one.
      booksClean.set(0);
      throw error;
    });
    booksClean.set(faults.length === 0 ? 1 : 0);
    // Told once, by the worker that looked.
    if (checked !== "nothing") for (const fault of faults) parts.log.error({ fault }, "books check");
  });
  const tidy = every(tidyEveryMs, async () => {
    await forgetOldAnswers(parts.db, parts.clock.now());
    await forgetOldSessions(parts);
    await forgetUnsentSecrets(parts);
    await sendLateMails(parts);
    await tidySheets(parts);
    await tidyReceipts(parts);
    await tidyReports(parts);
    await tidyLogos(parts);
    await tidyPayinReports(parts.db, parts.clock.now());
    await tidyInfractions(parts);
  });

  /** Work of the clock goes on by itself; a failure is told and tried again at the next turn. */
  function every(ms: number, work: () => Promise<void>) {
    let running: Promise<void> = Promise.resolve();
    let stopped = false;
    let timer: NodeJS.Timeout;
    const turn = () => {
      running = work()
        .catch((error) => parts.log.warn({ err: error }, "clock-driven work"))
        .then(() => {
          if (!stopped) timer = setTimeout(turn, ms);
        });
    };
    timer = setTimeout(turn, ms);
    return async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    };
  }

  return {
    async stop() {
      const turns = [due, silent, overdue, billing, receiving, infractions, directory, books, tidy];
      await Promise.all(turns.map((stop) => stop()));
    },
  };
}

/**
 * What must happen is told by rows, not by the queue (decision 0004): a batch that is still closing, one that waits though
 * there may be money for it, a sheet nobody reads any more. Each is idempotent, so doing it beside a living job harms nobody.
 */
async function takeUpOverdueWork(parts: Parts): Promise<void> {
  const { rows } = await parts.db.withSystem((tx) =>
    sql<{ kind: "closing" | "waiting" | "reading"; company_id: string; id: string }>`
      SELECT 'closing' AS kind, company_id, id FROM batches
      WHERE status = 'PENDING' AND closed_at < ${before(parts, 30_000)}
      UNION ALL
      SELECT 'waiting', b.company_id, min(b.id::text)::uuid FROM batches b
      JOIN ledger_accounts a ON a.company_id = b.company_id AND a.account = 'available'
      WHERE b.status = 'WAITING' AND a.balance >= b.value GROUP BY b.company_id
      UNION ALL
      SELECT 'reading', s.company_id, s.id FROM sheets s
      WHERE s.state = 'reading' AND s.created_at < ${before(parts, 120_000)}
        AND NOT EXISTS (SELECT FROM pgboss.job j WHERE j.name = 'import-sheet' AND j.state IN ('created', 'retry', 'active')
          AND j.data ->> 'sheetId' = s.id::text)
    `.execute(tx),
  );
  for (const { kind, company_id: companyId, id } of rows) {
    const work =
      kind === "closing"
        ? releaseClosedBatch(parts, { companyId, batchId: id })
        : kind === "waiting"
          ? offerMoney(parts, { companyId })
          : importSheet(parts, { companyId, sheetId: id });
    await work.catch((error: unknown) =>
      parts.log.error({ err: error, company: companyId, kind, id }, "overdue work"),
    );
  }
}

const before = ({ clock }: Parts, ms: number) => new Date(clock.now().getTime() - ms);

/** Scheduled payments whose time has come, and payments a dead worker left half-way. */
async function companiesWithDuePayments({ db, clock }: Parts): Promise<string[]> {
  const now = clock.now();
  const { rows } = await db.withSystem((tx) =>
    sql<{ company_id: string }>`
      SELECT c.company_id FROM companies c
      WHERE EXISTS (SELECT FROM transfers t WHERE t.company_id = c.company_id
          AND t.status IN ('RECEIVED', 'SCHEDULED') AND t.execute_at <= ${now})
        OR EXISTS (SELECT FROM transfers t WHERE t.company_id = c.company_id
          AND t.status = 'EXECUTING' AND t.sent_at IS NULL AND t.claimed_at < ${new Date(now.getTime() - orphanAfterMs)})
    `.execute(tx),
  );
  return rows.map((row) => row.company_id);
}

/** One sender for a company at a time in this process; being asked meanwhile makes it look once more. */
function oncePerCompany(work: (companyId: string) => Promise<void>): (companyId: string) => Promise<void> {
  const running = new Map<string, { again: boolean; done: Promise<void> }>();
  return (companyId) => {
    const current = running.get(companyId);
    if (current) {
      current.again = true;
      return current.done;
    }
    const state = { again: false, done: Promise.resolve() };
    running.set(companyId, state);
    state.done = (async () => {
      try {
        do {
          state.again = false;
          await work(companyId);
        } while (state.again);
      } finally {
        running.delete(companyId);
      }
    })();
    return state.done;
  };
}
