/**
 * A Pix is received once in the installation, even when its key has another holder when the network reports it again.
 */
import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createCharge } from "../payins/index.ts";
import type { PayinEvent } from "../ports/charges.ts";
import type { PixReceived, RailEvent } from "../ports/rails.ts";
import { databaseBefore } from "../testing/migration-kit.ts";
import { closeNetworkEvents } from "../testing/operator-kit.ts";
import {
  auroraId,
  auroraKey,
  fetchBalance,
  horizonteId,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
} from "../testing/payments-kit.ts";
import { handleEvents, retryDeadLetters } from "./index.ts";

const horizonteKey = "pagamentos@horizonte.example";
const payer = {
  name: "Ana",
  bank: null,
  agency: null,
  account: null,
  accountDigit: null,
  accountType: null,
  document: null,
};

describe("a Pix that is in the books", () => {
  let kit: PaymentsKit;
  let before: { aurora: number; horizonte: number };
  beforeEach(async () => {
    kit = await openPayments();
    before = { aurora: await fetchBalance(kit.admin), horizonte: await fetchBalance(kit.stranger) };
  });
  afterEach(() => kit.close());

  const receive = (...events: RailEvent[]) => handleEvents(kit.services, events);
  const query = async (text: string, values: unknown[] = []) =>
    (await kit.services.db.pool.query(text, values)).rows;
  const deposit = (changes: Partial<PixReceived> = {}): PixReceived => ({
    kind: "pix_received",
    id: "first",
    endToEndId: "E0000000020260812120000000000001",
    at: kit.clock.now().toISOString(),
    pixKey: auroraKey,
    value: 500_00,
    payer,
    message: null,
    ...changes,
  });
  const grown = async () => ({
    aurora: (await fetchBalance(kit.admin)) - before.aurora,
    horizonte: (await fetchBalance(kit.stranger)) - before.horizonte,
  });
  const deadLetters = async () =>
    (await query("SELECT company_id, why, detail FROM rail_dead_letters ORDER BY since, detail")).map(
      ({ company_id, why, detail }) => ({ company: company_id, deadLetter: `${why}: ${detail}` }),
    );
  const removeKey = () =>
    query("UPDATE pix_keys SET status = 'REMOVED' WHERE company_id = $1 AND key = $2", [auroraId, auroraKey]);
  /** A claim that ends moves the key to another holder. */
  async function moveKey() {
    await removeKey();
    await query("UPDATE pix_keys SET key = $2 WHERE company_id = $1 AND key = $3", [
      horizonteId,
      auroraKey,
      horizonteKey,
    ]);
  }
  const once = { aurora: 500_00, horizonte: 0 };

  it("is not posted again for the company that its key moved to", async () => {
    await receive(deposit());
    await moveKey();
    await receive(deposit());
    await receive(deposit({ id: "another event of it" }));
    expect(await grown()).toEqual(once);
    expect(await deadLetters()).toEqual([]);
    // Later Pix belong to the key's new holder.
    await receive(deposit({ id: "next", endToEndId: "E0000000020260812120000000000002", value: 7_00 }));
    expect(await grown()).toEqual({ aurora: 500_00, horizonte: 7_00 });
  });

  it("is no dead letter if it is reported again after its key was removed", async () => {
    await receive(deposit());
    await removeKey();
    await receive(deposit());
    await receive(deposit({ id: "another event of it" }));
    expect(await deadLetters()).toEqual([]);
    expect(await grown()).toEqual(once);
  });

  it("is not posted again when its event later names another company's key", async () => {
    await receive(deposit());
    await receive(deposit({ pixKey: horizonteKey }));
    await receive(deposit({ pixKey: horizonteKey, value: 9_00 }));
    expect(await grown()).toEqual(once);
    expect(await deadLetters()).toEqual([
      { company: auroraId, deadLetter: "changed: reported as pixKey B, but before as pixKey A" },
      {
        company: auroraId,
        deadLetter: "changed: reported as pixKey B, value 900, but before as pixKey A, value 50000",
      },
    ]);
    expect((await kit.faults()).map(({ rule }) => rule)).toEqual([
      "a repeated event of the network has its first content",
    ]);
    await closeNetworkEvents(kit.services);
  });

  it("is not posted again when another event names another company's key for it", async () => {
    await receive(deposit());
    await receive(deposit({ id: "again", pixKey: horizonteKey }));
    expect(await grown()).toEqual(once);
    expect(await deadLetters()).toEqual([
      {
        company: auroraId,
        deadLetter: "contradiction: received for another key than the one that the books have it for",
      },
    ]);
    await closeNetworkEvents(kit.services);
  });

  it("is posted once if two processes receive it for two companies concurrently", async () => {
    const other = await kit.another();
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        n % 2
          ? receive(deposit())
          : handleEvents(other.services, [deposit({ id: "again", pixKey: horizonteKey })]),
      ),
    );
    const { aurora, horizonte } = await grown();
    expect([aurora, horizonte].sort()).toEqual([0, 500_00]);
    expect(await deadLetters()).toEqual([
      {
        company: aurora > 0 ? auroraId : horizonteId,
        deadLetter: "contradiction: received for another key than the one that the books have it for",
      },
    ]);
    expect(
      await query("SELECT FROM payins WHERE posting_cause = $1", [`pix:${deposit().endToEndId}`]),
    ).toHaveLength(1);
    await closeNetworkEvents(kit.services);
    await other.server.close();
  });

  it("does not pay a charge of another company", async () => {
    await receive(deposit());
    const chargeId = randomUUID();
    await createCharge(kit.services, horizonteId, {
      id: chargeId,
      paymentLinkId: null,
      amount: 500_00,
      payer: { name: "Mariana Teles Prado", taxId: "52998224725" },
      description: null,
      method: { kind: "pix" },
    });
    const paid: PayinEvent = {
      kind: "charge_paid",
      id: "again",
      companyId: horizonteId,
      chargeId,
      at: kit.clock.now().toISOString(),
      paymentId: deposit().endToEndId,
      value: 500_00,
      payer: null,
    };
    await receive(paid);
    await receive(paid);
    expect(await grown()).toEqual(once);
    const deadLetter = "contradiction: another company received the payment with this id";
    expect(await deadLetters()).toEqual([{ company: horizonteId, deadLetter }]);
    expect((await kit.faults()).map(({ rule }) => rule)).toEqual([
      "each payment that the network reports as received is posted, to the centavo",
    ]);
    await closeNetworkEvents(kit.services);
  });

  it.each(["first", "again"])(
    "is treated the same as a TED and as a boleto, whichever event (%s) names another company",
    async (id) => {
      const ted = (companyId: string, eventId: string): PayinEvent => ({
        kind: "ted_received",
        id: eventId,
        companyId,
        at: kit.clock.now().toISOString(),
        paymentId: "T1",
        value: 500_00,
        purpose: "payment",
        payer,
      });
      await receive(ted(auroraId, "first"));
      await receive(ted(horizonteId, id));
      expect(await grown()).toEqual(once);
      const deadLetter = "contradiction: another company received the payment with this id";
      expect(await deadLetters()).toEqual([{ company: horizonteId, deadLetter }]);
      await closeNetworkEvents(kit.services);

      const chargeId = randomUUID();
      await createCharge(kit.services, horizonteId, {
        id: chargeId,
        paymentLinkId: null,
        amount: 500_00,
        payer: { name: "Mariana Teles Prado", taxId: "52998224725" },
        description: null,
        method: { kind: "boleto", dueInBusinessDays: 3 },
      });
      const boleto = {
        kind: "charge_paid",
        chargeId,
        at: kit.clock.now().toISOString(),
        value: 500_00,
        payer: null,
      };
      await query("INSERT INTO received_payments (cause, company_id) VALUES ('boleto:B1', $1)", [auroraId]);
      await receive({ ...boleto, id: "boleto", companyId: horizonteId, paymentId: "B1" } as PayinEvent);
      expect(await grown()).toEqual(once);
      await closeNetworkEvents(kit.services);
      await query("DELETE FROM received_payments WHERE cause = 'boleto:B1'");
    },
  );

  it("may share its id with a payment of another company", async () => {
    await paidFor(kit, [pix(500_00)]);
    await kit.drainJobs();
    const [sent] = await query("SELECT key FROM payment_attempts WHERE company_id = $1", [auroraId]);
    await receive(deposit({ endToEndId: sent.key, pixKey: horizonteKey }));
    expect((await grown()).horizonte).toBe(500_00);
    expect(await deadLetters()).toEqual([]);
  });

  it("stores a second content of its event before the event is applied", async () => {
    const unknownCharge = { id: "x", pixKey: "late@nobody.example" };
    await receive(deposit({ ...unknownCharge, value: 1_00 }));
    await receive(deposit({ ...unknownCharge, value: 1_00 }));
    kit.clock.advance({ seconds: 1 });
    await receive(deposit({ ...unknownCharge, value: 2_00, endToEndId: "E0000000020260812120000000000003" }));
    expect(await query("SELECT why, tries FROM rail_dead_letters ORDER BY since")).toEqual([
      { why: "failed", tries: 2 },
      { why: "failed", tries: 1 },
    ]);
    await query("UPDATE pix_keys SET key = $1 WHERE company_id = $2 AND key = $3", [
      unknownCharge.pixKey,
      auroraId,
      auroraKey,
    ]);
    await query("UPDATE rail_dead_letters SET try_at = since");
    await retryDeadLetters(kit.services);
    expect(await grown()).toEqual({ aurora: 1_00, horizonte: 0 });
    expect(await deadLetters()).toEqual([
      {
        company: auroraId,
        deadLetter:
          "changed: reported as endToEndId E0000000020260812120000000000003, value 200, but before as endToEndId E0000000020260812120000000000001, value 100",
      },
    ]);
    await closeNetworkEvents(kit.services);
  });
});

