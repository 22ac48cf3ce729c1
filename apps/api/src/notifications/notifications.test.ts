/** Notifications over HTTP: who reads which, which are unseen, and the stream of changes. */
import type { AddressInfo } from "node:net";
import {
  approveBatch,
  readBatchApprovals,
  rejectBatch,
  sendBatchToApproval,
} from "@malote/contracts/batch-life";
import { bases } from "@malote/contracts/contract";
import { listFiles } from "@malote/contracts/files";
import {
  listNotifications,
  markNotificationsSeen,
  type NotificationItem,
  watchChanges,
} from "@malote/contracts/notifications";
import { requestReceipts } from "@malote/contracts/receipts";
import { raiseClaim } from "@malote/contracts/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Person, testStart } from "../testing/app.ts";
import { withdraw } from "../testing/controls-kit.ts";
import {
  auroraKey,
  batch,
  companyIs,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
} from "../testing/payments-kit.ts";
import { notificationsFeature } from "./feature.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const listed = async (by: Person): Promise<{ data: NotificationItem[]; unseen: number }> =>
  (await by.call(listNotifications)).body;
const fetchKinds = async (by: Person) => (await listed(by)).data.map(({ kind }) => kind);

async function approved(name: string): Promise<string> {
  const { id } = await draft(kit.operator, [pix(10_00)], name);
  await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} });
  const { digest } = (await kit.admin.call(readBatchApprovals, { params: { id } })).body;
  const { revision } = await batch(kit.admin, id);
  const answer = await kit.admin.call(
    approveBatch,
    { params: { id }, body: { revision, digest } },
    { "idempotency-key": id },
  );
  expect(answer.status).toBe(200);
  await kit.drainJobs();
  return id;
}

describe("notifications", () => {
  it("are refused without a token and to a credential, and show nothing of another company", async () => {
    for (const contract of [listNotifications, watchChanges, listFiles]) {
      expect((await kit.call(contract)).status).toBe(401);
      expect((await kit.call(contract, {}, { token: "not a token" })).status).toBe(401);
    }
    await kit.deposit(100_00);
    await approved("Folha");
    expect(await listed(kit.stranger)).toEqual({ data: [], unseen: 0 });
  });

  it("inform the maker of a batch that another person approved it, and when its payments ended", async () => {
    await kit.deposit(100_00);
    const id = await approved("Folha");
    await kit.pass({ seconds: 1 });
    const { data, unseen } = await listed(kit.operator);
    expect(data).toMatchObject([
      {
        kind: "batch.settled",
        by: null,
        batch: { id, name: "Folha", is_own: true, paid_count: 1, failed_count: 0 },
      },
      {
        kind: "batch.approved",
        by: "Helena Prado",
        at: testStart.toISOString(),
        batch: { id },
        is_new: true,
      },
    ]);
    expect(unseen).toBe(2);
    // The approver knows of the approval and is notified only of what follows.
    expect(await fetchKinds(kit.admin)).toEqual(["batch.settled"]);
    expect((await listed(kit.admin)).data[0]?.batch?.is_own).toBe(false);
  });

  it("show why a batch was rejected", async () => {
    const { id } = await draft(kit.operator, [pix(10_00)], "Folha");
    await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} });
    await kit.admin.call(rejectBatch, { params: { id }, body: { reason: "Falta a nota" } });
    await kit.drainJobs();
    expect((await listed(kit.operator)).data).toMatchObject([
      { kind: "batch.rejected", by: "Helena Prado", about: "Falta a nota", batch: { id } },
    ]);
  });

  it("show a person only objects that the person may read", async () => {
    await kit.call(raiseClaim, { body: { key: auroraKey, kind: "PORTABILITY" } });
    await kit.pass({ seconds: 1 });
    expect(await listed(kit.admin)).toMatchObject({
      data: [{ kind: "pix_key.asked_for", about: auroraKey }],
    });
  });

  it("leave out a withdrawal, which is stored as a batch of one payment", async () => {
    await kit.deposit(500_00);
    await companyIs(kit, "11222333000181");
    expect((await withdraw(kit.admin, 100_00)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchKinds(kit.analyst)).toEqual([]);
  });

  it("are new to each person until the person has seen them, and never again", async () => {
    await kit.deposit(100_00);
    await approved("Uma");
    const [first] = (await listed(kit.operator)).data;
    await approved("Outra");
    const see = (by: Person, position: number) => by.call(markNotificationsSeen, { body: { position } });
    expect((await see(kit.operator, first?.position ?? 0)).status).toBe(200);
    expect(await listed(kit.operator)).toMatchObject({
      unseen: 1,
      data: [{ is_new: true }, { is_new: false }],
    });
    const [newest] = (await listed(kit.operator)).data;
    await see(kit.operator, newest?.position ?? 0);
    await see(kit.operator, 0);
    expect((await listed(kit.operator)).unseen).toBe(0);
    expect((await listed(kit.analyst)).unseen).toBe(2);
    // The position is beyond the last notification; a later one is unseen nevertheless.
    await see(kit.analyst, Number.MAX_SAFE_INTEGER);
    await approved("Terceira");
    expect((await listed(kit.analyst)).unseen).toBe(1);
  });

  it("are kept for ninety days", async () => {
    await kit.deposit(100_00);
    await approved("Folha");
    kit.clock.advance({ days: 89 });
    await notificationsFeature.tidy?.(kit.services);
    expect(await fetchKinds(await kit.as("rui@aurora.example"))).toEqual(["batch.approved"]);
    kit.clock.advance({ days: 2 });
    await notificationsFeature.tidy?.(kit.services);
    expect(await fetchKinds(await kit.as("rui@aurora.example"))).toEqual([]);
  });
});

