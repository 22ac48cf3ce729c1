import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { magicValues } from "./magic-values.ts";
import {
  boletoOrder,
  endToEndIdOf,
  knownOrderOf,
  openSandbox,
  order,
  pixByKey,
  type TestSandbox,
  toAccount,
} from "./testing.ts";

let sandbox: TestSandbox;
beforeEach(async () => {
  sandbox = await openSandbox();
});
afterEach(() => sandbox.close());

const kindsOf = (endToEndId: string) =>
  sandbox.received.filter((event) => endToEndIdOf(event) === endToEndId).map((event) => event.kind);

describe("taking orders", () => {
  it("answers a repeated id with the first result, also in concurrent calls", async () => {
    const first = order({ value: 100 });
    await Promise.all(Array.from({ length: 8 }, () => sandbox.network.rails.send([first])));
    await sandbox.network.rails.send([{ ...first, value: 999 }]);

    sandbox.clock.advance({ seconds: 1 });
    expect(await sandbox.network.deliverDue()).toBe(1);
    expect(kindsOf(first.endToEndId)).toEqual(["settled"]);
    expect(await sandbox.storedValue(first.endToEndId)).toBe(100);
  });

  it("takes overlapping lists of concurrent callers without losing or doubling an order", async () => {
    const orders = Array.from({ length: 200 }, () => order());
    const lists = [orders, [...orders].reverse(), orders.slice(50), [...orders.slice(20), ...orders]];
    await Promise.all(lists.map((list) => sandbox.network.rails.send(list)));

    sandbox.clock.advance({ seconds: 1 });
    expect(await sandbox.network.deliverDue()).toBe(200);
    expect(new Set(sandbox.received.map((event) => event.id)).size).toBe(200);
  });

  it("reports the orders that it has", async () => {
    const [known, unknown] = [order(), order()];
    await sandbox.network.rails.send([known]);
    expect(await sandbox.network.rails.find([knownOrderOf(known), knownOrderOf(unknown)])).toEqual(
      new Map([[known.endToEndId, "under_way"]]),
    );
    await sandbox.network.rails.send([]);
  });

  it("reports the latest outcome of an order, whether its event was delivered or not", async () => {
    const ted = toAccount("TED");
    const refused = pixByKey("EMAIL", "chave.pix15@exemplo.com.br");
    const { rails } = sandbox.network;
    await rails.send([ted, refused]);
    const ask = async () => (await rails.find([knownOrderOf(ted), knownOrderOf(refused)])).values();
    expect([...(await ask())]).toEqual(["under_way", "under_way"]);
    sandbox.clock.advance({ seconds: 180 });
    const reports = await rails.find([knownOrderOf(ted), knownOrderOf(refused)]);
    expect(reports.get(ted.endToEndId)).toMatchObject({ kind: "settled", final: false });
    expect(reports.get(refused.endToEndId)).toMatchObject({
      kind: "failed",
      reason: "Chave PIX não encontrada.",
    });
    sandbox.clock.advance({ days: 1 });
    expect((await rails.find([knownOrderOf(ted)])).get(ted.endToEndId)).toMatchObject({ kind: "finished" });
    expect(sandbox.received).toEqual([]);
  });
});

describe("outcomes", () => {
  const keyTypes: Record<string, string> = {
    "Chave aleatória": "CHAVE_ALEATORIA",
    "Chave e-mail": "EMAIL",
    "Chave telefone": "TELEFONE",
    "Chave CPF": "CPF",
    "Chave CNPJ": "CNPJ",
  };

  it("gives every magic value its documented outcome without a query", async () => {
    const orders = magicValues().map(({ kind, value }) => {
      const keyType = keyTypes[kind];
      if (kind.startsWith("Boleto")) return boletoOrder(value);
      return keyType ? pixByKey(keyType, value) : toAccount("TED", value.replaceAll(/[./-]/g, ""));
    });
    await sandbox.network.rails.send(orders);
    sandbox.clock.advance({ days: 2 });
    await sandbox.network.deliverDue();

    const outcomes = magicValues().map((magic, index) => {
      const events = sandbox.received.filter((event) => endToEndIdOf(event) === orders[index]!.endToEndId);
      return [magic.value, ...events.map((event) => (event.kind === "failed" ? event.reason : event.kind))];
    });
    expect(outcomes).toEqual(
      magicValues().map(({ value, outcome }) =>
        /^É pag[ao] e volta/.test(outcome) ? [value, "settled", "returned"] : [value, outcome],
      ),
    );
    expect(outcomes).toHaveLength(39);
  });

  it("pays all other receivers, with Pix and internal transfers immediately and finally", async () => {
    const orders = [
      order(),
      pixByKey("TELEFONE", "(11) 91234-1217"),
      pixByKey("CHAVE_ALEATORIA", "11111111-1111-4111-8111-111111111115"),
      pixByKey("EMAIL", "maria15@exemplo.com.br"),
      // The key is refused as a receiver by bank data, but is not among the documented keys.
      pixByKey("CPF", "926.942.600-98"),
      toAccount("PIX"),
      toAccount("TEV"),
      // Only a TED is returned without a request.
      toAccount("PIX", "61420738526"),
    ];
    await sandbox.network.rails.send(orders);
    sandbox.clock.advance({ seconds: 0.799 });
    expect(await sandbox.network.deliverDue()).toBe(0);
    sandbox.clock.advance({ seconds: 0.001 });
    expect(await sandbox.network.deliverDue()).toBe(orders.length);
    expect(sandbox.received.every((event) => event.kind === "settled" && event.final)).toBe(true);
  });

  it("answers after the configured delay", async () => {
    await sandbox.network.changeSettings({ pix_latency_ms: 60_000 });
    await sandbox.network.rails.send([order()]);
    sandbox.clock.advance({ seconds: 59 });
    expect(await sandbox.network.deliverDue()).toBe(0);
    expect(await sandbox.network.inFlight()).toBe(1);
    sandbox.clock.advance({ seconds: 1 });
    expect(await sandbox.network.deliverDue()).toBe(1);
    expect(await sandbox.network.inFlight()).toBe(0);
  });

  it("fails the configured percentage of orders, the same ones each time", async () => {
    await sandbox.network.changeSettings({ failure_percent: 30 });
    const orders = Array.from({ length: 500 }, () => order());
    await sandbox.network.rails.send(orders);
    sandbox.clock.advance({ seconds: 1 });
    await sandbox.network.deliverDue();
    const failed = sandbox.received.filter((event) => event.kind === "failed").length;
    expect(failed).toBeGreaterThan(100);
    expect(failed).toBeLessThan(200);
  });
});
