import type { Fault } from "../fault.ts";

const statement = (title: string) => ({ file: "apps/api/src/statement/statement.test.ts", test: title });

/** Of repeated requests, the statement, tokens, sheets and backups. */
export const aroundFaults: Fault[] = [
  {
    name: "a key used again for another request gets the first one's answer",
    file: "apps/api/src/platform/http/idempotency.ts",
    right: "if (first.request_hash !== request.hash)",
    wrong: "if (first.request_hash === null)",
    caughtBy: {
      file: "apps/api/src/payouts/batches/close.test.ts",
      test: "BAT-057 answers the same request again byte for byte",
    },
  },
  {
    name: "keys of requests are not kept apart by company",
    file: "apps/api/migrations/0002_companies.sql",
    right: "PRIMARY KEY (company_id, route, key)",
    wrong: "PRIMARY KEY (route, key)",
    caughtBy: { file: "proofs/concurrency/r4-idempotency.test.ts", test: "R4 " },
  },
  {
    name: "the answer of a request is not kept by the transaction that did the work",
    file: "apps/api/src/platform/http/idempotency.ts",
    right: "  const body = await work();\n",
    wrong: "  const body = await work();\n  if (body) return { body, replayed: false };\n",
    caughtBy: {
      file: "apps/api/src/payouts/transfers/correct-and-refund.test.ts",
      test: "TRF-046 the same request again answers the same bytes",
    },
  },
  {
    name: "the pages of the statement overlap by one entry",
    file: "apps/api/src/statement/read.ts",
    right: "AND e.seq > ${oldest} AND e.seq <= ${newest}",
    wrong: "AND e.seq >= ${oldest} AND e.seq <= ${newest}",
    caughtBy: statement("STM-007 pages go from the newest back"),
  },
  {
    name: "the opening balance of a period is that of a day later",
    file: "apps/api/src/statement/read.ts",
    right: "LEFT JOIN ${edgeBefore(tx, startOfDay(from))} opening",
    wrong: "LEFT JOIN ${edgeBefore(tx, startOfDay(addDays(from, 1)))} opening",
    caughtBy: statement("STM-016 STM-017 a month ends at midnight in São Paulo"),
  },
  {
    name: "a day begins at midnight in UTC",
    file: "packages/domain/src/calendar.ts",
    right: "return saoPauloDate(summer) === date ? summer : new Date(`${date}T03:00:00.000Z`);",
    wrong: "return new Date(`${date}T00:00:00.000Z`);",
    caughtBy: statement("STM-016 STM-017 a month ends at midnight in São Paulo"),
  },
  {
    name: "a token outlives a changed password, role or second factor",
    file: "apps/api/migrations/0006_bearers.sql",
    right: "AND s.expires_at > p_now AND s.session_version = u.session_version",
    wrong: "AND s.expires_at > p_now",
    caughtBy: { file: "apps/api/src/session/tokens.test.ts", test: "ends with a higher session version" },
  },
  {
    name: "whom a token is for is not looked at",
    file: "apps/api/src/platform/auth/tokens.ts",
    right: "        audience,\n        typ",
    wrong: "        typ",
    caughtBy: { file: "proofs/access/s3-tokens.test.ts", test: "S3 " },
  },
  {
    name: "an analyst may do what a policy keeps for an admin",
    file: "packages/contracts/src/policy.ts",
    right: "if (!policy.profiles.includes(bearer.profile)) return false;",
    wrong: "if (policy.profiles.length === 0) return false;",
    caughtBy: { file: "apps/api/src/settings/settings.test.ts", test: "refuses everybody but an admin" },
  },
  {
    name: "the last rows of a sheet, those of a block that is not full, are lost",
    file: "apps/api/src/payouts/import/import-worker.ts",
    right: '  await sayLines();\n  say({\n    kind: "end",',
    wrong: '  say({\n    kind: "end",',
    caughtBy: {
      file: "apps/api/src/payouts/import/import.test.ts",
      test: "IMP-023 decision 16: rows come as a draft",
    },
  },
  {
    name: "formulas go into a CSV file as they are",
    file: "packages/sheet-reader/src/formula-guard.ts",
    right: "return startsFormula.test(text) ? `'${inside}` : inside;",
    wrong: "return text;",
    caughtBy: {
      file: "apps/api/src/payouts/import/sheet/sheet-files.test.ts",
      test: "makes formulas harmless in CSV and keeps them text in xlsx",
    },
  },
  {
    name: "a workbook may inflate to any number of times its size",
    file: "packages/sheet-reader/src/read-zip.ts",
    right: "if (large && entry.bytes > entry.compressedBytes * limits.inflateRatioMax) throw unsafe();",
    wrong: "if (large && entry.compressedBytes < 0) throw unsafe();",
    caughtBy: {
      file: "packages/sheet-reader/src/hostile-sheets.test.ts",
      test: "refuses a bomb in the strings",
    },
  },
  {
    name: "a backup leaves a table out",
    file: "apps/api/src/backup/tables.ts",
    right: 'const notCopied = ["public.migrations", "pgboss.version"];',
    wrong: 'const notCopied = ["public.migrations", "pgboss.version", "public.audit_entries"];',
    caughtBy: { file: "apps/api/src/backup/backup.test.ts", test: "comes back with every row, the secret" },
  },
  {
    name: "an invoice counts withdrawals too",
    file: "apps/api/src/billing/store.ts",
    right: "        AND b.type IN ('TRANSFER', 'BILLET')\n",
    wrong: "",
    caughtBy: { file: "apps/api/src/billing/billing.test.ts", test: "does not count what failed" },
  },
  {
    name: "a charged month ends at midnight in UTC",
    file: "apps/api/src/billing/store.ts",
    right: "t.transfer_date < ${startOfDay(monthAfter(month))}",
    wrong: "t.transfer_date < ${new Date(monthAfter(month))}",
    caughtBy: {
      file: "apps/api/src/billing/billing.test.ts",
      test: "is by the arrival, to the second",
    },
  },
  {
    name: "a credential made by an operator may do what an admin may",
    file: "apps/api/src/developer/credentials.ts",
    right: "const { profile } = actor;",
    wrong: 'const profile = "admin" as const;',
    caughtBy: { file: "apps/api/src/developer/credentials.test.ts", test: "is no way to another profile" },
  },
];
