/**
 * Limits hold for every outflow, for concurrent ones, by the hours of São Paulo, and are released by payments that
 * never leave.
 */
import { randomUUID } from "node:crypto";
import { cancelScheduledBatch, closeBatch, sendBatchToApproval } from "@malote/contracts/batch-life";
import { readBatchChecks } from "@malote/contracts/checks";
import { readLimits } from "@malote/contracts/limits";
import { withdrawBalance } from "@malote/contracts/statement";
import { changeTransfer, refundTransfer } from "@malote/contracts/transfers";
import { createValidation } from "@malote/contracts/validation";
import type { PaymentMethod } from "@malote/domain/limits";
import { ownInstitution } from "@malote/domain/own-institution";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings, saveBankAccount } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import { boletoDraft, boletoOf } from "../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  openPayments,
  ownAccount,
  type PaymentsKit,
  pix,
  ted,
} from "../testing/payments-kit.ts";

/** The start is a Wednesday at ten in the morning in São Paulo. */
const start = "2026-08-12T13:00:00Z";
const sumsRule = "the sums of limits equal the payments that left or are under way";
let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments({ start });
});
afterEach(() => kit.close());

type Sums = Partial<Record<"DAILY" | "NIGHTLY" | "WEEKEND", Partial<Record<PaymentMethod, number>>>>;
const limit = (periodLimits: Sums) =>
  kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { periodLimits: periodLimits as never }));
const failing = {
  name: "Maria Souza",
  pix_key_type: "EMAIL",
  pix_key: "chave.pix15@exemplo.com.br",
} as const;
const plain = (text: string) => text.replaceAll("\u00a0", " ");

async function close(value: number, changes: object = {}) {
  const { id } = await draft(kit.admin, [pix(value, changes)]);
  const { status, body } = await closing(kit.admin, id);
  return { id, status, body };
}

const used = async (period: string, type = "PIX", by: Person = kit.admin) =>
  (await by.call(readLimits)).body.data.find((one) => one.period === period && one.payment_method === type);

