/** The books: the entries of a posting, its refusals, and the detection of each fault. */
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import { seedDemo } from "../adapters/sandbox/demo/seed.ts";
import { type DatabaseWithSandbox, openDatabase, type Tx } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { testClock } from "../testing/app.ts";
import { aurora, horizonte, ledgerCalls, move, noon } from "../testing/ledger-kit.ts";
import { type LedgerAccount, type Movement, post, readAvailableBalance } from "./index.ts";

let db: DatabaseWithSandbox;
/** Another process with its own connections to the same database. */
let otherDb: DatabaseWithSandbox;
/** Transactions that PostgreSQL asked to retry. */
let retries = 0;
beforeAll(async () => {
  const { config } = await testDatabase();
  const countRetry = () => void retries++;
  db = openDatabase({ ...config, max: 8 }, countRetry);
  otherDb = openDatabase({ ...config, max: 8 }, countRetry);
  await seedDemo(db, testClock());
});
afterAll(async () => {
  await db.close();
  await otherDb.close();
});
beforeEach(async () => {
  await db.pool.query(
    `TRUNCATE ledger_accounts, ledger_transactions, ledger_entries, ledger_months, transfers, batches, payment_days CASCADE`,
  );
  for (const company of [aurora, horizonte]) {
    await db.withCompany(company, (tx) => sql`SELECT open_ledger(${company})`.execute(tx));
  }
});

const { posting, ledgerFaults } = ledgerCalls(() => db);

const balance = (company = aurora) => db.withCompany(company, readAvailableBalance);
interface Entry {
  account: string;
  seq: number;
  amount: number;
  balance_after: number;
  at: Date;
  transaction_id: string;
}
const entries = async () =>
  (
    await db.withCompany(aurora, (tx) =>
      sql<Entry>`SELECT account, seq, amount, balance_after, at, transaction_id FROM ledger_entries ORDER BY account, seq`.execute(
        tx,
      ),
    )
  ).rows;

