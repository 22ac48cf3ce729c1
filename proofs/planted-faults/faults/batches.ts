import type { Fault } from "../fault.ts";

const store = "apps/api/src/payouts/batches/store.ts";
const closing = (title: string) => ({ file: "apps/api/src/payouts/batches/close.test.ts", test: title });
const life = (title: string) => ({ file: "apps/api/src/payouts/batches/batch-life.test.ts", test: title });

/** Of saving, approving, closing and waiting. */
export const batchFaults: Fault[] = [
  {
    name: "a batch is not locked while it is decided about",
    file: store,
    right: "b.id = ${id} AND b.status <> 'REMOVED' FOR UPDATE",
    wrong: "b.id = ${id} AND b.status <> 'REMOVED'",
    caughtBy: closing("BAT-057 of sixty-four closings at once over two processes one wins"),
  },
  {
    name: "closing reserves one centavo less",
    file: "apps/api/src/payouts/batches/close.ts",
    right: "amount: batch.value,",
    wrong: "amount: batch.value - 1,",
    caughtBy: closing("BAT-057 reserves the money in one entry of the statement and pays"),
  },
  {
    name: "closing takes reais for centavos",
    file: "apps/api/src/payouts/batches/close.ts",
    right: "amount: batch.value,",
    wrong: "amount: batch.value * 100,",
    caughtBy: closing("BAT-057 reserves the money in one entry of the statement and pays"),
  },
  {
    name: "the content sent to approval is not compared with what is approved",
    file: "apps/api/src/payouts/batches/close.ts",
    right: "(await store.digestOf(tx, batch.id)) !== batch.approval_digest",
    wrong: "batch.approval_digest === null",
    caughtBy: {
      file: "apps/api/src/payouts/batches/approval.test.ts",
      test: "BAT-064 an approval does not hold for other content: two values",
    },
  },
  {
    name: "the newest waiting batch is paid first",
    file: store,
    right: "ORDER BY b.waiting_since, b.id",
    wrong: "ORDER BY b.waiting_since DESC, b.id",
    caughtBy: {
      file: "apps/api/src/payouts/batches/waiting.test.ts",
      test: "BAT-060 pays waiting batches oldest first",
    },
  },
  {
    name: "a payment changed in a draft is added to the value once more",
    file: "apps/api/src/payouts/draft-payments.ts",
    right: "RETURNING coalesce(t.value, 0) - coalesce(old.value, 0) AS value",
    wrong: "RETURNING coalesce(t.value, 0) AS value",
    caughtBy: life("BAT-034 saves only what changed and keeps value, counts and revision"),
  },
  {
    name: "a change of the payments leaves the revision as it was",
    file: store,
    right: "errors_count = errors_count + ${by.errors}::int, revision = revision + 1",
    wrong: "errors_count = errors_count + ${by.errors}::int, revision = revision",
    caughtBy: life("BAT-034 saves only what changed and keeps value, counts and revision"),
  },
  {
    name: "whoever changes a batch is not remembered, and may approve it alone",
    file: store,
    right: "ELSE edited_by || ${editorId}::uuid END",
    wrong: "ELSE edited_by END",
    caughtBy: {
      file: "apps/api/src/payouts/batches/changed-rules.test.ts",
      test: "asks for another person than anybody who touched the content",
    },
  },
  {
    name: "a job is not part of the transaction that asks for it",
    file: "apps/api/src/platform/jobs/jobs.ts",
    right: "{ db: inside(tx), ...group });",
    wrong: "inside(tx) && { ...group });",
    caughtBy: {
      file: "apps/api/src/platform/jobs/jobs.test.ts",
      test: "forgets what was asked for by work that was undone",
    },
  },
  {
    name: "a batch is cancelled whole though a payment of it has begun",
    file: "apps/api/src/payouts/batches/cancel.ts",
    right: "isAllScheduled: moved.length === batch.payments_count,",
    wrong: "isAllScheduled: moved.length > 0,",
    caughtBy: {
      file: "apps/api/src/payouts/batches/cancel.test.ts",
      test: "BAT-073 refuses who may not, another company, and batches that are not all scheduled",
    },
  },
  {
    name: "a page of payments over all batches begins at the start of its first batch",
    file: "apps/api/src/payouts/transfers/of-period.ts",
    right: "OFFSET greatest(0, ${start} - p.before)",
    wrong: "OFFSET greatest(0, ${start} - ${start} - p.before)",
    caughtBy: {
      file: "apps/api/src/payouts/transfers/of-period.test.ts",
      test: "keeps pages whole over the borders of batches",
    },
  },
];
