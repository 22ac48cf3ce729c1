/** Services beside the payment networks that call us or hand over files: each report reaches what takes it, once. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { goodCard } from "../adapters/sandbox/charges/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { Connection } from "../ports/connection.ts";
import type { DirectoryReport } from "../ports/pix-directory.ts";
import { reportHandlers } from "../report-handlers.ts";
import { buildChargeRequest, chargeCalls, sale } from "../testing/charges-kit.ts";
import { closeNetworkEvents, runOperator } from "../testing/operator-kit.ts";
import { auroraId, auroraKey, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { readNetworkFiles } from "./network-files.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { charge, payin } = chargeCalls(() => kit);
const query = async (text: string) => (await kit.services.db.pool.query(text)).rows;
const deadLetters = () => query("SELECT connection, feed, why FROM rail_dead_letters");

const read = (content: Uint8Array) => JSON.parse(Buffer.from(content).toString("utf8"));
const proof = { "service-proof": "known to both" };
/** A service whose bodies and files are lists of the port's own reports. */
const reporting = (id: string): Connection<never> => ({
  id,
  webhook: { isGenuine: ({ headers }) => headers["service-proof"] === proof["service-proof"], read },
  file: { read },
});
const call = (id: string, reports: readonly object[], headers: Record<string, string> = proof) =>
  kit.send("POST", `/api/networks/${id}/events`, JSON.stringify(reports), {
    headers: { "content-type": "application/json", ...headers },
  });

it("stores an infraction from a call of its provider once, however often it is repeated, and nothing without the provider's proof", async () => {
  kit.services.infractions = { ...kit.services.infractions, ...reporting("provider") };
  const endToEndId = await kit.deposit(10_00);
  const report = {
    kind: "reported",
    infractionId: "I-1",
    endToEndId,
    at: kit.clock.now().toISOString(),
    situation: "scam",
    description: null,
  };
  const infractions = () => query("SELECT provider_id, transaction_id FROM infractions");
  expect((await call("provider", [report], {})).status).toBe(401);
  expect(await infractions()).toEqual([]);
  expect((await call("provider", [report, report])).status).toBe(204);
  expect((await call("provider", [report])).status).toBe(204);
  expect(await infractions()).toEqual([{ provider_id: "I-1", transaction_id: endToEndId }]);
});

it("applies the other reports of a call beside one that fails, and lets the provider call again", async () => {
  kit.services.infractions = { ...kit.services.infractions, ...reporting("provider") };
  const at = kit.clock.now().toISOString();
  const report = { kind: "reported", at, situation: "scam", description: null };
  const unknown = { ...report, infractionId: "I-1", endToEndId: "E-of-no-company" };
  const known = { ...report, infractionId: "I-2", endToEndId: await kit.deposit(10_00) };
  const unreadable = { unreadable: "half a record", why: "it ends too early" };
  expect((await call("provider", [unknown, unreadable, known])).status).toBe(500);
  expect(await query("SELECT provider_id FROM infractions")).toEqual([{ provider_id: "I-2" }]);
  expect(await deadLetters()).toEqual([{ connection: "provider", feed: "webhook", why: "unreadable" }]);
  await closeNetworkEvents(kit.services);
});

it("receives a claim of a key by a call of the directory, and acknowledges it", async () => {
  const acknowledged: string[] = [];
  kit.services.directory = {
    ...kit.services.directory,
    ...reporting("keys"),
    acknowledge: async (ids) => void acknowledged.push(...ids),
  };
  const report: DirectoryReport = {
    id: "claim 1",
    companyId: auroraId,
    claimId: uuidv7(),
    claimKind: "CLAIM",
    key: auroraKey,
    side: "holder",
    happened: "opened",
    at: kit.clock.now().toISOString(),
  };
  expect((await call("keys", [report])).status).toBe(204);
  expect(await query(`SELECT status FROM pix_keys WHERE claim_id = '${report.claimId}'`)).toEqual([
    { status: "WAITING_CLAIM_APPROVAL" },
  ]);
  expect(acknowledged).toEqual(["claim 1"]);
});

it("stores an acquirer's reports and answers under the acquirer's own connection", async () => {
  kit.services.charges = { ...kit.services.charges, ...reporting("acquirer") };
  const folder = mkdtempSync(join(tmpdir(), "malote-acquirer-"));
  const [first, second] = [buildChargeRequest({ kind: "pix" }), buildChargeRequest({ kind: "pix" })];
  await charge(sale(goodCard));
  await charge(first);
  await charge(second);
  const paid = (chargeId: string, paymentId: string) => ({
    kind: "charge_paid",
    id: `${paymentId} paid`,
    companyId: auroraId,
    chargeId,
    paymentId,
    at: kit.clock.now().toISOString(),
    value: 150_00,
    payer: null,
  });
  expect((await call("acquirer", [paid(first.id, "E-1")])).status).toBe(204);
  const path = join(folder, "retorno.json");
  writeFileSync(path, JSON.stringify([paid(second.id, "E-2")]));
  await runOperator(kit.services, "network-file", "acquirer", path);
  await readNetworkFiles(kit.services, reportHandlers);
  rmSync(folder, { recursive: true });
  for (const { id } of [first, second]) expect((await payin(id))?.status).toBe("received");
  expect(
    await query("SELECT connection, feed FROM rail_events WHERE connection = 'acquirer' ORDER BY 2"),
  ).toEqual([
    { connection: "acquirer", feed: "answer" },
    { connection: "acquirer", feed: "file" },
    { connection: "acquirer", feed: "webhook" },
  ]);
});