describe("a batch", () => {
  it("COM-036 is refused if it would exceed the day's sum, with text and data, and may use the rest", async () => {
    await limit({ DAILY: { PIX: 100_00 } });
    await kit.deposit(1_000_00);
    expect((await close(70_00)).status).toBe(200);
    const refused = await close(30_01);
    expect(refused.status).toBe(422);
    expect(refused.body.errorCode).toBe("payment_over_limit");
    expect(plain(refused.body.message)).toBe(
      "Passa do limite diurno de Pix: em 12/08/2026 ele é de R$ 100,00 e restam R$ 30,00, e aqui são R$ 30,01. Ele se renova em 13/08/2026 às 06h. Escolha outra data, pague uma parte ou peça um limite maior em Minha empresa, Meus limites.",
    );
    expect(refused.body.data).toMatchObject({
      period: "DAILY",
      payment_method: "PIX",
      day: "2026-08-12",
      limit_cents: 100_00,
      left_cents: 30_00,
      value_cents: 30_01,
    });
    expect((await batch(kit.admin, refused.id)).status).toBe("DRAFT");
    expect(await fetchBalance(kit.admin)).toBe(930_00);
    expect((await close(30_00)).status).toBe(200);
    expect(await used("DAILY")).toMatchObject({ limit: 100_00, used: 100_00, left: 0 });
  });

  it("COM-036 is shown beforehand among the checks, to the approver and in the e-mail, and uses up nothing", async () => {
    await limit({ DAILY: { PIX: 100_00 } });
    await kit.deposit(1_000_00);
    expect((await close(70_00)).status).toBe(200);
    const { id } = await draft(kit.operator, [pix(20_00), pix(10_01)]);
    const noted = async (by: Person) => {
      const { body } = await by.call(readBatchChecks, { params: { id } });
      return body.data.find(({ kind }) => kind === "limit_short");
    };
    const note = await noted(kit.operator);
    expect(note).toMatchObject({ severity: "note", value: 30_01, findings: [] });
    expect(plain(note.title)).toBe(
      "Acima do limite. O lote passa do limite diurno de Pix: em 12/08/2026 ele é de R$ 100,00 e restam R$ 30,00, e aqui são R$ 30,01. Ele se renova em 13/08/2026 às 06h",
    );
    const sent = await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} });
    expect(sent.status).toBe(200);
    expect(await noted(kit.admin)).toMatchObject({ value: 30_01 });
    await kit.drainJobs();
    expect(kit.mails.find(({ to }) => to === "helena@aurora.example")?.text).toContain("Acima do limite");
    expect(await used("DAILY")).toMatchObject({ used: 70_00, left: 30_00 });
    // A batch within its limits shows no check.
    await limit({ DAILY: { PIX: 100_01 } });
    expect(await noted(kit.admin)).toBeUndefined();
  });

  it("COM-036 COM-037 COM-038 counts by the hour in which it is sent: day, night and weekend have separate sums", async () => {
    await limit({ DAILY: { PIX: 10_00 }, NIGHTLY: { PIX: 20_00 }, WEEKEND: { PIX: 30_00 } });
    await kit.deposit(1_000_00);
    expect((await close(10_00)).status).toBe(200);
    await kit.passUntil("2026-08-12T22:59:59Z");
    expect((await close(1)).body.data).toMatchObject({ period: "DAILY" });
    await kit.passUntil("2026-08-12T23:00:00Z");
    expect((await close(20_00)).status).toBe(200);
    await kit.passUntil("2026-08-13T08:59:59Z");
    expect((await close(1)).body.data).toMatchObject({ period: "NIGHTLY", day: "2026-08-12" });
    await kit.passUntil("2026-08-13T09:00:00Z");
    expect((await close(10_00)).status).toBe(200);
    await kit.passUntil("2026-08-15T12:00:00Z");
    expect((await close(20_00)).status).toBe(200);
    await kit.passUntil("2026-08-16T12:00:00Z");
    expect((await close(10_01)).body.data).toMatchObject({ period: "WEEKEND", left_cents: 10_00 });
    await kit.passUntil("2026-08-22T12:00:00Z");
    expect((await close(30_00)).status).toBe(200);
    // A holiday on a Monday counts as a weekday.
    await kit.passUntil("2026-09-07T12:00:00Z");
    expect((await close(10_01)).body.data).toMatchObject({ period: "DAILY", day: "2026-09-07" });
    expect((await close(10_00)).status).toBe(200);
  });

  it("COM-035 COM-038 counts each kind of payment separately, and scheduled payments on their day or weekend", async () => {
    await limit({ DAILY: { PIX: 50_00, TED: 40_00 }, WEEKEND: { PIX: 600_00 } });
    await kit.deposit(1_000_00);
    const { id } = await draft(kit.admin, [
      pix(50_00),
      ted(40_00),
      pix(50_00, { payment_date: "2026-08-13" }),
      pix(500_00, { payment_date: "2026-08-15" }),
    ]);
    expect((await closing(kit.admin, id)).status).toBe(200);
    await kit.drainJobs();
    expect((await close(1, { payment_date: "2026-08-13" })).body.data).toMatchObject({ day: "2026-08-13" });
    expect((await close(50_00, { payment_date: "2026-08-14" })).status).toBe(200);
    // What is scheduled for the Sunday counts with what is scheduled for the Saturday before.
    const weekend = { period: "WEEKEND", day: "2026-08-15" };
    expect((await close(100_01, { payment_date: "2026-08-16" })).body.data).toMatchObject({
      ...weekend,
      left_cents: 100_00,
    });
    expect((await close(100_00, { payment_date: "2026-08-16" })).status).toBe(200);
    expect(await used("WEEKEND")).toMatchObject({ ...weekend, used: 600_00, left: 0 });
    const other = await draft(kit.admin, [ted(1)]);
    expect((await closing(kit.admin, other.id)).body.data).toMatchObject({ payment_method: "TED" });
    await kit.passUntil("2026-08-13T13:00:00Z");
    expect(await used("DAILY")).toMatchObject({ day: "2026-08-13", used: 50_00 });
    // A payment requested before midnight leaves at midnight, in the same night.
    await limit({ NIGHTLY: { PIX: 5_00 } });
    await kit.passUntil("2026-08-14T02:59:00Z");
    expect((await close(5_01, { payment_date: "2026-08-14" })).body.data).toMatchObject({
      period: "NIGHTLY",
    });
  });

  it("COM-036 counts TEVs in separate sums, by day, by night and at weekends", async () => {
    await limit({ DAILY: { TEV: 10_00 }, NIGHTLY: { TEV: 20_00 }, WEEKEND: { TEV: 30_00 } });
    await kit.deposit(1_000_00);
    const atProvider = {
      bank_id: ownInstitution().ispb,
      agency: "0001",
      account: "1018437",
      account_digit: "1",
    };
    const closeTev = async (value: number) => {
      const tev = { destination_bank_account: { ...ted(1).destination_bank_account, ...atProvider } };
      const { id } = await draft(kit.admin, [ted(value, tev)]);
      return closing(kit.admin, id);
    };
    for (const [when, period, sum] of [
      [start, "DAILY", 10_00],
      ["2026-08-12T23:00:00Z", "NIGHTLY", 20_00],
      ["2026-08-15T12:00:00Z", "WEEKEND", 30_00],
    ] as const) {
      await kit.passUntil(when);
      expect((await closeTev(sum - 1_00)).status).toBe(200);
      const refused = (await closeTev(1_01)).body;
      expect(refused.data).toMatchObject({
        period,
        payment_method: "TEV",
        limit_cents: sum,
        left_cents: 1_00,
      });
      expect((await closeTev(1_00)).status).toBe(200);
      expect(await used(period, "TEV")).toMatchObject({ used: sum, left: 0 });
      expect(await used(period, "TED")).toMatchObject({ used: 0 });
    }
  });

  it("COM-036 COM-039 counts boletos in the sum of their day, also those sent after eight in the evening", async () => {
    await limit({ DAILY: { BILLET: 100_00 } });
    await kit.deposit(1_000_00);
    const pay = async (value: number) => {
      const { id } = await boletoDraft(kit.admin, [boletoOf(value)]);
      return closing(kit.admin, id);
    };
    expect((await pay(60_00)).status).toBe(200);
    const two = await boletoDraft(kit.admin, [boletoOf(20_00), boletoOf(20_01)]);
    expect((await closing(kit.admin, two.id)).body.data).toMatchObject({
      period: "DAILY",
      payment_method: "BILLET",
      day: "2026-08-12",
      left_cents: 40_00,
      value_cents: 40_01,
    });
    for (const [when, left] of [
      ["2026-08-12T23:30:00Z", 40_00],
      ["2026-08-13T00:59:00Z", 20_00],
    ] as const) {
      await kit.passUntil(when);
      const refused = (await pay(left + 1)).body;
      expect(refused.data).toMatchObject({ period: "DAILY", day: "2026-08-12", left_cents: left });
      expect((await pay(20_00)).status).toBe(200);
      expect(await used("DAILY", "BILLET")).toMatchObject({ day: "2026-08-12", left: left - 20_00 });
    }
    expect(await used("NIGHTLY", "BILLET")).toMatchObject({ used: 0 });
    // After ten in the evening the next day's run begins, with a sum of its own.
    await kit.passUntil("2026-08-13T01:00:01Z");
    expect((await pay(100_00)).status).toBe(200);
    expect((await pay(1)).body.data).toMatchObject({ period: "DAILY", day: "2026-08-13", left_cents: 0 });
  });

  it("COM-036 accepts exactly one of two concurrent closings in two processes that do not both fit", async () => {
    await limit({ DAILY: { PIX: 100_00 } });
    await kit.deposit(10_000_00);
    const other = await kit.another();
    for (let round = 0; round < 5; round++) {
      const { id: one } = await draft(kit.admin, [pix(60_00)]);
      const { id: two } = await draft(kit.admin, [pix(60_00)]);
      const answers = await Promise.all([
        closing(kit.admin, one),
        other.call(
          closeBatch,
          { params: { id: two }, body: {} },
          { token: kit.admin.token, headers: { "idempotency-key": randomUUID() } },
        ),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
      await Promise.all([kit.drainJobs(), other.drainJobs()]);
      await kit.pass({ days: 7 });
    }
    await other.close();
  });

  it("COM-036 frees its part of the limit if it is cancelled, or failed and returned", async () => {
    await limit({ DAILY: { PIX: 100_00 } });
    await kit.deposit(1_000_00);
    const scheduled = await close(100_00, { payment_date: "2026-08-14" });
    await kit.drainJobs();
    expect((await close(1, { payment_date: "2026-08-14" })).status).toBe(422);
    const cancelled = await kit.admin.call(
      cancelScheduledBatch,
      { params: { id: scheduled.id } },
      { "idempotency-key": randomUUID() },
    );
    expect(cancelled.status).toBe(200);
    expect((await close(100_00, { payment_date: "2026-08-14" })).status).toBe(200);

    const failed = await close(100_00, { destination_bank_account: failing });
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    expect((await close(1)).status).toBe(422);
    const { transfers } = await batch(kit.admin, failed.id);
    const refunded = await kit.admin.call(
      refundTransfer,
      { params: { id: failed.id, tid: transfers[0].id } },
      { "idempotency-key": randomUUID() },
    );
    expect(refunded.status).toBe(200);
    expect((await close(100_00)).status).toBe(200);
  });

  it("COM-036 counts a failed payment that is resent on another day in that day's sum, which it must not exceed", async () => {
    await limit({ DAILY: { PIX: 100_00 } });
    await kit.deposit(1_000_00);
    const failed = await close(60_00, { destination_bank_account: failing });
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    await kit.passUntil("2026-08-13T13:00:00Z");
    const first = await close(50_00);
    await kit.drainJobs();
    const { transfers } = await batch(kit.admin, failed.id);
    const correct = () =>
      kit.admin.call(
        changeTransfer,
        { params: { id: failed.id, tid: transfers[0].id }, body: pix(60_00) },
        { "idempotency-key": randomUUID() },
      );
    const refused = await correct();
    expect(refused.body.data).toMatchObject({ day: "2026-08-13", left_cents: 50_00, value_cents: 60_00 });
    expect((await batch(kit.admin, failed.id)).transfers[0].status).toBe("FAILED");
    expect(first.status).toBe(200);
    await kit.passUntil("2026-08-14T13:00:00Z");
    expect((await correct()).status).toBe(200);
    expect(await used("DAILY")).toMatchObject({ day: "2026-08-14", used: 60_00 });
  });
});

