/**
 * Makes one statement of a process fail. Statements are counted within its transactions, so that a repeat hits the same
 * one.
 */
import type pg from "pg";
import type { Fault } from "./operations.ts";

export interface FaultPoint {
  arm(fault: Fault): void;
  /** Returns whether the fault happened. Waits until PostgreSQL notices the broken connections. */
  disarm(): Promise<boolean>;
  /** A planted fault: commits the transaction after a statement that contains this text. */
  commitAfter: { statement: string; beginAgain: string } | undefined;
}

const refusal = (code: string, text: string) => Object.assign(new Error(text), { code });
const goneText = "Connection terminated unexpectedly";

export function faultPointOf(pool: pg.Pool): FaultPoint {
  const seen = new WeakSet<pg.PoolClient>();
  let armed: Fault | undefined;
  let statements = 0;
  let hasHappened = false;
  let isDead = false;
  const ends: Promise<void>[] = [];
  const inTransaction = new Set<pg.PoolClient>();

  function watch(client: pg.PoolClient) {
    if (seen.has(client)) return;
    seen.add(client);
    const real = client.query.bind(client) as (...all: unknown[]) => Promise<unknown>;
    // A parallel transaction, as for the progress of a sheet by the clock; its statements have no fixed position to
    // count.
    let isBeside = false;

    function die(): Promise<never> {
      isDead = true;
      inTransaction.delete(client);
      // The type is that of a pooled client, which must be released; this one is closed.
      ends.push((client as unknown as pg.Client).end().catch(() => undefined));
      return Promise.reject(new Error(goneText));
    }

    async function meet(fault: Fault, all: unknown[]) {
      hasHappened = true;
      if (fault.kind === "retry") throw refusal("40001", "could not serialize access");
      if (fault.kind === "abort") throw refusal("53100", "could not extend file");
      if (fault.kind === "lost") await real(...all);
      return die();
    }

    async function committing(all: unknown[]) {
      const result = await real(...all);
      await real(`COMMIT; ${point.commitAfter?.beginAgain}`);
      return result;
    }

    const query = (...all: unknown[]) => {
      const text = textOf(all[0]);
      if (text === undefined) return real(...all);
      if (isDead) return die();
      if (/^begin\b/i.test(text)) {
        isBeside = inTransaction.size > 0;
        inTransaction.add(client);
      }
      const isRollback = /^rollback\b/i.test(text);
      const counts = armed && inTransaction.has(client) && !isBeside && !isRollback;
      if (isRollback || /^commit\b/i.test(text)) inTransaction.delete(client);
      if (counts && ++statements === armed?.at) return meet(armed, all);
      return point.commitAfter && text.includes(point.commitAfter.statement) ? committing(all) : real(...all);
    };
    Object.assign(client, { query });
  }
  pool.on("acquire", watch);

  const point: FaultPoint = {
    commitAfter: undefined,
    arm(fault) {
      armed = fault;
      statements = 0;
      hasHappened = false;
      inTransaction.clear();
    },
    async disarm() {
      armed = undefined;
      await Promise.all(ends.splice(0));
      isDead = false;
      return hasHappened;
    },
  };
  return point;
}

/**
 * Returns the text of a statement, plain or named. A stream is not a statement, although it has a text: its caller
 * writes into it.
 */
function textOf(asked: unknown): string | undefined {
  if (typeof asked === "object" && asked !== null && "submit" in asked) return undefined;
  const text = typeof asked === "object" && asked !== null && "text" in asked ? asked.text : asked;
  return typeof text === "string" ? text : undefined;
}
