/** Calls and files of a network, over HTTP and the operator's shell: refusals, and the events that reach the inbox. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WrongCommand } from "../operator/usage.ts";
import type { ReferredEvent } from "../ports/rails.ts";
import { reportHandlers } from "../report-handlers.ts";
import { closeNetworkEvents, runOperator } from "../testing/operator-kit.ts";
import {
  auroraId,
  fetchBalance,
  fetchStatuses,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  releaseOnly,
} from "../testing/payments-kit.ts";
import { callOf, fileOf, type SlowRails, signed, slowRails } from "../testing/slow-rails.ts";
import { sendDuePayments } from "./index.ts";
import { readNetworkFiles } from "./network-files.ts";

let kit: PaymentsKit;
let slow: SlowRails;
let folder: string;
beforeEach(async () => {
  kit = await openPayments();
  slow = slowRails(kit.clock);
  kit.services.connections = new Map([[slow.id, slow]]);
  await runOperator(kit.services, "route", auroraId, "PIX", "slow");
  folder = mkdtempSync(join(tmpdir(), "malote-feeds-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await kit.close();
});

const query = async (text: string) => (await kit.services.db.pool.query(text)).rows;
const inbox = () =>
  query(
    "SELECT company_id, connection, feed, event_id FROM rail_events WHERE connection = 'slow' ORDER BY 4",
  );
const deadLetters = () =>
  query("SELECT connection, feed, why, detail, payload FROM rail_dead_letters ORDER BY payload");

/** Payments that the network made and has not reported yet. */
async function made(count: number): Promise<{ id: string; events: ReferredEvent[] }> {
  const values = Array.from({ length: count }, (_, n) => (n + 1) * 100);
  const sum = values.reduce((total, value) => total + value, 0);
  const id = await paidFor(
    kit,
    values.map((value) => pix(value)),
    sum,
  );
  await releaseOnly(kit, id);
  await sendDuePayments(kit.services, { companyId: auroraId });
  kit.clock.advance({ seconds: 35 });
  return { id, events: slow.dueEvents() };
}

/** The payments are in no order, because the network numbers them as they arrive. */
const statuses = async (id: string) => (await fetchStatuses(kit.admin, id)).sort();

const call = (
  { body, headers }: { body: string; headers: Record<string, string> },
  path = "/api/networks/slow/events",
) => kit.send("POST", path, body, { headers });

