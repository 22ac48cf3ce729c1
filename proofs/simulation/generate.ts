/** Random sequences: possible operations, forbidden ones, and faults, in the proportions of a bad week. */
import type { Chance } from "../chance.ts";
import { atHour, dayOf, isBankDay, plusDays, startOf } from "./days.ts";
import { type Fault, type Operation, type Paying, type Request, receivers, type Who } from "./operations.ts";
import type { Next } from "./play.ts";
import { isHidden } from "./rules.ts";
import { type Batch, type Payment, paymentsOf, type State, sumOf } from "./state.ts";

const allCallers: readonly Who[] = ["admin", "operator", "analyst", "machine", "stranger"];
/** Special days: plain, before a weekend, a holiday, carnival, the ends of month and year. */
const beginnings = [
  "2026-08-12T13:00:00Z",
  "2026-08-14T19:25:00Z",
  "2026-02-13T19:20:00Z",
  "2026-04-02T12:00:00Z",
  "2026-10-30T19:29:50Z",
  "2026-11-19T19:29:55Z",
  "2026-12-30T19:00:00Z",
  "2026-08-31T02:55:00Z",
];
const lengthMin = 20;
const lengthMax = 60;
/** Receivers with an account, which may be the company's own. */
const accounts = receivers.flatMap(({ method }, index) => (method === "PIX" ? [] : [index]));

/** Generates the operations of one sequence; each depends on the random choices and on the model's current state. */
export function generate(chance: Chance): Next {
  const length = chance.between(lengthMin, lengthMax);
  let labels = 0;
  const label = () => ++labels;
  /** Earlier requests with a key, for repeats. */
  const asked: Request[] = [];

  return (state, done) => {
    if (done >= length) return undefined;
    if (done === 0) return { do: "clock", to: chance.oneOf(beginnings) ?? "" };
    if (done === 1) return { do: "deposit", deposit: label(), value: 100_00 * chance.between(0, 30) + 1 };
    if (done === 2) return { do: "settings", change: { withdrawTo: chance.oneOf(accounts) ?? null } };
    const operation = choose(chance, state, label, asked);
    if ("by" in operation && "key" in operation) asked.push(operation);
    return withFault(chance, operation);
  };
}

/**
 * Adds a fault to some operations. The network has its own faults, and a sheet is read in a child process whose steps
 * cannot be counted.
 */
function withFault(chance: Chance, operation: Operation): Operation {
  const canFail =
    "by" in operation || operation.do === "work" || operation.do === "tick" || operation.do === "receive";
  if (!canFail || operation.do === "sheet" || !chance.happens(14)) return operation;
  const kinds: readonly Fault["kind"][] =
    operation.do === "receive" ? ["retry", "crash", "lost"] : ["retry", "abort", "crash", "lost"];
  return { ...operation, fault: { kind: chance.oneOf(kinds) ?? "crash", at: chance.between(1, 18) } };
}

/** Numbers that no batch and no payment of a sequence has. */
const unknownBatch = 999;
const nothing = 998;

type Label = () => number;
type Choice = readonly [weight: number, make: () => Operation | undefined];