describe("posting", () => {
  it("writes each movement as two entries that sum to zero, with dense numbers and the balance after each", async () => {
    await posting([move("pix_in", "available", 100), move("available", "blocked", 30)]);
    await posting([move("available", "payouts", 10), move("pix_in", "available", 5)]);
    expect(
      (await entries()).map(({ account, seq, amount, balance_after }) => [
        account,
        seq,
        amount,
        balance_after,
      ]),
    ).toEqual([
      ["available", 1, 100, 100],
      ["available", 2, -30, 70],
      ["available", 3, -10, 60],
      ["available", 4, 5, 65],
      ["blocked", 1, 30, 30],
      ["payouts", 1, 10, 10],
      ["pix_in", 1, -100, -100],
      ["pix_in", 2, -5, -105],
    ]);
    expect(await ledgerFaults()).toEqual([]);
  });

  it("posts a thousand random movements, some refused, without breaking a rule of the books", async () => {
    let seed = 7;
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      // The low digits of this generator repeat; the high ones do not.
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const ways: [LedgerAccount, LedgerAccount][] = [
      ["pix_in", "available"],
      ["available", "blocked"],
      ["available", "payouts"],
      ["payouts", "available"],
      ["blocked", "available"],
      ["available", "fees"],
    ];
    let refused = 0;
    let model = { available: 0, blocked: 0 } as Record<string, number>;
    for (let round = 0; round < 100; round++) {
      const movements = Array.from({ length: 10 }, () => {
        const [from, to] = ways[random(ways.length)] ?? ways[0]!;
        return move(from, to, 1 + random(from === "pix_in" ? 4_000 : 1_000));
      });
      const after = { ...model };
      let fits = true;
      for (const { from, to, amount } of movements) {
        after[from] = (after[from] ?? 0) - amount;
        after[to] = (after[to] ?? 0) + amount;
        if ((from === "available" || from === "blocked") && after[from] < 0) fits = false;
      }
      const at = new Date(noon.getTime() + (random(90) - 20) * 86_400_000);
      expect(await posting(movements, { at })).toBe(fits);
      if (fits) model = after;
      else refused++;
    }
    expect(refused).toBeGreaterThan(10);
    expect(refused).toBeLessThan(95);
    expect(await balance()).toBe(model["available"]);
    expect(await ledgerFaults()).toEqual([]);
  });

  it("writes nothing if one movement of many would go below zero, and the transaction continues", async () => {
    await posting([move("pix_in", "available", 100)]);
    const outcome = await db.withCompany(aurora, async (tx) => {
      const refused = await post(tx, noon, [
        move("pix_in", "available", 50),
        move("available", "blocked", 151),
      ]);
      return [refused, await post(tx, noon, [move("available", "blocked", 100)])];
    });
    expect(outcome).toEqual([false, true]);
    expect(await balance()).toBe(0);
    expect(await ledgerFaults()).toEqual([]);
  });

  it("respects the order: money that arrives later in the same posting does not cover earlier movements", async () => {
    expect(await posting([move("available", "blocked", 10), move("pix_in", "available", 10)])).toBe(false);
    expect(await posting([move("pix_in", "available", 10), move("available", "blocked", 10)])).toBe(true);
  });

  it("skips a cause that is in the books, and posts the new ones beside it", async () => {
    const first = move("pix_in", "available", 100);
    await posting([first]);
    expect(await posting([first, move("pix_in", "available", 1)])).toBe(true);
    expect(await posting([{ ...first, amount: 999 }])).toBe(true);
    expect(await balance()).toBe(101);
  });

  it("posts one cause once when sixteen callers in two processes send it concurrently", async () => {
    const same = move("pix_in", "available", 100);
    const posted = await Promise.all(
      Array.from({ length: 16 }, (_, n) => posting([same], { through: n % 2 ? db : otherDb })),
    );
    expect(posted.every(Boolean)).toBe(true);
    expect(await balance()).toBe(100);
    expect(await ledgerFaults()).toEqual([]);
  });

  it("lets sixty-four concurrent callers in two processes spend exactly the balance", async () => {
    await posting([move("pix_in", "available", 1_000)]);
    const posted = await Promise.all(
      Array.from({ length: 64 }, (_, n) =>
        posting([move("available", "blocked", 30)], { through: n % 2 ? db : otherDb }),
      ),
    );
    expect(posted.filter(Boolean)).toHaveLength(33);
    expect(await balance()).toBe(10);
    expect(
      (await entries()).filter((entry) => entry.account === "available").map((entry) => entry.seq),
    ).toEqual(Array.from({ length: 34 }, (_, n) => n + 1));
    expect(await ledgerFaults()).toEqual([]);
  });

  it("moves money through all accounts in both directions concurrently without a deadlock", async () => {
    await posting([move("pix_in", "available", 1_000), move("available", "blocked", 500)]);
    retries = 0;
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        posting(n % 2 ? [move("available", "blocked", 1)] : [move("blocked", "available", 1)], {
          through: n % 4 < 2 ? db : otherDb,
        }),
      ),
    );
    expect(await balance()).toBe(500);
    // PostgreSQL resolves a deadlock after a second and the transaction is retried, so a deadlock would show only as
    // slowness.
    expect(retries).toBe(0);
    expect(await ledgerFaults()).toEqual([]);
  });

  it("never dates an entry before the one it follows, and counts it in its São Paulo month", async () => {
    // 00:30 UTC on the first of September is still August in São Paulo.
    await posting([move("pix_in", "available", 10)], { at: new Date("2026-09-01T00:30:00Z") });
    await posting([move("pix_in", "available", 20)], { at: new Date("2026-09-01T03:00:00Z") });
    // The clock went back.
    await posting([move("pix_in", "available", 40), move("available", "fees", 3)], { at: noon });
    const { rows } = await db.withCompany(aurora, (tx) =>
      sql`SELECT month, entries, money_in, money_out FROM ledger_months WHERE account = 'available' ORDER BY month`.execute(
        tx,
      ),
    );
    expect(rows).toEqual([
      { month: "2026-08-01", entries: 1, money_in: 10, money_out: 0 },
      { month: "2026-09-01", entries: 3, money_in: 60, money_out: 3 },
    ]);
    expect(await ledgerFaults()).toEqual([]);
  });

  it.each([0, -1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1, Number.POSITIVE_INFINITY])(
    "refuses to move %d",
    async (amount) => {
      await expect(posting([move("pix_in", "available", amount)])).rejects.toThrow("not an amount");
    },
  );

  it("refuses an unknown account, the same cause twice in one posting, and more than the maximum", async () => {
    const past = `SELECT set_config('app.company_id', $1, false), post_allowed_movements($1::uuid, now(),
      ARRAY[ROW(uuidv7(), 'PAYMENT', 'nowhere', 'pix_in', 'nowhere', 1, 'x', '{}'::jsonb)::movement])`;
    await expect(db.pool.query(past, [aurora])).rejects.toThrow("do not sum to zero");
    await expect(posting([move("pix_in", "nowhere" as LedgerAccount, 1)])).rejects.toThrow(
      "no such movement",
    );
    const twice = move("pix_in", "available", 1);
    await expect(posting([twice, twice])).rejects.toThrow("one_per_cause");
    await posting([move("pix_in", "available", Number.MAX_SAFE_INTEGER)]);
    await expect(posting([move("pix_in", "available", 1)])).rejects.toThrow();
    expect(await balance()).toBe(Number.MAX_SAFE_INTEGER);
  });

  it("moves nothing for an empty list", async () => {
    expect(await posting([])).toBe(true);
    expect(await entries()).toEqual([]);
  });
});

