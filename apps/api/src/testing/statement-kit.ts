/** Fills and reads the statement in tests. */
import { readStatement, type StatementEntry } from "@malote/contracts/statement";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { type Movement, post } from "../ledger/index.ts";
import type { Person, TestApp } from "./app.ts";

export const companyId = demoCompanies[0]?.id ?? "";

/** The last minutes of October in São Paulo, already November in UTC. */
export const endOfOctober = "2026-11-01T02:50:00Z";

let causes = 0;

interface Page {
  entries: StatementEntry[];
  prevBalance: { date: string; value: number };
  afterBalance: { date: string; value: number };
  totals: { in: number; out: number };
  metadata: { pagination: { itemsPerPage: number; totalItems: number } };
}

export function statementCalls(app: () => TestApp, helena: () => Person) {
  const move = (at: string | Date, movements: Partial<Movement>[]) =>
    app().services.db.withCompany(companyId, (tx) =>
      post(
        tx,
        new Date(at),
        movements.map((movement) => ({
          type: "DEPOSIT" as const,
          cause: `test:${++causes}`,
          from: "pix_in" as const,
          to: "available" as const,
          amount: 100,
          description: "Pix recebido",
          ...movement,
        })),
      ),
    );

  const deposit = (at: string, amount: number) => move(at, [{ amount }]);

  async function read(initialDate: string, endDate: string, page = 1, person = helena()): Promise<Page> {
    const answer = await person.call(readStatement, { query: { initialDate, endDate, page: String(page) } });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  }

  return { move, deposit, read };
}
