/** The database allows exactly the steps of the domain's tables: the test tries each pair of statuses on a row. */
import { randomUUID } from "node:crypto";
import { batchStatuses, batchTransitions } from "@malote/domain/batch-status";
import { analysisStatuses, infractionTransitions } from "@malote/domain/infraction";
import { pixKeyStatuses, pixKeyTransitions } from "@malote/domain/own-pix-key";
import { payinStatuses, payinTransitions } from "@malote/domain/payin";
import { paymentStatuses, paymentTransitions } from "@malote/domain/payment-status";
import type { Transitions } from "@malote/domain/transitions";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testDatabase } from "./test-database.ts";

interface Machine {
  table: string;
  column: string;
  check: string;
  allows: string;
  statuses: readonly string[];
  transitions: Transitions<string>;
}

const machines: Machine[] = [
  {
    table: "batches",
    column: "status",
    check: "batches_status_check",
    allows: "batch_may_become",
    statuses: batchStatuses,
    transitions: batchTransitions,
  },
  {
    table: "transfers",
    column: "status",
    check: "transfers_status_check",
    allows: "payment_may_become",
    statuses: paymentStatuses,
    transitions: paymentTransitions,
  },
  {
    table: "payins",
    column: "status",
    check: "payins_status",
    allows: "payin_may_become",
    statuses: payinStatuses,
    transitions: payinTransitions,
  },
  {
    table: "pix_keys",
    column: "status",
    check: "pix_keys_status",
    allows: "pix_key_may_become",
    statuses: pixKeyStatuses,
    transitions: pixKeyTransitions,
  },
  {
    table: "infractions",
    column: "analysis_status",
    check: "infractions_analysis_status_check",
    allows: "infraction_may_become",
    statuses: analysisStatuses,
    transitions: infractionTransitions,
  },
];

let client: pg.Client;
beforeAll(async () => {
  const { config } = await testDatabase();
  client = new pg.Client(config);
  await client.connect();
  for (const { table, check } of machines) {
    // Other constraints on rows of these tables are not under test.
    const { rows } = await client.query<{ change: string }>(
      `SELECT format('DROP CONSTRAINT %I CASCADE', conname) AS change FROM pg_constraint
       WHERE conrelid = $1::regclass AND contype IN ('c', 'f') AND conname <> $2
       UNION ALL
       SELECT format('ALTER %I DROP NOT NULL', attname) FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND attnotnull AND attgenerated = '' AND attname NOT IN ('company_id', 'id')`,
      [table, check],
    );
    await client.query(`ALTER TABLE ${table} ${rows.map(({ change }) => change).join(", ")}`);
  }
  await client.query("ALTER TABLE transfers DISABLE TRIGGER transfers_have_their_batch");
});
afterAll(() => client.end());

const pairsOf = (statuses: readonly string[]) =>
  statuses.flatMap((from) => statuses.map((to) => ({ from, to })));
const stepsOf = ({ transitions }: Machine) =>
  Object.entries(transitions).flatMap(([from, all]) => all.map((to) => `${from} > ${to}`));

describe.each(machines)("$table", (machine) => {
  const { table, column, check, allows, statuses } = machine;

  it("knows the statuses of the domain and allows its steps", async () => {
    const { rows } = await client.query<{ known: string[]; steps: string[] }>(
      `WITH known AS (
         SELECT m[1] AS status FROM pg_constraint, regexp_matches(pg_get_constraintdef(oid), '''(\\w+)''', 'g') m
         WHERE conrelid = '${table}'::regclass AND conname = $1)
       SELECT array(SELECT status FROM known) AS known,
         array(SELECT f.status || ' > ' || t.status FROM known f, known t WHERE ${allows}(f.status, t.status)) AS steps`,
      [check],
    );
    expect(rows[0]?.known.sort()).toEqual([...statuses].sort());
    expect(rows[0]?.steps.sort()).toEqual(stepsOf(machine).sort());
  });

  it.each(["malote_app", "malote_system", "the owner"])("accepts legal steps only, of %s", async (role) => {
    const company = randomUUID();
    const rows = pairsOf(statuses).map((pair) => ({ ...pair, id: randomUUID() }));
    await client.query(
      `INSERT INTO ${table} (company_id, id, ${column}) SELECT $1, u.id, u.status FROM unnest($2::uuid[], $3::text[]) u (id, status)`,
      [company, rows.map(({ id }) => id), rows.map(({ from }) => from)],
    );
    await client.query("SELECT set_config('app.company_id', $1, false)", [company]);
    if (role !== "the owner") await client.query(`SET ROLE ${role}`);
    const taken: string[] = [];
    const refused = new Set<string>();
    try {
      for (const { from, to, id } of rows) {
        if (from === to) continue;
        const step = client.query(`UPDATE ${table} SET ${column} = $1 WHERE company_id = $2 AND id = $3`, [
          to,
          company,
          id,
        ]);
        await step.then(
          ({ rowCount }) => rowCount === 1 && taken.push(`${from} > ${to}`),
          (error: pg.DatabaseError) => refused.add(`${error.constraint}: ${error.message}`),
        );
      }
    } finally {
      await client.query("RESET ROLE");
    }
    expect(taken.sort()).toEqual(stepsOf(machine).sort());
    const illegal = rows.filter(({ from, to }) => from !== to && !taken.includes(`${from} > ${to}`));
    expect([...refused].sort()).toEqual(
      illegal
        .map(({ from, to }) => `${table}_take_legal_steps: ${table}: ${from} may not become ${to}`)
        .sort(),
    );
  });

  it("accepts an unchanged status when other columns change", async () => {
    const { rowCount } = await client.query(`UPDATE ${table} SET ${column} = ${column}`);
    expect(rowCount).toBeGreaterThan(0);
  });

  it("calls no function for a legal step, for any number of rows", async () => {
    const [from = "", [to = ""] = []] =
      Object.entries(machine.transitions).find(([, all]) => all.length > 0) ?? [];
    await client.query("BEGIN; SET LOCAL track_functions = 'all'");
    const { rowCount } = await client.query(`UPDATE ${table} SET ${column} = $1 WHERE ${column} = $2`, [
      to,
      from,
    ]);
    expect(rowCount).toBeGreaterThan(0);
    const { rows } = await client.query(
      "SELECT funcname, calls FROM pg_stat_xact_user_functions WHERE funcname = $1",
      [allows],
    );
    await client.query("ROLLBACK");
    expect(rows).toEqual([]);
  });
});
