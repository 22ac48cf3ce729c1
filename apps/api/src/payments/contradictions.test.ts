/** Network reports that contradict the rows here or earlier reports: never applied, and never lost. */
import { changeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PayinEvent } from "../ports/charges.ts";
import type { PaymentEvent, PixReceived, RailEvent, ReferredEvent } from "../ports/rails.ts";
import { closeNetworkEvents } from "../testing/operator-kit.ts";
import {
  auroraId,
  auroraKey,
  batch,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
} from "../testing/payments-kit.ts";
import { slowRails } from "../testing/slow-rails.ts";
import { deadLetterEvents } from "./dead-letters.ts";
import { countDeadLetters, handleEvents, retryDeadLetters, sendDuePayments } from "./index.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const receive = (...events: (RailEvent | ReferredEvent)[]) => handleEvents(kit.services, events);
const at = () => kit.clock.now().toISOString();
const query = async (text: string, values: unknown[] = []) =>
  (await kit.services.db.pool.query(text, values)).rows;
const deadLetters = async () =>
  (await query("SELECT why, detail FROM rail_dead_letters ORDER BY since, detail")).map(
    ({ why, detail }) => `${why}: ${detail}`,
  );
const rulesBroken = async () => (await kit.faults()).map(({ rule }) => rule);
async function counted(): Promise<number | undefined> {
  await countDeadLetters(kit.services);
  return (await deadLetterEvents.get()).values[0]?.value;
}

const payer = {
  name: "Ana",
  bank: null,
  agency: null,
  account: null,
  accountDigit: null,
  accountType: null,
  document: null,
};
const inTheBooks = "each payment that the network reports as received is posted, to the centavo";
const onceMore = "a repeated event of the network has its first content";

describe("received money that is reported again with another value", () => {
  const deposit = (changes: Partial<PixReceived> = {}): PixReceived => ({
    kind: "pix_received",
    id: "first",
    endToEndId: "E0000000020260812120000000000001",
    at: at(),
    pixKey: auroraKey,
    value: 5_00,
    payer,
    message: null,
    ...changes,
  });
  const ted = (changes: object = {}): PayinEvent => ({
    kind: "ted_received",
    id: "first",
    companyId: auroraId,
    at: at(),
    paymentId: "T1",
    value: 5_00,
    purpose: "payment",
    payer,
    ...changes,
  });

  it.each([
    ["a Pix", deposit],
    ["a TED", ted],
  ] as const)(
    "is posted once for %s under the event's id, and its change is not applied",
    async (_, event) => {
      const before = await fetchBalance(kit.admin);
      await receive(event(), event(), event({ at: "2026-08-12T12:00:01.000Z" }));
      expect(await deadLetters()).toEqual([]);
      await receive(event({ value: 7_00 }));
      await receive(event({ value: 7_00 }), event());
      expect(await fetchBalance(kit.admin)).toBe(before + 5_00);
      expect(await deadLetters()).toEqual(["changed: reported as value 700, but before as value 500"]);
      expect(await counted()).toBe(1);
      expect(await rulesBroken()).toEqual([onceMore]);
      await closeNetworkEvents(kit.services);
    },
  );

  it.each([
    ["a Pix", deposit],
    ["a TED", ted],
  ] as const)(
    "is not posted for %s under the payment's id, which contradicts the books",
    async (_, event) => {
      const before = await fetchBalance(kit.admin);
      await receive(event(), event({ id: "with another event's id" }));
      expect(await deadLetters()).toEqual([]);
      await receive(event({ id: "again", value: 7_00 }), event({ id: "again", value: 7_00 }));
      expect(await fetchBalance(kit.admin)).toBe(before + 5_00);
      expect(await deadLetters()).toEqual([
        "contradiction: received with 700 centavos, but the books have it with 500",
      ]);
      expect(await counted()).toBe(1);
      expect(await rulesBroken()).toEqual([inTheBooks]);
      await closeNetworkEvents(kit.services);
    },
  );
});

it("keeps an outcome when the network reports another one under the same id", async () => {
  const id = await paidFor(kit, [pix(1_00)]);
  await sendAll();
  const [key] = await keys();
  const settled = {
    kind: "settled",
    id: "one",
    endToEndId: key ?? "",
    companyId: auroraId,
    at: at(),
  } as const;
  await receive({ ...settled, value: 1_00, final: true });
  await receive({ ...settled, kind: "failed", reason: "no" });
  await receive({ ...settled, value: 2_00, final: true });
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  expect(await deadLetters()).toEqual([
    "changed: reported as kind failed, but before as kind settled",
    "changed: reported as value 200, but before as value 100",
  ]);
  expect(await rulesBroken()).toEqual([onceMore]);
  await closeNetworkEvents(kit.services);
});