function choose(chance: Chance, state: State, label: Label, asked: readonly Request[]): Operation {
  const batches = Object.entries(state.batches).map(([name, batch]) => ({ name: Number(name), batch }));
  const open = batches.filter(({ batch }) => !isHidden(batch));
  /** Returns mostly a batch in the right state; sometimes any batch, or one that never existed. */
  const one = (...statuses: Batch["status"][]) => {
    const from = chance.happens(92) ? open.filter(({ batch }) => statuses.includes(batch.status)) : batches;
    return chance.oneOf(from)?.name ?? unknownBatch;
  };
  /** Drops most calls without a target, which are not worth a turn. */
  const worth = (call: Request) => (call.batch !== unknownBatch || chance.happens(5) ? call : undefined);
  const by = (...right: Who[]): Who =>
    (chance.happens(85) ? chance.oneOf(right) : chance.oneOf(allCallers)) ?? "admin";
  const insiders = (): Who => chance.oneOf(["admin", "operator", "machine"] as const) ?? "admin";
  const paying = (payment = label()) => randomPayment(chance, state, payment);
  /** Returns, rarely, an existing payment, mostly of another batch. */
  const taken = () => {
    const payment = chance.happens(8) ? chance.oneOf(Object.values(state.payments)) : undefined;
    return payment ? [paying(payment.payment)] : [];
  };
  /** Returns a new number; rarely, the id of an existing batch. */
  const newBatch = () => (chance.happens(4) ? chance.oneOf(batches)?.name : undefined) ?? label();
  const some = (most: number) => Array.from({ length: chance.between(0, most) }, () => paying());
  const inBatch = (batch: number) => chance.oneOf(paymentsOf(state, batch))?.payment ?? nothing;
  const seen = (batch: number) =>
    chance.happens(state.batches[batch]?.status === "WAITING_APPROVAL" ? 92 : 30)
      ? { revision: (state.batches[batch]?.revision ?? 1) - (chance.happens(15) ? 1 : 0) }
      : {};
  const failed = Object.values(state.payments).filter(({ status }) => status === "FAILED");
  const aFailed = () =>
    chance.happens(85) ? chance.oneOf(failed) : chance.oneOf(Object.values(state.payments));
  const drafts = ["DRAFT"] as const;
  const batchOr = (payment: Payment | undefined) => payment?.batch ?? unknownBatch;

  const choices: Choice[] = [
    [
      open.length < 4 ? 10 : 2,
      () => ({
        do: "create",
        by: insiders(),
        batch: newBatch(),
        payments: [paying(), ...some(3), ...taken()],
      }),
    ],
    [
      2,
      () => ({
        do: "items",
        by: insiders(),
        batch: newBatch(),
        payments: [paying(), ...some(2), ...taken()],
      }),
    ],
    [0.4, () => ({ do: "sheet", by: "operator", batch: label(), payments: pixOnly([paying(), ...some(2)]) })],
    [5, () => worth({ do: "add", by: by("admin", "operator"), batch: one(...drafts), paying: paying() })],
    [
      2,
      () => {
        const batch = one(...drafts);
        const remove = chance.happens(30) ? [inBatch(batch)] : [];
        return worth({
          do: "save",
          by: by("admin", "operator"),
          batch,
          write: [...some(2), ...taken()],
          remove,
        });
      },
    ],
    [
      2,
      () => {
        const batch = one(...drafts);
        const changed = { ...paying(), payment: inBatch(batch) };
        return worth({ do: "change", by: by("admin", "operator"), batch, paying: changed });
      },
    ],
    [
      1,
      () => {
        const batch = one(...drafts);
        return worth({ do: "remove", by: by("operator"), batch, payments: [inBatch(batch), nothing] });
      },
    ],
    [1, () => worth({ do: "rename", by: by("operator"), batch: one("DRAFT", "WAITING", "RECEIVED") })],
    [
      1.5,
      () => worth({ do: "delete", by: by("operator", "admin"), batch: one("DRAFT", "WAITING", "WAITING") }),
    ],
    [
      4,
      () => {
        const batch = one(...drafts);
        return worth({ do: "send", by: by("operator", "admin"), batch, ...seen(batch) });
      },
    ],
    [
      13,
      () => {
        const batch = one("DRAFT", "WAITING_APPROVAL");
        if (paymentsOf(state, batch).some(({ wrong }) => wrong) && chance.happens(80)) return undefined;
        return worth({ do: "close", by: by("admin", "machine"), batch, key: label(), ...seen(batch) });
      },
    ],
    [1, () => worth({ do: "reject", by: by("admin"), batch: one("WAITING_APPROVAL") })],
    [2, () => worth({ do: "reopen", by: by("admin"), batch: one("WAITING_APPROVAL", "WAITING") })],
    [
      failed.length > 0 ? 8 : 0.5,
      () => {
        const payment = aFailed();
        const changed = correction(chance, payment);
        return (
          changed && { do: "change", by: by("admin", "machine"), batch: batchOr(payment), paying: changed }
        );
      },
    ],
    [
      failed.length > 0 ? 8 : 0.5,
      () => {
        const payment = aFailed();
        return (
          payment && {
            do: "refund",
            by: by("admin"),
            batch: payment.batch,
            payment: payment.payment,
            key: label(),
          }
        );
      },
    ],
    [
      state.accounts.available > 0 ? 6 : 0.5,
      () => ({
        do: "withdraw",
        by: by("admin", "operator", "machine"),
        batch: label(),
        payment: label(),
        value: withdrawalFrom(chance, state),
        key: label(),
      }),
    ],
    [asked.length > 0 ? 4 : 0, () => again(chance, asked)],
    [7, () => ({ do: "deposit", deposit: label(), value: depositFor(chance, state) })],
    [1, () => ({ do: "settings", change: randomSettings(chance) })],
    [1, () => ({ do: "settings", change: { withdrawTo: chance.oneOf([...accounts, null]) ?? null } })],
    [7, () => ({ do: "clock", to: new Date(randomInstant(chance, state)).toISOString() })],
    [state.jobs.length > 0 ? 30 : 0, () => randomWork(chance, state)],
    [isDue(state) ? 14 : 2, () => ({ do: "tick", ...silence(chance) })],
    [hasDueReports(state) ? 16 : 1, () => ({ do: "deliver" })],
    [6, () => randomReport(chance, state)],
  ];
  for (;;) {
    const made = weighted(chance, choices)();
    if (made) return made;
  }
}

function weighted(chance: Chance, choices: readonly Choice[]): Choice[1] {
  let at = chance.share() * choices.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, make] of choices) {
    at -= weight;
    if (at < 0) return make;
  }
  return () => undefined;
}

const isDue = ({ payments, now }: State) =>
  Object.values(payments).some(
    ({ status, leavesAt }) => (status === "RECEIVED" || status === "SCHEDULED") && (leavesAt ?? 0) <= now,
  );
const hasDueReports = ({ network, now }: State) =>
  network.some(({ delivered, dueAt }) => !delivered && dueAt <= now);