it("0134 records which company received each Pix first, even if another one has it too, and one dead letter per payload", async () => {
  const old = await databaseBefore("0134");
  try {
    const [first, second] = [await old.company(), await old.company()];
    const payin = (company: string, cause: string | null, at: string) =>
      old.query(
        `INSERT INTO payins (company_id, id, status, payment_type, amount, received_amount, posting_cause, created_at, updated_at, received_at, ask_at)
         VALUES ($1, gen_random_uuid(), $2, $3, 100, $4, $5, $6, $6, $6, $6)`,
        [
          company,
          cause ? "received" : "pending",
          cause?.startsWith("boleto") ? "boleto" : "pix_key",
          cause ? 100 : 0,
          cause,
          at,
        ],
      );
    await payin(second, "pix:E1", "2026-03-02T12:00:00Z");
    await payin(first, "pix:E1", "2026-03-01T12:00:00Z");
    await payin(second, "pix:E2", "2026-03-01T12:00:00Z");
    await payin(second, "boleto:E3", "2026-03-01T12:00:00Z");
    await payin(second, null, "2026-03-01T12:00:00Z");
    const keep = (payload: string) =>
      old.query(
        `INSERT INTO rail_events_aside AS a (company_id, connection, event_id, why, detail, payload, put_aside_at)
         VALUES ($1, 'sandbox', 'x', 'changed', '', $2, now())
         ON CONFLICT ON CONSTRAINT rail_events_aside_once DO UPDATE SET tries = a.tries + 1`,
        [first, payload],
      );
    await keep("Ação\\0");
    await old.upTo("0134");
    const received = "SELECT end_to_end_id, company_id FROM received_pix ORDER BY 1";
    const known = [
      { end_to_end_id: "E1", company_id: first },
      { end_to_end_id: "E2", company_id: second },
    ];
    expect(await old.query(received)).toEqual(known);
    await old.query(
      "UPDATE payins SET updated_at = now(), posting_cause = posting_cause WHERE posting_cause = 'pix:E2'",
    );
    await expect(payin(first, "pix:E2", "2026-03-03T12:00:00Z")).rejects.toThrow(
      "another company received the Pix E2",
    );
    expect(await old.query(received)).toEqual(known);
    await keep("Ação\\0");
    await keep("other");
    expect(await old.query("SELECT payload, tries FROM rail_events_aside ORDER BY tries")).toEqual([
      { payload: "other", tries: 1 },
      { payload: "Ação\\0", tries: 2 },
    ]);
  } finally {
    await old.close();
  }
});