describe("an attempt that failed and was corrected", () => {
  const refusedKey = { pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;
  let id: string;
  let former: Omit<Extract<PaymentEvent, { kind: "finished" }>, "kind">;
  beforeEach(async () => {
    id = await paidFor(kit, [
      pix(1_00, { destination_bank_account: { name: "Maria Souza", ...refusedKey } }),
    ]);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    const [key] = await keys();
    const [failed] = (await batch(kit.admin, id)).transfers;
    expect(failed).toMatchObject({ status: "FAILED" });
    const answer = await kit.admin.call(changeTransfer, {
      params: { id, tid: failed.id },
      body: pix(1_00),
    });
    expect(answer.status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ minutes: 1 });
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
    former = { id: "again", endToEndId: key ?? "", companyId: auroraId, at: at(), value: 1_00 };
  });

  it("may be reported as failed at any later time", async () => {
    await receive({ ...former, kind: "failed", reason: "tarde" });
    expect(await deadLetters()).toEqual([]);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED"]);
  });

  it("contradicts a report under its number that it was paid", async () => {
    const before = await fetchBalance(kit.admin);
    await receive({ ...former, kind: "settled", final: true });
    expect(await deadLetters()).toEqual([
      "contradiction: settled of attempt 1, which failed and was followed by another; the payment is FINISHED",
    ]);
    expect(await fetchBalance(kit.admin)).toBe(before);
    expect(await rulesBroken()).toContain("each payment that the network reports as paid is posted");
    await closeNetworkEvents(kit.services);
  });

  it("contradicts a failure of another value", async () => {
    await receive({ ...former, kind: "failed", reason: "tarde", value: 3_00 });
    expect(await deadLetters()).toEqual([
      "contradiction: failed with 300 centavos, but the payment is of 100",
    ]);
    await closeNetworkEvents(kit.services);
  });

  it("is found by the network's own number", async () => {
    await query(
      `INSERT INTO provider_references (company_id, key, connection, kind, value, first_seen)
       VALUES ($1, $2, 'sandbox', 'protocol', 'P-1', now())`,
      [auroraId, former.endToEndId],
    );
    const order = { reference: { kind: "protocol", value: "P-1" } };
    await receive({ kind: "settled", id: "again", order, at: at(), value: 1_00, final: true });
    expect(await deadLetters()).toEqual([
      "contradiction: settled of attempt 1, which failed and was followed by another; the payment is FINISHED",
    ]);
    await closeNetworkEvents(kit.services);
  });
});

describe("an event whose order cannot be looked up", () => {
  it("does not delay another event of its block, and is applied once it can be looked up", async () => {
    const slow = slowRails(kit.clock);
    kit.services.rails = slow;
    const id = await paidFor(kit, [pix(1_00), pix(2_00), pix(3_00), pix(4_00)]);
    await sendAll();
    kit.clock.advance({ seconds: 35 });
    const events = slow.dueEvents();
    expect(events).toHaveLength(4);
    // A lookup of this number fails.
    await query(`CREATE FUNCTION broken(value text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
      IF value = 'S-2' THEN RAISE 'a number that cannot be read'; END IF; RETURN true; END $$`);
    await query(
      "CREATE POLICY broken ON provider_references AS RESTRICTIVE FOR SELECT TO malote_system USING (broken(value))",
    );
    await handleEvents(kit.services, events, { connection: "slow", feed: "webhook" });
    expect((await fetchStatuses(kit.admin, id)).sort()).toEqual([
      "EXECUTING",
      "FINISHED",
      "FINISHED",
      "FINISHED",
    ]);
    expect(await deadLetters()).toEqual(["failed: a number that cannot be read"]);

    kit.clock.advance({ minutes: 1 });
    await retryDeadLetters(kit.services);
    expect(await query("SELECT why, tries FROM rail_dead_letters")).toEqual([{ why: "failed", tries: 2 }]);
    await query("DROP POLICY broken ON provider_references");
    kit.clock.advance({ minutes: 2 });
    await retryDeadLetters(kit.services);
    expect(await deadLetters()).toEqual([]);
    expect(await fetchStatuses(kit.admin, id)).toEqual(["FINISHED", "FINISHED", "FINISHED", "FINISHED"]);
  });

  it("does not delay another dead letter when a later version can no longer read it", async () => {
    const unreadable = { kind: "of another time", id: "x" };
    const deposit = {
      kind: "pix_received",
      id: "y",
      endToEndId: "E0000000020260812120000000000001",
      at: at(),
      pixKey: auroraKey,
      value: 5_00,
      payer,
      message: null,
    };
    const before = await fetchBalance(kit.admin);
    for (const [seconds, event] of [unreadable, deposit].entries())
      await query(
        `INSERT INTO rail_dead_letters (event_id, why, detail, payload, since, try_at)
         VALUES ($1, 'failed', 'once', $2, $3, $3)`,
        [event.id, JSON.stringify(event), new Date(kit.clock.now().getTime() - 60_000 + seconds)],
      );
    await retryDeadLetters(kit.services);
    expect(await fetchBalance(kit.admin)).toBe(before + 5_00);
    expect(await query("SELECT event_id, tries FROM rail_dead_letters")).toEqual([
      { event_id: "x", tries: 2 },
    ]);
  });
});

async function sendAll(): Promise<void> {
  await kit.drainJobs();
  await sendDuePayments(kit.services, { companyId: auroraId });
}

const keys = async (): Promise<string[]> =>
  (await query("SELECT key FROM payment_attempts ORDER BY number")).map(({ key }) => key);
