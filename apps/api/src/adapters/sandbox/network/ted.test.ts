import { afterEach, describe, expect, it } from "vitest";
import { openSandbox, type TestSandbox, toAccount } from "./testing.ts";

let sandbox: TestSandbox;
afterEach(() => sandbox.close());

/** Builds an instant from the wall clock time in São Paulo. */
const at = (day: string, time: string) => new Date(`${day}T${time}-03:00`).toISOString();

describe("a TED", () => {
  it.each([
    [
      "in the window",
      at("2026-11-09", "10:00:00"),
      at("2026-11-09", "10:03:00"),
      at("2026-11-10", "08:00:00"),
    ],
    [
      "in its last second",
      at("2026-11-09", "16:30:00"),
      at("2026-11-09", "16:33:00"),
      at("2026-11-10", "08:00:00"),
    ],
    [
      "a second too late",
      at("2026-11-09", "16:30:01"),
      at("2026-11-10", "06:33:00"),
      at("2026-11-11", "08:00:00"),
    ],
    [
      "before the window opens",
      at("2026-11-09", "05:00:00"),
      at("2026-11-09", "06:33:00"),
      at("2026-11-10", "08:00:00"),
    ],
    [
      "on a Saturday",
      at("2026-11-07", "10:00:00"),
      at("2026-11-09", "06:33:00"),
      at("2026-11-10", "08:00:00"),
    ],
    // 20 November is a holiday on a Friday.
    [
      "late before a long weekend",
      at("2026-11-19", "17:00:00"),
      at("2026-11-23", "06:33:00"),
      at("2026-11-24", "08:00:00"),
    ],
    [
      "before a long weekend",
      at("2026-11-19", "12:00:00"),
      at("2026-11-19", "12:03:00"),
      at("2026-11-23", "08:00:00"),
    ],
    [
      "on Carnival Monday",
      at("2027-02-08", "12:00:00"),
      at("2027-02-10", "06:33:00"),
      at("2027-02-11", "08:00:00"),
    ],
    [
      "on the year's last day",
      at("2026-12-31", "12:00:00"),
      at("2027-01-04", "06:33:00"),
      at("2027-01-05", "08:00:00"),
    ],
  ])("handed over %s settles and becomes final on its day", async (_when, handedOver, settles, final) => {
    sandbox = await openSandbox(handedOver);
    const [good, back] = [toAccount("TED"), toAccount("TED", "61420738526")];
    await sandbox.network.rails.send([good, back]);

    sandbox.clock.set(new Date(Date.parse(settles) - 1).toISOString());
    expect(await sandbox.network.deliverDue()).toBe(0);
    sandbox.clock.set(settles);
    expect(await sandbox.network.deliverDue()).toBe(2);
    expect(sandbox.received).toMatchObject([
      { kind: "settled", final: false, at: settles },
      { kind: "settled", final: false, at: settles },
    ]);

    sandbox.clock.set(new Date(Date.parse(final) - 1).toISOString());
    expect(await sandbox.network.deliverDue()).toBe(0);
    sandbox.clock.set(final);
    expect(await sandbox.network.deliverDue()).toBe(2);
    expect(sandbox.received.slice(2)).toMatchObject([
      { kind: "finished", endToEndId: good.endToEndId, at: final },
      { kind: "returned", endToEndId: back.endToEndId, at: final },
    ]);
  });

  it("fails at its hour of settlement when it is refused", async () => {
    sandbox = await openSandbox(at("2026-11-07", "10:00:00"));
    await sandbox.network.rails.send([toAccount("TED", "78493353094")]);
    sandbox.clock.set(at("2026-11-09", "06:33:00"));
    await sandbox.network.deliverDue();
    expect(sandbox.received).toMatchObject([{ kind: "failed", reason: "Conta não encontrada." }]);
  });
});