describe("a batch that waits", () => {
  it("COM-036 BAT-060 keeps waiting with a reason while it exceeds a limit, lets others overtake, and is released in the next period", async () => {
    const held = await close(80_00);
    const younger = await close(30_00);
    expect([held.body.status, younger.body.status]).toEqual(["WAITING", "WAITING"]);
    await limit({ DAILY: { PIX: 100_00 } });
    // Half of the day's limit left on its own meanwhile.
    await kit.services.db.pool.query("UPDATE limit_sums SET value = value + 5000 WHERE day = '2026-08-12'");
    await kit.deposit(200_00);
    await kit.services.db.pool.query("UPDATE limit_sums SET value = value - 5000 WHERE day = '2026-08-12'");
    expect((await batch(kit.admin, younger.id)).status).toBe("RECEIVED");
    const waiting = await batch(kit.admin, held.id);
    expect(waiting.status).toBe("WAITING");
    // The result is the same before and after the younger batch took its share.
    expect(plain(waiting.waiting_reason)).toMatch(
      /^O saldo chegou, mas o lote passa do limite diurno de Pix: em 12\/08\/2026 ele é de R\$ 100,00 e restam R\$ [25]0,00\. Pagaremos assim que couber; o limite se renova em 13\/08\/2026 às 06h\.$/,
    );
    expect(await fetchBalance(kit.admin)).toBe(170_00);
    await kit.passUntil("2026-08-13T09:00:00Z");
    await kit.deposit(1);
    expect(await batch(kit.admin, held.id)).toMatchObject({ status: "RECEIVED", waiting_reason: null });
  });

  it("COM-036 becomes a draft again with a reason if it exceeds the limit of any day", async () => {
    const { id } = await close(80_00);
    await limit({ DAILY: { PIX: 79_99 } });
    await kit.deposit(100_00);
    const back = await batch(kit.admin, id);
    expect(back.status).toBe("DRAFT");
    expect(plain(back.reprove_reason)).toBe(
      "O saldo chegou, mas este lote não cabe no limite diurno de Pix, que é de R$ 79,99: são R$ 80,00. Divida o lote ou peça um limite maior em Minha empresa, Meus limites.",
    );
    expect(await fetchBalance(kit.admin)).toBe(100_00);
    expect(await used("DAILY")).toMatchObject({ used: 0 });
  });
});