describe("a call", () => {
  it("is refused without the network's signature, with the same answer for existing and unknown connections", async () => {
    const { id, events } = await made(1);
    const { body, headers } = callOf(events);
    const { "slow-signature": signature = "", ...plain } = headers;
    const other = signature.replace(/^./, (first) => (first === "0" ? "1" : "0"));
    const answers = [
      await call({ body, headers: plain }),
      await call({ body, headers: { ...plain, "slow-signature": "" } }),
      await call({ body, headers: { ...plain, "slow-signature": "not hexadecimal" } }),
      await call({ body, headers: { ...plain, "slow-signature": other } }),
      await call({ body: `${body} `, headers }),
      await call({ body: "", headers: plain }),
      await call({ body, headers }, "/api/networks/nobody/events"),
      await call({ body, headers }, "/api/networks/sandbox/events"),
    ];
    expect(answers.map(({ status, body: said }) => [status, said.code])).toEqual(
      answers.map(() => [401, "not_authenticated"]),
    );
    expect([await inbox(), await deadLetters()]).toEqual([[], []]);
    expect(await statuses(id)).toEqual(["EXECUTING"]);
  });

  it("is refused when it is too large, before its signature is checked", async () => {
    const answer = await call(signed(" ".repeat(256_001)));
    expect([answer.status, answer.body.code]).toEqual([413, "payload_too_large"]);
    expect((await call(signed(JSON.stringify({ payments: [], more: " ".repeat(200_000) })))).status).toBe(
      204,
    );
    expect([await inbox(), await deadLetters()]).toEqual([[], []]);
  });

  it("is delivered again by the network after a failure of the database", async () => {
    const { id, events } = await made(1);
    const { handleEvents } = kit.services;
    kit.services.handleEvents = () => Promise.reject(Object.assign(new Error("gone"), { code: "57P01" }));
    expect((await call(callOf(events))).status).toBe(503);
    kit.services.handleEvents = handleEvents;
    expect((await call(callOf(events))).status).toBe(204);
    expect(await statuses(id)).toEqual(["FINISHED"]);
  });

  it("stores an unreadable record as a dead letter once, and applies the others", async () => {
    const { id, events } = await made(2);
    const [first, second] = events.map((event) => JSON.parse(callOf([event]).body).payments[0]);
    const body = JSON.stringify({ payments: [first, { ...second, cents: "a lot" }, 7] });
    expect((await call(signed(body))).status).toBe(204);
    expect((await call(signed(body))).status).toBe(204);
    expect(await statuses(id)).toEqual(["EXECUTING", "FINISHED"]);
    expect(await deadLetters()).toMatchObject([
      { connection: "slow", feed: "webhook", why: "unreadable", payload: JSON.stringify("7") },
      {
        why: "unreadable",
        detail: expect.stringContaining("cents"),
        payload: expect.stringContaining("a lot"),
      },
    ]);
    await call(callOf(events));
    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED"]);
    await closeNetworkEvents(kit.services);
  });

  it("stores a genuine body that its adapter cannot read at all, and accepts the call", async () => {
    for (const body of ["<html>", "{}", "\0\ud800"]) expect((await call(signed(body))).status).toBe(204);
    expect((await deadLetters()).map(({ why, detail }) => [why, detail])).toEqual(
      Array.from({ length: 3 }, () => ["unreadable", "the body of a call could not be read"]),
    );
  });

  it("is applied once, however often it is repeated, also concurrently", async () => {
    const { id, events } = await made(3);
    expect((await call(callOf([...events, ...events]))).status).toBe(204);
    const again = await Promise.all([call(callOf(events)), call(callOf(events.toReversed()))]);
    expect(again.map(({ status }) => status)).toEqual([204, 204]);
    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED", "FINISHED"]);
    expect(await fetchBalance(kit.admin)).toBe(0);
    expect(await inbox()).toEqual(
      ["S-1/paid", "S-2/paid", "S-3/paid"].map((event_id) => ({
        company_id: auroraId,
        connection: "slow",
        feed: "webhook",
        event_id,
      })),
    );
  });

  it("applies each payment once when four calls arrive concurrently", async () => {
    const { id, events } = await made(3);
    const answers = await Promise.all([1, 2, 3, 4].map(() => call(callOf(events))));
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED", "FINISHED"]);
    expect(await inbox()).toHaveLength(3);
  });

  it("does not move a payment of another connection, nor one of another company by our number", async () => {
    await runOperator(kit.services, "remove-route", auroraId, "PIX");
    const id = await paidFor(kit, [pix(1_00)], 1_00);
    await releaseOnly(kit, id);
    await sendDuePayments(kit.services, { companyId: auroraId });
    const at = kit.clock.now().toISOString();
    const order = { reference: { kind: "protocol", value: "S-1" } };
    await call(callOf([{ kind: "settled", id: "x", order, at, value: 1_00, final: true }]));
    expect(await statuses(id)).toEqual(["EXECUTING"]);
    expect(await deadLetters()).toMatchObject([{ why: "failed", detail: "no order has this reference" }]);
    await closeNetworkEvents(kit.services);
  });
});

