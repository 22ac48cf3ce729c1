/** Compares the HTTP answers that people see with the model's expectation. */
import { listBatches, listWaitingBatches, readBatch, readBatchSummary } from "@malote/contracts/batches";
import { readBalance, readStatement } from "@malote/contracts/statement";
import { readTransfer } from "@malote/contracts/transfers";
import { dayOf, startOf } from "./days.ts";
import { isHidden } from "./rules.ts";
import { methodOf, type Payment, paymentsOf, type State, sumOf } from "./state.ts";
import type { SystemUnderTest } from "./system-under-test.ts";

type Read = (
  contract: Parameters<SystemUnderTest["active"]["kit"]["call"]>[0],
  query?: Record<string, string>,
  id?: string,
) => Promise<{
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: each question names the fields it looks at
  body: any;
}>;

type Expect = (what: string, is: unknown, should: unknown) => void;

/** Checks every figure that a page shows of the money and of the batches; returns sentences about the differences. */
export async function look(system: SystemUnderTest, state: State): Promise<string[]> {
  const { kit } = system.active;
  const read: Read = (contract, query = {}, id = "") =>
    kit.call(contract, { params: { id }, query }, { token: system.tokens.analyst });
  const wrong: string[] = [];
  const expect: Expect = (what, is, should) => {
    const [one, other] = [JSON.stringify(is), JSON.stringify(should)];
    if (one !== other) wrong.push(`${what} shows ${one} and should show ${other}`);
  };

  const waiting = Object.entries(state.batches)
    .filter(([, batch]) => batch.status === "WAITING")
    .sort(([, one], [, other]) => one.waitingSince - other.waitingSince)
    .map(([label]) => Number(label));
  const waitingValue = sumOf(waiting.flatMap((label) => paymentsOf(state, label)));
  const { available } = state.accounts;
  expect("the balance", (await read(readBalance)).body, { value: available, waiting_value: waitingValue });
  const line = (await read(listWaitingBatches)).body;
  expect(
    "the line for money",
    [line.data.map((one: { id: string }) => system.names.batchOf(one.id)), line.total, line.missing],
    [waiting, waitingValue, Math.max(0, waitingValue - available)],
  );
  const shownBatches = Object.entries(state.batches).filter(([, batch]) => !isHidden(batch));
  const list = (await read(listBatches, { initialDate: "2026-01-01", endDate: dayOf(state.now) })).body;
  const shownValue = sumOf(shownBatches.flatMap(([label]) => paymentsOf(state, Number(label))));
  expect("the list of batches", list.summary, { count: shownBatches.length, value: shownValue });
  await lookAtStatement(read, state, expect);
  for (const [label, batch] of Object.entries(state.batches)) {
    const id = system.names.batch(Number(label));
    const { status, body } = await read(readBatch, {}, id);
    expect(`batch ${label}`, status, isHidden(batch) ? 404 : 200);
    const payments = paymentsOf(state, Number(label));
    if (batch.type === "WITHDRAWAL")
      for (const one of payments) await lookAtWithdrawal(system, read, one, expect);
    if (status !== 200) continue;
    expect(
      `batch ${label}`,
      [body.status, body.value, body.revision, body.transfers.map(shown(system)).sort()],
      [
        batch.status,
        sumOf(payments),
        batch.revision,
        payments.map((one) => `${one.payment} ${one.status} ${one.value} ${methodOf(one)}`).sort(),
      ],
    );
    const summary = (await read(readBatchSummary, {}, id)).body;
    const sums = new Map<string, number>();
    for (const one of payments) sums.set(one.status, (sums.get(one.status) ?? 0) + (one.value ?? 0));
    expect(
      `the sums of batch ${label}`,
      summary.by_status.map((one: { status: string; value: number }) => `${one.status} ${one.value}`).sort(),
      [...sums].map(([name, value]) => `${name} ${value}`).sort(),
    );
  }
  return wrong;
}

const shown =
  ({ names }: SystemUnderTest) =>
  (one: { id: string; status: string; value: number | null; payment_method: string }) =>
    `${names.paymentOf(one.id)} ${one.status} ${one.value} ${one.payment_method}`;

/** Checks a withdrawal, which is visible by its payment alone. */
async function lookAtWithdrawal(system: SystemUnderTest, read: Read, one: Payment, expect: Expect) {
  const { body } = await read(readTransfer, {}, system.names.payment(one.payment));
  expect(`withdrawal ${one.payment}`, [body.status, body.value], [one.status, one.value]);
}

/** Checks the whole period, and the one from the first of this month, where monthly counters and single days meet. */
async function lookAtStatement(read: Read, state: State, expect: Expect) {
  const endDate = dayOf(state.now);
  for (const initialDate of ["2026-01-01", `${endDate.slice(0, 8)}01`]) {
    const { body } = await read(readStatement, { initialDate, endDate, page: "1" });
    const inside = state.entries.filter(({ at }) => at >= startOf(initialDate));
    const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
    const amounts = inside.map(({ amount }) => amount);
    const opening = state.accounts.available - sum(amounts);
    const moneyIn = sum(amounts.filter((amount) => amount > 0));
    expect(
      `the statement from ${initialDate}`,
      [body.prevBalance.value, body.afterBalance.value, body.totals, body.metadata.pagination.totalItems],
      [opening, state.accounts.available, { in: moneyIn, out: moneyIn - sum(amounts) }, inside.length],
    );
    const days = inside.slice(-50).map(({ at, amount }) => `${dayOf(at)} ${amount}`);
    const entries: { date: string; value: number }[] = body.entries;
    expect(
      "the lines of the statement",
      entries.map(({ date, value }) => `${date} ${value}`).sort(),
      days.sort(),
    );
  }
}