describe("single payments", () => {
  const withdraw = (value: number) =>
    kit.admin.call(withdrawBalance, { body: { value } }, { "idempotency-key": randomUUID() });

  it("COM-035 COM-036 STM-029 binds a withdrawal by the limit of one payment and by the day's sum", async () => {
    await kit.services.db.withCompany(auroraId, (tx) => saveBankAccount(tx, ownAccount));
    await limit({ DAILY: { TED: 300_000_00 } });
    await kit.deposit(1_000_000_00);
    const tooMuch = await withdraw(250_000_01);
    expect(plain(tooMuch.body.message)).toBe(
      "O valor máximo de um pagamento por TED é R$ 250.000,00. Envie em partes ou peça um limite maior em Minha empresa, Meus limites.",
    );
    expect((await withdraw(250_000_00)).status).toBe(200);
    expect((await withdraw(50_000_01)).body.data).toMatchObject({
      payment_method: "TED",
      left_cents: 50_000_00,
    });
    expect((await withdraw(50_000_00)).status).toBe(200);
    expect(await fetchBalance(kit.admin)).toBe(700_000_00);
  });

  it("COM-036 counts a micro deposit as well, and refuses it if its centavo would exceed a limit", async () => {
    await kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { uses_micro_deposit: true }));
    await kit.deposit(1_00);
    await limit({ DAILY: { PIX: 1 } });
    const ofValidation = await kit.as("helena@aurora.example", "validation");
    const validate = () =>
      ofValidation.call(
        createValidation,
        {
          query: { type: "MICRO_DEPOSIT" },
          body: { pix_key: "maria@exemplo.com.br", pix_key_type: "EMAIL" } as never,
        },
        { "idempotency-key": randomUUID() },
      );
    expect((await validate()).status).toBe(200);
    expect((await validate()).body.errorCode).toBe("payment_over_limit");
    await kit.drainJobs();
  });
});

it("reports in the books check a sum that differs from its payments", async () => {
  await kit.deposit(100_00);
  expect((await close(40_00)).status).toBe(200);
  // This holds before the payments are sent and after.
  for (const step of [async () => undefined, () => kit.drainJobs()]) {
    await step();
    expect(await kit.faults()).toEqual([]);
    await kit.services.db.pool.query("UPDATE limit_sums SET value = value - 1");
    expect((await kit.faults()).map(({ rule }) => rule)).toEqual([sumsRule]);
    await kit.services.db.pool.query("UPDATE limit_sums SET value = value + 1");
  }
});