describe("a file", () => {
  const run = (...words: string[]) => runOperator(kit.services, ...words);
  function written(content: string, name = "retorno.ret"): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }
  const files = () =>
    query("SELECT name, content, reports, unreadable FROM network_files ORDER BY received_at, id");

  it("is refused if it is not the connection's, too large, empty or missing, and nothing is stored", async () => {
    const good = written(fileOf([]));
    for (const words of [
      [],
      ["slow"],
      ["nobody", good],
      ["sandbox", good],
      ["slow", join(folder, "nothing")],
      ["slow", folder],
      ["slow", written("", "empty")],
      ["slow", written("x".repeat(20_000_001), "large")],
      ["slow", written("another;file", "other")],
    ])
      await expect(run("network-file", ...words)).rejects.toThrow(WrongCommand);
    expect(await files()).toEqual([]);
    expect(await query("SELECT FROM operator_entries")).toEqual([]);
    expect(await run("network-files")).toBe("Nenhum arquivo foi entregue.");
  });

  it("becomes events of the inbox once, even if it is delivered twice, under another name and beside a call", async () => {
    const { id, events } = await made(3);
    await call(callOf(events.slice(0, 1)));
    const content = fileOf(events);
    expect(await run("network-file", "slow", written(content))).toBe(
      "retorno.ret (3 registros): será lido em alguns segundos.",
    );
    expect(await run("network-files")).toMatch(/slow {2}retorno\.ret {2}ainda não lido$/);
    expect(await run("network-file", "slow", written(content, "de novo.ret"))).toContain("nada muda");
    await Promise.all([
      readNetworkFiles(kit.services, reportHandlers),
      readNetworkFiles(kit.services, reportHandlers),
    ]);
    expect(await run("network-file", "slow", written(content))).toContain("nada muda");
    await readNetworkFiles(kit.services, reportHandlers);

    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED", "FINISHED"]);
    expect(await fetchBalance(kit.admin)).toBe(0);
    expect((await inbox()).map(({ feed }) => feed)).toEqual(["webhook", "file", "file"]);
    expect(await files()).toEqual([{ name: "retorno.ret", content: null, reports: 3, unreadable: 0 }]);
    expect(await run("network-files")).toMatch(/slow {2}retorno\.ret {2}3 registros$/);
    expect(await query("SELECT action, detail FROM operator_entries")).toEqual([
      { action: "network_file", detail: { connection: "slow", name: "retorno.ret", records: 3 } },
    ]);
  });

  it("stores an unreadable line as a dead letter and applies the others", async () => {
    const { id, events } = await made(2);
    const [head, first, second] = fileOf(events).split("\r\n");
    await run(
      "network-file",
      "slow",
      written([head, "S-9;;;", first, second?.replace(/\d+$/, "-1")].join("\n")),
    );
    await readNetworkFiles(kit.services, reportHandlers);
    expect(await statuses(id)).toEqual(["EXECUTING", "FINISHED"]);
    expect((await deadLetters()).map(({ feed, why }) => [feed, why])).toEqual([
      ["file", "unreadable"],
      ["file", "unreadable"],
    ]);
    expect(await files()).toMatchObject([{ reports: 3, unreadable: 2 }]);
    expect(await run("network-files")).toContain("2 ilegíveis");
    await closeNetworkEvents(kit.services);
  });

  it("is continued by another worker if one died, and applied once", async () => {
    const { id, events } = await made(2);
    await run("network-file", "slow", written(fileOf(events)));
    const { handleEvents } = kit.services;
    kit.services.handleEvents = async (given, origin) => {
      await handleEvents(given.slice(0, 1), origin);
      throw new Error("the worker died");
    };
    await expect(readNetworkFiles(kit.services, reportHandlers)).rejects.toThrow("the worker died");
    kit.services.handleEvents = handleEvents;
    await readNetworkFiles(kit.services, reportHandlers);
    expect(await statuses(id)).toEqual(["EXECUTING", "FINISHED"]);
    kit.clock.advance({ minutes: 1 });
    await readNetworkFiles(kit.services, reportHandlers);
    expect(await statuses(id)).toEqual(["FINISHED", "FINISHED"]);
    expect(await fetchBalance(kit.admin)).toBe(0);
    expect(await files()).toMatchObject([{ content: null, reports: 2 }]);
  });

  it("waits for its connection if that is not configured at the moment", async () => {
    const { id, events } = await made(1);
    await run("network-file", "slow", written(fileOf(events)));
    kit.services.connections = new Map();
    await readNetworkFiles(kit.services, reportHandlers);
    expect(await statuses(id)).toEqual(["EXECUTING"]);
    kit.services.connections = new Map([[slow.id, slow]]);
    await readNetworkFiles(kit.services, reportHandlers);
    expect(await statuses(id)).toEqual(["FINISHED"]);
  });
});