it("0139 recognises each Pix by its cause, and records which company received each TED and boleto first", async () => {
  const old = await databaseBefore("0139");
  try {
    const [first, second] = [await old.company(), await old.company()];
    const payin = (company: string, cause: string, at: string) =>
      old.query(
        `INSERT INTO payins (company_id, id, status, payment_type, amount, received_amount, posting_cause, created_at, updated_at, received_at, ask_at)
         VALUES ($1, gen_random_uuid(), 'received', $2, 100, 100, $3, $4, $4, $4, $4)`,
        [company, cause.startsWith("boleto") ? "boleto" : "pix_key", cause, at],
      );
    await payin(first, "pix:E1", "2026-03-01T12:00:00Z");
    await payin(second, "ted:T1", "2026-03-02T12:00:00Z");
    await payin(first, "ted:T1", "2026-03-01T12:00:00Z");
    await payin(second, "boleto:B1", "2026-03-01T12:00:00Z");
    await old.upTo("0139");
    expect(await old.query("SELECT cause, company_id FROM received_payments ORDER BY cause")).toEqual([
      { cause: "boleto:B1", company_id: second },
      { cause: "pix:E1", company_id: first },
      { cause: "ted:T1", company_id: first },
    ]);
    for (const cause of ["pix:E1", "boleto:B1"])
      await expect(payin(cause === "pix:E1" ? second : first, cause, "2026-03-03T12:00:00Z")).rejects.toThrow(
        `another company received ${cause}`,
      );
  } finally {
    await old.close();
  }
});
