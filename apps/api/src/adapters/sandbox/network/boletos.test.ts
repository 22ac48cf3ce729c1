import { bankBarcode } from "@malote/domain/boleto-code";
import type { CalendarDate } from "@malote/domain/calendar";
import { cents } from "@malote/domain/money";
import { afterEach, describe, expect, it } from "vitest";
import { boletoOrder, openSandbox, type TestSandbox } from "./testing.ts";

let sandbox: TestSandbox;
afterEach(() => sandbox.close());

/** Builds an instant from the wall clock time in São Paulo. */
const at = (day: string, time: string) => new Date(`${day}T${time}-03:00`).toISOString();
const boleto = (value: number, due: string | null = null) =>
  bankBarcode({
    bankCode: "237",
    dueDate: due as CalendarDate | null,
    value: cents(value),
    freeField: "4091234567890100123450123",
  });
const bill = "83670000000987601230000000000020261201000000";

describe("a boleto", () => {
  it.each([
    ["in its last second", boleto(100_00), at("2026-11-09", "22:00:00"), at("2026-11-09", "22:00:00")],
    ["a second too late", boleto(100_00), at("2026-11-09", "22:00:01"), at("2026-11-10", "07:00:00")],
    ["before seven", boleto(100_00), at("2026-11-09", "05:00:00"), at("2026-11-09", "07:00:00")],
    ["of a utility, in the evening", bill, at("2026-11-09", "17:00:01"), at("2026-11-10", "07:00:00")],
    [
      "that is large, in the evening",
      boleto(250_000_00),
      at("2026-11-09", "17:00:01"),
      at("2026-11-10", "07:00:00"),
    ],
    [
      "on the holiday before a weekend",
      boleto(100_00),
      at("2026-11-20", "10:00:00"),
      at("2026-11-23", "07:00:00"),
    ],
    ["on the year's last day", boleto(100_00), at("2026-12-31", "12:00:00"), at("2027-01-04", "07:00:00")],
  ])(
    "handed over %s settles when its day opens, and is final on the next business day's morning",
    async (_when, code, handedOver, opens) => {
      sandbox = await openSandbox(handedOver);
      const { pix_latency_ms } = await sandbox.network.settings();
      const settles = new Date(Date.parse(opens) + pix_latency_ms).toISOString();
      await sandbox.network.rails.send([boletoOrder(code)]);
      sandbox.clock.set(new Date(Date.parse(settles) - 1).toISOString());
      expect(await sandbox.network.deliverDue()).toBe(0);
      sandbox.clock.set(settles);
      await sandbox.network.deliverDue();
      expect(sandbox.received).toMatchObject([{ kind: "settled", final: false, at: settles }]);
      sandbox.clock.advance({ days: 5 });
      await sandbox.network.deliverDue();
      expect(sandbox.received.at(-1)).toMatchObject({ kind: "finished" });
    },
  );

  it.each([
    ["on its last day", "2026-11-09", undefined],
    ["due on the Sunday before", "2026-11-08", undefined],
    ["due on the Friday before", "2026-11-06", "Boleto vencido."],
  ])("%s is paid, and refused after it", async (_when, due, reason) => {
    sandbox = await openSandbox(at("2026-11-09", "10:00:00"));
    await sandbox.network.rails.send([boletoOrder(boleto(100_00, due))]);
    sandbox.clock.advance({ seconds: 1 });
    await sandbox.network.deliverDue();
    expect(sandbox.received).toMatchObject([reason ? { kind: "failed", reason } : { kind: "settled" }]);
  });
});
