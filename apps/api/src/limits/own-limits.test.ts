/** Limits that a company sets for itself: who changes them, which changes apply at once and which wait. */
import { readTransferLimits } from "@malote/contracts/company";
import { cancelLimitRaise, changeLimit, readLimits } from "@malote/contracts/limits";
import { cents } from "@malote/domain/money";
import { defaultInstallationLimits, defaultLimits } from "@malote/domain/payment-limits";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { type ControlsKit, openControls } from "../testing/controls-kit.ts";
import { batch, closing, draft, pix } from "../testing/payments-kit.ts";
import { applyDueRaises } from "./index.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls({ balance: 0 });
});
afterEach(() => kit.close());

const plain = (text: string) => text.replaceAll("\u00a0", " ");

async function close(value: number) {
  const { id } = await draft(kit.admin, [pix(value)]);
  const { status, body } = await closing(kit.admin, id);
  return { id, status, body };
}

const used = async (period: string, by: Person = kit.admin) =>
  (await by.call(readLimits)).body.data.find((one) => one.period === period && one.payment_method === "PIX");

describe("a company's own limits", () => {
  const change = (period: string, type: string, value: number, by: Person = kit.admin) =>
    by.call(changeLimit, { body: { period, payment_method: type, value } as never });

  it("are changed only by admins, within the installation's maximum, and to another value", async () => {
    for (const by of [kit.operator, kit.analyst])
      expect((await change("DAILY", "PIX", 1, by)).status).toBe(403);
    const over = await change("TRANSACTION", "PIX", 10_000_000_01);
    expect(plain(over.body.message)).toBe(
      "O limite pode ir até R$ 10.000.000,00. Digite um valor menor ou fale com o suporte.",
    );
    expect((await change("TRANSACTION", "PIX", 250_000_00)).body.errorCode).toBe("limit_unchanged");
    for (const value of [-1, 1.5, "1"])
      expect((await change("DAILY", "PIX", value as number)).status).toBe(400);
    // COM-039: neither kind has a sum for the night or the weekend.
    for (const type of ["TED", "BILLET"])
      for (const period of ["NIGHTLY", "WEEKEND"]) expect((await change(period, type, 1)).status).toBe(400);
    expect((await kit.admin.call(readLimits)).body.raises).toEqual([]);
  });

  it("COM-035 are lowered immediately, with the old and the new value in the trail", async () => {
    await kit.deposit(100_00);
    expect((await change("DAILY", "PIX", 50_00)).status).toBe(200);
    expect((await close(50_01)).status).toBe(422);
    expect((await kit.admin.call(readTransferLimits)).body.DAILY).toEqual({
      ...defaultLimits.DAILY,
      PIX: 50_00,
    });
    // Each sum counts separately.
    expect((await change("NIGHTLY", "PIX", 0)).status).toBe(200);
    expect((await kit.admin.call(readTransferLimits)).body.DAILY.PIX).toBe(50_00);
    const { rows } = await kit.services.db.pool.query(
      "SELECT detail FROM audit_entries WHERE action = 'limit_lowered' ORDER BY at, id",
    );
    expect(rows[0].detail).toEqual({
      period: "DAILY",
      payment_method: "PIX",
      changes: { limit: { from: 1_000_000_000_00, to: 50_00 } },
    });
  });

  /** No admin restores it for a day; after that, a raise waits like any other. */
  async function loweredForLong(value: number) {
    await change("DAILY", "PIX", value);
    await kit.passUntil("2026-08-13T13:00:00Z");
  }

  it("COM-035 are raised after a day, announced to every admin, and shown until then", async () => {
    await loweredForLong(50_00);
    const requested = (await change("DAILY", "PIX", 80_00)).body;
    expect(requested.raises).toMatchObject([
      { period: "DAILY", payment_method: "PIX", value: 80_00, takes_effect_at: "2026-08-14T13:00:00.000Z" },
    ]);
    await kit.drainJobs();
    const mails = kit.mails.filter(({ subject }) => subject === "Um limite de pagamento vai aumentar");
    expect(mails.map(({ to }) => to)).toContain("helena@aurora.example");
    expect(plain(mails[0]?.text ?? "")).toContain("R$ 80,00");

    kit.clock.set("2026-08-14T12:59:59Z");
    await applyDueRaises(kit.services);
    expect(await used("DAILY")).toMatchObject({ limit: 50_00 });
    kit.clock.set("2026-08-14T13:00:00Z");
    await applyDueRaises(kit.services);
    expect(await used("DAILY")).toMatchObject({ limit: 80_00 });
    expect((await kit.admin.call(readLimits)).body.raises).toEqual([]);
    // The admin is notified once.
    await change("DAILY", "PIX", 10_00);
    await applyDueRaises(kit.services);
    expect(await used("DAILY")).toMatchObject({ limit: 10_00 });
  });

  it("are not raised after an admin cancelled or replaced a raise, nor for another company", async () => {
    await loweredForLong(50_00);
    const [first] = (await change("DAILY", "PIX", 80_00)).body.raises;
    const [second, ...more] = (await change("DAILY", "PIX", 90_00)).body.raises;
    expect(more).toEqual([]);
    expect(second.id).not.toBe(first.id);
    const cancel = (by: Person, id: string) => by.call(cancelLimitRaise, { params: { id } });
    expect((await cancel(kit.stranger, second.id)).status).toBe(404);
    expect((await cancel(kit.operator, second.id)).status).toBe(403);
    expect((await cancel(kit.admin, first.id)).body.errorCode).toBe("limit_raise_over");
    expect((await cancel(kit.admin, second.id)).body.raises).toEqual([]);
    // A lowering cancels an earlier request to raise the limit.
    await change("DAILY", "PIX", 90_00);
    expect((await change("DAILY", "PIX", 40_00)).body.raises).toEqual([]);
    kit.clock.advance({ days: 3 });
    await applyDueRaises(kit.services);
    expect(await used("DAILY")).toMatchObject({ limit: 40_00 });
  });

  it("are changed with the password given again, not by a new admin, and each lowering is e-mailed to every admin", async () => {
    const { pool } = kit.services.db;
    const unchanged = async () => expect((await used("DAILY")).limit).toBe(1_000_000_000_00);
    await kit.ageConfirmations();
    expect(await change("DAILY", "PIX", 0)).toMatchObject({
      status: 403,
      body: { code: "identity_unconfirmed" },
    });
    await pool.query("UPDATE sessions SET confirmed_at = confirmed_at + interval '6 minutes'");
    const updateAccess = "UPDATE users SET let_in_at = $1 WHERE email = 'helena@aurora.example'";
    await pool.query(updateAccess, [new Date("2026-08-11T13:00:01Z")]);
    expect(await change("DAILY", "PIX", 0)).toMatchObject({ status: 403, body: { code: "admin_too_new" } });
    await unchanged();
    await kit.drainJobs();
    expect(kit.mails).toEqual([]);
    await pool.query(updateAccess, [new Date("2026-08-11T13:00:00Z")]);
    expect((await change("DAILY", "PIX", 0)).status).toBe(200);
    await kit.drainJobs();
    const [mail] = kit.mails.splice(0);
    expect(mail).toMatchObject({
      to: "helena@aurora.example",
      subject: "Um limite de pagamento foi reduzido",
    });
    expect(plain(mail?.text ?? "")).toMatch(/Pix, diurno[\s\S]*R\$ 1\.000\.000\.000,00[\s\S]*R\$ 0,00/);
  });

  it("can be restored immediately for a day after a lowering, never above the old value, and waiting batches are released", async () => {
    await change("DAILY", "PIX", 100_00);
    await kit.passUntil("2026-08-13T12:00:00Z");
    // The first lowering is almost a day old; the second one is a mistake.
    await change("DAILY", "PIX", 0);
    expect(await used("DAILY")).toMatchObject({ limit: 0, restores_to: 1_000_000_000_00 });
    await kit.passUntil("2026-08-13T13:00:00Z");
    expect(await used("DAILY")).toMatchObject({ limit: 0, restores_to: 100_00 });
    // One centavo more is a raise: it waits and changes nothing yet.
    expect((await change("DAILY", "PIX", 100_01)).body.raises).toHaveLength(1);
    expect(await used("DAILY")).toMatchObject({ limit: 0 });
    await change("DAILY", "PIX", 100_00);
    expect(await used("DAILY")).toMatchObject({ limit: 100_00, restores_to: null });
    const held = await close(50_00);
    expect(held.body.status).toBe("WAITING");
    await kit.deposit(50_00);
    const waiting = await close(40_00);
    await change("DAILY", "PIX", 60_00);
    await kit.deposit(40_00);
    expect((await batch(kit.admin, waiting.id)).status).toBe("WAITING");
    kit.mails.splice(0);
    expect((await change("DAILY", "PIX", 100_00)).body.raises).toEqual([]);
    await kit.drainJobs();
    expect((await batch(kit.admin, waiting.id)).status).toBe("RECEIVED");
    expect(kit.mails.map(({ subject }) => subject)).toContain(
      "A redução de um limite de pagamento foi desfeita",
    );
    const { rows } = await kit.services.db.pool.query(
      "SELECT detail->'changes'->'limit' AS limit FROM audit_entries WHERE action = 'limit_raised' ORDER BY at, id",
    );
    expect(rows).toEqual([0, 60_00].map((from) => ({ limit: { from, to: 100_00 } })));
    // The same holds a day after the second lowering.
    await change("DAILY", "PIX", 50_00);
    await kit.passUntil("2026-08-14T13:00:00Z");
    expect(await used("DAILY")).toMatchObject({ limit: 50_00, restores_to: null });
    expect((await change("DAILY", "PIX", 60_00)).body.raises).toHaveLength(1);
  });

  it("are raised after a wait when another admin undoes a lowering, and the admin who lowered can cancel that raise", async () => {
    const second = await kit.colleague();
    expect((await change("DAILY", "PIX", 50_00)).status).toBe(200);
    await kit.drainJobs();
    expect(kit.mails.splice(0).map(({ text }) => plain(text))).toEqual(
      Array(2).fill(
        expect.stringContaining(
          "Por 24 horas, quem reduziu pode desfazer na hora; o aumento pedido por outra pessoa espera 24 horas.",
        ),
      ),
    );
    expect(await used("DAILY", second)).toMatchObject({ limit: 50_00, restores_to: null });
    for (const value of [50_01, 1_000_000_000_00]) {
      const requested = (await change("DAILY", "PIX", value, second)).body;
      expect(requested.raises).toMatchObject([{ value, takes_effect_at: "2026-08-13T13:00:00.000Z" }]);
      expect(await used("DAILY")).toMatchObject({ limit: 50_00, restores_to: 1_000_000_000_00 });
    }
    const [raise] = (await kit.admin.call(readLimits)).body.raises;
    expect((await kit.admin.call(cancelLimitRaise, { params: { id: raise.id } })).body.raises).toEqual([]);
    await kit.passUntil("2026-08-13T12:59:59Z");
    expect((await change("DAILY", "PIX", 1_000_000_000_00)).body.raises).toEqual([]);
    expect(await used("DAILY")).toMatchObject({ limit: 1_000_000_000_00, restores_to: null });
  });

  it("keep another admin's later lowering when a person undoes their own", async () => {
    const second = await kit.colleague();
    const waits = async (value: number, by: Person) => {
      const before = (await used("DAILY")).limit;
      expect((await change("DAILY", "PIX", value, by)).body.raises).toMatchObject([{ value }]);
      expect((await used("DAILY")).limit).toBe(before);
    };
    await change("DAILY", "PIX", 100_00, second);
    await change("DAILY", "PIX", 10_00);
    expect((await used("DAILY", second)).restores_to).toBeNull();
    await waits(100_00, second);
    // The limit returns to the value before their first lowering, and no further.
    await change("DAILY", "PIX", 9_00, second);
    expect((await used("DAILY", second)).restores_to).toBe(10_00);
    await waits(10_01, second);
    expect((await change("DAILY", "PIX", 10_00, second)).body.raises).toEqual([]);
    await waits(100_00, second);
    await waits(100_00, kit.admin);
    // Consecutive lowerings by one person count as one: the first of them holds the highest value.
    await change("NIGHTLY", "PIX", 60_00);
    await change("NIGHTLY", "PIX", 50_00);
    expect((await used("NIGHTLY")).restores_to).toBe(200_000_000_00);
    // A lowering without a recorded person counts as another person's.
    await kit.query("UPDATE limit_lowerings SET lowered_by = NULL");
    expect((await used("NIGHTLY")).restores_to).toBeNull();
  });

  it("are not raised after any admin cancels the raise, and every admin is notified who did", async () => {
    const second = await kit.colleague();
    await loweredForLong(50_00);
    const [raise] = (await change("DAILY", "PIX", 80_00, second)).body.raises;
    await kit.newMails();
    await kit.ageConfirmations();
    await kit.query(
      "UPDATE users SET known_since = $1, let_in_at = $1 WHERE email = 'helena@aurora.example'",
      [kit.clock.now()],
    );
    const cancelled = await kit.admin.call(cancelLimitRaise, { params: { id: raise.id } });
    expect([cancelled.status, cancelled.body.raises]).toEqual([200, []]);
    const mails = await kit.newMails();
    expect(mails.map(({ to, subject }) => `${to} ${subject}`)).toEqual([
      "helena@aurora.example O aumento de um limite foi cancelado",
      "segunda@aurora.example O aumento de um limite foi cancelado",
    ]);
    const text = plain(mails[0]?.text ?? "");
    expect(text).toContain(
      "Helena Prado cancelou um aumento que ainda esperava. O limite continua como está.",
    );
    expect(text).toMatch(/Pix, diurno[\s\S]*R\$ 80,00/);
    kit.clock.advance({ days: 2 });
    await applyDueRaises(kit.services);
    expect(await used("DAILY")).toMatchObject({ limit: 50_00 });
  });

  describe("a pending raise that is replaced", () => {
    let second: Person;
    const lastInTrail = () =>
      kit.query(
        "SELECT action, detail -> 'changes' AS changes FROM audit_entries ORDER BY at DESC, id DESC LIMIT 1",
      );
    /** Text that both admins' e-mails contain, as one line. */
    async function writtenToBoth(subject: string): Promise<string> {
      const mails = (await kit.newMails()).filter((mail) => mail.subject === subject);
      expect(mails.map(({ to }) => to)).toEqual(["helena@aurora.example", "segunda@aurora.example"]);
      return plain(mails[0]?.text ?? "");
    }
    const ended = /deixa de valer[\s\S]*R\$ 80,00, pedido por Segunda Admin/;

    beforeEach(async () => {
      second = await kit.colleague();
      await loweredForLong(50_00);
      await change("DAILY", "PIX", 80_00, second);
      await kit.newMails();
    });

    it("is reported to every admin with its requester, and recorded, when another raise replaces it", async () => {
      await change("DAILY", "PIX", 90_00);
      expect(await writtenToBoth("Um limite de pagamento vai aumentar")).toMatch(ended);
      expect(await lastInTrail()).toEqual([
        { action: "limit_raise_requested", changes: { raise: { from: 80_00, to: 90_00 } } },
      ]);
    });

    it("is reported to every admin when a lower limit replaces it", async () => {
      await change("DAILY", "PIX", 40_00);
      expect(await writtenToBoth("Um limite de pagamento foi reduzido")).toMatch(ended);
    });

    it("is reported to every admin when an undone lowering replaces it", async () => {
      await change("DAILY", "PIX", 40_00);
      await change("DAILY", "PIX", 80_00, second);
      await kit.newMails();
      await change("DAILY", "PIX", 50_00);
      expect(await writtenToBoth("A redução de um limite de pagamento foi desfeita")).toMatch(ended);
    });

    it("waits no less than the raise it replaces when it is requested again", async () => {
      kit.clock.advance({ hours: 23 });
      const [anew] = (await change("DAILY", "PIX", 80_00)).body.raises;
      expect(anew.takes_effect_at).toBe("2026-08-15T12:00:00.000Z");
      // The installation had a longer wait for raises when this one was requested.
      await kit.query("UPDATE limit_raises SET takes_effect_at = '2026-08-16T12:00:00Z' WHERE id = $1", [
        anew.id,
      ]);
      const [last] = (await change("DAILY", "PIX", 90_00, second)).body.raises;
      expect(last.takes_effect_at).toBe("2026-08-16T12:00:00.000Z");
    });

    it("is not mentioned if none was pending", async () => {
      await change("NIGHTLY", "PIX", 40_00);
      expect(await writtenToBoth("Um limite de pagamento foi reduzido")).not.toContain("deixa de valer");
    });
  });

  it("COM-035 SES-074 follow the installation's settings if the company has none, up to its maximum", async () => {
    await kit.close();
    const all = (value: number) => ({
      PIX: cents(value),
      TEV: cents(value),
      TED: cents(value),
      BILLET: cents(value),
    });
    kit = await openControls({
      balance: 0,
      config: {
        installationLimits: {
          ...defaultInstallationLimits,
          limits: { ...defaultLimits, TRANSACTION: all(77_00), NIGHTLY: all(9_00) },
          maxima: { ...defaultInstallationLimits.maxima, DAILY: all(1_000_00) },
          raiseHours: 48,
        },
      },
    });
    await kit.services.db.pool.query("UPDATE companies SET settings = settings - 'accountLimits'");
    const { body } = await kit.admin.call(readTransferLimits);
    expect(body).toEqual({
      ...defaultLimits,
      TRANSACTION: all(77_00),
      DAILY: all(1_000_00),
      NIGHTLY: all(9_00),
    });
    expect((await change("NIGHTLY", "PIX", 10_00)).body.raises[0].takes_effect_at).toBe(
      "2026-08-14T13:00:00.000Z",
    );
    // The company's own systems read the same values.
    const seen = await kit.analyst.call(readLimits);
    expect(seen.body).toMatchObject({ raise_hours: 48 });
    expect(seen.body.data).toContainEqual({
      period: "NIGHTLY",
      payment_method: "PIX",
      limit: 9_00,
      maximum: 200_000_000_00,
      restores_to: null,
      used: 0,
      left: 9_00,
      day: "2026-08-12",
      renews_at: "2026-08-13T23:00:00.000Z",
    });
  });
});