describe("the books of a company", () => {
  it("refuses a posting for another company than the transaction's", async () => {
    await expect(
      db.withCompany(aurora, (tx) =>
        sql`SELECT post_movements(${horizonte}, now(), ARRAY[]::movement[])`.execute(tx),
      ),
    ).rejects.toThrow("inside a transaction of");
    await expect(
      db.withSystem((tx) => sql`SELECT post_movements(${horizonte}, now(), ARRAY[]::movement[])`.execute(tx)),
    ).rejects.toThrow("permission denied");
  });

  it("separates causes and balances of companies", async () => {
    await posting([move("pix_in", "available", 10, "same")]);
    await posting([move("pix_in", "available", 20, "same")], { company: horizonte });
    expect([await balance(), await balance(horizonte)]).toEqual([10, 20]);
  });

  it("does not date an entry by a later posting of another company", async () => {
    await posting([move("pix_in", "available", 20)], {
      company: horizonte,
      at: new Date("2026-09-30T12:00:00Z"),
    });
    await posting([move("pix_in", "available", 10)], { at: noon });
    expect((await entries()).map((entry) => entry.at)).toEqual([noon, noon]);
  });

  const tables = ["ledger_accounts", "ledger_transactions", "ledger_entries", "ledger_months"];

  it.each(tables)("shows nothing of another company in %s, even without a WHERE", async (table) => {
    await posting([move("pix_in", "available", 10)], { company: horizonte });
    const count = async (company: string) =>
      (
        await db.withCompany(company, (tx) =>
          sql<{
            n: number;
          }>`SELECT count(*)::int AS n FROM ${sql.table(table)} WHERE company_id <> ${company}`.execute(tx),
        )
      ).rows[0]?.n;
    expect(await count(aurora)).toBe(0);
    expect(await count(horizonte)).toBe(0);
  });

  it.each(["batches", "transfers", "rail_events", "receivers", "mails", "audit_entries", "idempotency_keys"])(
    "shows and changes nothing of another company in %s, even without a WHERE",
    async (table) => {
      const seen = await db.withCompany(horizonte, (tx) =>
        sql`SELECT FROM ${sql.table(table)} WHERE company_id <> ${horizonte}`.execute(tx),
      );
      expect(seen.rows).toEqual([]);
    },
  );

  const statements = tables.flatMap((table) => [
    [`INSERT INTO ${table} SELECT * FROM ${table}`],
    [`UPDATE ${table} SET company_id = company_id`],
    [`DELETE FROM ${table}`],
    [`TRUNCATE ${table}`],
  ]);

  it.each(statements)("refuses %s to the product and to the system", async (statement) => {
    await posting([move("pix_in", "available", 10)]);
    const run = (tx: Pick<Tx, "executeQuery">) => sql.raw(statement).execute(tx as Tx);
    await expect(db.withCompany(aurora, run)).rejects.toThrow("permission denied");
    await expect(db.withSystem((tx) => run(tx))).rejects.toThrow("permission denied");
  });

  it("protects every table of a company by row security that applies to the owner of the tables too", async () => {
    const { rows } = await db.pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id'
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
         AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY 1`,
    );
    // The lookup of a company runs outside any company.
    expect(rows).toEqual([{ name: "sign_in_names" }]);
  });

  it("enforces the floor and the bounds even when the ledger's own role bypasses the function", async () => {
    for (const [change, constraint] of [
      ["balance = -1 WHERE account = 'available'", "ledger_accounts_floor"],
      ["balance = -1 WHERE account = 'reserved'", "ledger_accounts_floor"],
      ["balance = -1 WHERE account = 'blocked'", "ledger_accounts_floor"],
      ["balance = 9007199254740992 WHERE account = 'fees'", "ledger_accounts_balance_check"],
    ]) {
      const client = await db.pool.connect();
      try {
        await client.query("BEGIN; SET LOCAL ROLE malote_ledger");
        await expect(client.query(`UPDATE ledger_accounts SET ${change}`)).rejects.toThrow(constraint);
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    }
  });

  it("prevents even the ledger's own role from changing or deleting entries", async () => {
    await posting([move("pix_in", "available", 10)]);
    for (const statement of [
      "UPDATE ledger_entries SET amount = 1",
      "DELETE FROM ledger_entries",
      "UPDATE ledger_transactions SET description = 'x'",
      "DELETE FROM ledger_transactions",
      "DELETE FROM ledger_accounts",
    ]) {
      const client = await db.pool.connect();
      try {
        await client.query("BEGIN; SET LOCAL ROLE malote_ledger");
        await expect(client.query(statement)).rejects.toThrow("permission denied");
      } finally {
        await client.query("ROLLBACK");
        client.release();
      }
    }
  });
});

it("STM-010 STM-012 has no movement of a type that only other institutions' books have", () => {
  // The type check refuses this line before any test runs.
  type OfOtherBooks = "EXPIRED_DEPOSIT" | "PENDING_DEPOSIT" | "PENDING_DEPOSIT_REFUND" | "UNLOCKED";
  expectTypeOf<Extract<Movement["type"], OfOtherBooks>>().toBeNever();
});

it("refuses movements of zero or less, and between accounts that may not exchange money", async () => {
  let rawCauses = 0;
  const raw = (from: string, to: string, amount: number) =>
    db.withCompany(aurora, (tx) =>
      sql`SELECT post_movements(${aurora}::uuid, now(), ARRAY[ROW(uuidv7(), 'PAYMENT', ${`raw ${++rawCauses}`}, ${from}, ${to},
        ${amount}::bigint, 'x', '{}'::jsonb)::movement])`.execute(tx),
    );
  const before = await balance();
  for (const amount of [-1_000_000_00, 0])
    await expect(raw("pix_in", "available", amount)).rejects.toThrow("no such movement");
  for (const [from, to] of [
    ["payouts", "reserved"],
    ["pix_in", "payouts"],
    ["available", "available"],
    ["fees", "blocked"],
  ])
    await expect(raw(from ?? "", to ?? "", 100)).rejects.toThrow("no such movement");
  const around = db.withCompany(aurora, (tx) =>
    sql`SELECT post_allowed_movements(${aurora}::uuid, now(), '{}'::movement[])`.execute(tx),
  );
  await expect(around).rejects.toThrow(/permission denied/);
  const others = db.withCompany(aurora, (tx) =>
    sql`SELECT open_ledger(${crypto.randomUUID()}::uuid)`.execute(tx),
  );
  await expect(others).rejects.toThrow("a ledger for");
  expect(await balance()).toBe(before);
});