describe("files", () => {
  it("are listed together for their requester, whatever their kind, with their state", async () => {
    await kit.deposit(100_00);
    const id = await approved("Folha de novembro");
    await kit.pass({ seconds: 1 });
    await kit.operator.call(requestReceipts, { body: { batch_id: id } });
    const files = async (by: Person) => (await by.call(listFiles)).body.data;
    expect(await files(kit.operator)).toMatchObject([
      { kind: "receipts", name: "Comprovantes Folha de novembro.zip", state: "making", rows_count: 1 },
    ]);
    await kit.drainJobs();
    expect(await files(kit.operator)).toMatchObject([{ state: "ready" }]);
    expect(await files(kit.admin)).toEqual([]);
    kit.clock.advance({ days: 8 });
    expect(await files(await kit.as("rui@aurora.example"))).toMatchObject([{ state: "expired" }]);
  });
});

describe("the stream", () => {
  const path = bases.payments + watchChanges.path;

  it("reports changes of the caller's company and of no other, and ends with the server", async () => {
    await kit.server.listen({ port: 0, host: "127.0.0.1" });
    const { port } = kit.server.server.address() as AddressInfo;
    const follow = async (token: string) => {
      const headers = { authorization: `Bearer ${token}`, accept: "text/event-stream" };
      const { body, headers: given } = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      expect(given.get("content-type")).toBe("text/event-stream; charset=utf-8");
      const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
      expect((await reader.read()).value).toBe("retry: 1000\n\n");
      return reader;
    };
    const [own, other] = await Promise.all([follow(kit.analyst.token), follow(kit.stranger.token)]);
    const { id } = await draft(kit.operator, [pix(10_00)]);
    await kit.operator.call(sendBatchToApproval, { params: { id }, body: {} });
    await kit.drainJobs();
    expect((await own.read()).value).toBe('event: change\ndata: {"topics":["batch"]}\n\n');
    await kit.server.close();
    expect((await own.read()).done).toBe(true);
    expect(await other.read()).toEqual({ done: true, value: undefined });
  });

  it("answers one line to a caller that does not accept streams", async () => {
    const answer = await kit.analyst.get(path);
    expect([answer.status, answer.body]).toEqual([200, "retry: 1000\n\n"]);
  });
});