/** The last ones are rare: above a lowered limit, and far above most balances. */
const amounts = [1, 99, 100_00, 100_00, 250_00, 333_33, 1_000_00, 249_999_99];

function randomPayment(chance: Chance, { now }: State, payment: number): Paying {
  const receiver = chance.between(0, receivers.length - 1);
  const value = chance.happens(2) ? null : (chance.oneOf(amounts.slice(0, chance.happens(10) ? 8 : 6)) ?? 1);
  const date = chance.happens(25)
    ? { date: plusDays(dayOf(now), chance.between(chance.happens(10) ? -1 : 0, 4)) }
    : {};
  return { payment, receiver, value: chance.happens(1) ? 0 : value, ...date };
}

/** Limits payments to what a sheet of Pix keys has: it has no accounts, and its days are those of the sheet. */
const pixOnly = (payments: readonly Paying[]): Paying[] =>
  payments.map(({ payment, receiver, value }) => ({ payment, receiver: receiver % 4, value }));

function correction(chance: Chance, payment: Payment | undefined): Paying | undefined {
  if (!payment) return undefined;
  const value = chance.happens(90) ? payment.value : (payment.value ?? 0) + 1;
  return { payment: payment.payment, receiver: chance.between(0, receivers.length - 1), value };
}

/** Repeats an earlier call, or makes another one under its key. */
function again(chance: Chance, asked: readonly Request[]): Operation | undefined {
  const earlier = chance.oneOf(asked.slice(-6));
  if (!earlier) return undefined;
  const { fault: _, ...call } = earlier as Request & { fault?: Fault };
  if (chance.happens(85)) return call;
  return call.do === "withdraw" ? { ...call, value: call.value + 1 } : { ...call, batch: call.batch + 1 };
}

/** Returns an amount, often exactly the missing one, or a centavo more or less. */
function depositFor(chance: Chance, state: State): number {
  const labels = Object.entries(state.batches).filter(
    ([, { status }]) => status === "WAITING" || status === "DRAFT",
  );
  const value = sumOf(paymentsOf(state, Number(chance.oneOf(labels)?.[0] ?? -1)));
  const missing = value - state.accounts.available;
  return missing > 1 && chance.happens(60) ? missing + chance.between(-1, 1) : 50_00 * chance.between(1, 20);
}

/**
 * Returns an amount, mostly small compared with the batches; sometimes the whole balance, or a centavo more or less.
 */
function withdrawalFrom(chance: Chance, { accounts: { available } }: State): number {
  const everything = Math.max(1, available + chance.between(-1, 1));
  return chance.happens(25) ? everything : (chance.oneOf(amounts.slice(0, 5)) ?? 1);
}

function randomSettings(chance: Chance) {
  return (
    chance.oneOf([
      { otherApprover: true },
      { otherApprover: false },
      { blocked: true },
      { blocked: false },
      { limit: 500_00 },
      { limit: 250_000_00 },
      { blockedDocuments: ["52998224725"] },
      { blockedDocuments: ["11222333000181", "12ABC34501DE35"] },
      { blockedDocuments: ["98702951000107", "58204617000109"] },
      { blockedDocuments: [] },
      { operatorMayWithdraw: false },
      { operatorMayWithdraw: true },
    ]) ?? {}
  );
}

/**
 * Returns an instant a little later, near the cut-off, in the next morning, after a weekend, or at the turn of the
 * month.
 */
function randomInstant(chance: Chance, { now }: State): number {
  const today = dayOf(now);
  const firstOfNext = `${plusDays(`${today.slice(0, 8)}28`, 4).slice(0, 8)}01`;
  let monday = plusDays(today, 1);
  while (!isBankDay(monday)) monday = plusDays(monday, 1);
  const cutOff = atHour(today, 16.5) + 1_000 * chance.between(-3, 3);
  const instants = [
    now + 1_000 * chance.between(1, 20),
    now + 60_000 * chance.between(1, 90),
    cutOff > now ? cutOff : atHour(monday, 16.5) + 1_000 * chance.between(-3, 3),
    atHour(plusDays(today, 1), chance.between(0, 23)),
    atHour(monday, 8) + 60_000 * chance.between(-90, 1),
    startOf(firstOfNext) - 1_000 * chance.between(1, 3),
  ];
  return chance.oneOf(instants) ?? now;
}

function silence(chance: Chance): { silence?: "taken" | "lost" } {
  return chance.happens(12) ? { silence: chance.happens(50) ? "taken" : "lost" } : {};
}

function randomWork(chance: Chance, state: State): Operation {
  const job = chance.happens(60) ? 0 : chance.between(0, state.jobs.length - 1);
  return { do: "work", job, ...(chance.happens(10) && { stays: true as const }), ...silence(chance) };
}

/** Returns a repeated report, an early one for another handler, or reports in another order. */
function randomReport(chance: Chance, { network, now }: State): Operation | undefined {
  const due = network.filter(({ dueAt }) => dueAt <= now).slice(-8);
  const events = due.filter(() => chance.happens(50)).map(({ id }) => id);
  return events.length > 0 ? { do: "receive", events: events.toReversed() } : undefined;
}
