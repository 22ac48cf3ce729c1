/** Limits of a person's requests, the people who are notified, and the cost of listing requests. */
import { readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batch-life";
import { countApprovalRequests, listApprovalRequests, rejectRequest } from "@malote/contracts/controls";
import { createCredential, listCredentials, revokeCredential } from "@malote/contracts/developer";
import { authorize, changeMe } from "@malote/contracts/session";
import { withdrawBalance } from "@malote/contracts/statement";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  bandsOf,
  type ControlsKit,
  fetchRequests,
  openControls,
  rejectOne,
  ruiId,
  save,
  withdraw,
} from "../testing/controls-kit.ts";
import { draft, pix } from "../testing/payments-kit.ts";
import { emailDueApprovers } from "./emails.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
});
afterEach(() => kit.close());

describe("a flood of requests", () => {
  const makeCall = (by: Person, value = 10_00) => withdraw(by, value);

  it("stops at twenty open ones per person, each seen by the approver, the oldest first", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    for (let n = 1; n <= 20; n++) {
      expect((await makeCall(kit.operator, n * 1_00)).body.awaits_approval).toBe(true);
      kit.clock.advance({ seconds: 1 });
    }
    const refused = await makeCall(kit.operator);
    expect([refused.status, refused.body.code]).toEqual([409, "approval_requests_too_many"]);
    expect(refused.body.message).toContain("Você já tem 20 pedidos");
    const { data, open_count } = (await kit.admin.call(listApprovalRequests)).body;
    expect(open_count).toBe(20);
    expect(data.map(({ amount }) => amount)).toEqual(Array.from({ length: 20 }, (_, n) => (n + 1) * 1_00));
    const params = { id: data[0].id };
    await kit.admin.call(rejectRequest, { params, body: {} });
    // Requests of the last hour count, decided or not.
    expect((await makeCall(kit.operator)).body.code).toBe("approval_requests_too_many");
    kit.clock.advance({ hours: 1 });
    expect((await makeCall(kit.operator)).body.awaits_approval).toBe(true);
    expect((await makeCall(kit.operator)).body.code).toBe("approval_requests_too_many");
  });

  it("stops at twenty in an hour if each is cancelled immediately, also with concurrent ones", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    for (let n = 0; n < 15; n++) {
      expect((await makeCall(kit.operator)).body.awaits_approval).toBe(true);
      const [{ id }] = (await kit.operator.call(listApprovalRequests)).body.data;
      await kit.operator.call(rejectRequest, { params: { id }, body: {} });
    }
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => makeCall(kit.operator, (n + 1) * 1_00)),
    );
    expect(answers.filter(({ body }) => body.awaits_approval)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    // Another requester does not wait.
    const { data } = (await kit.admin.call(listApprovalRequests)).body;
    expect(data.filter(({ status }) => status === "pending")).toHaveLength(5);
    kit.clock.advance({ minutes: 59, seconds: 59 });
    expect((await makeCall(kit.operator)).body.code).toBe("approval_requests_too_many");
    kit.clock.advance({ seconds: 1 });
    expect((await makeCall(kit.operator)).body.awaits_approval).toBe(true);
  });

  it("counts a person together with their credentials, also revoked ones and concurrent requests", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    const tokens = [await kit.fetchCredential(kit.operator), await kit.fetchCredential(kit.operator)];
    const askBy = (token: string, value: number) =>
      kit.byMachine(token, withdrawBalance, { body: { value } });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => [
        makeCall(kit.operator, (n + 1) * 1_00),
        ...tokens.map((token, at) => askBy(token, (n + 1) * 1_00 + at + 1)),
      ]).flat(),
    );
    expect(answers.filter(({ body }) => body.awaits_approval)).toHaveLength(20);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(4).fill("approval_requests_too_many"));
    expect(refused[0]?.body.message).toContain("contando os das credenciais que você criou");
    const { data } = (await kit.operator.call(listCredentials)).body;
    const own = data.filter(({ created_by }) => created_by !== null);
    expect(own).toHaveLength(2);
    for (const { id } of own)
      expect((await kit.operator.call(revokeCredential, { params: { id } })).status).toBe(200);
    const next = await kit.fetchCredential(kit.operator);
    expect((await askBy(next, 1_00)).body.code).toBe("approval_requests_too_many");
    // Another requester has limits of their own, together with their credential.
    await kit.colleague();
    expect((await makeCall(kit.admin)).body.awaits_approval).toBe(true);
    const ofHelena = await kit.fetchCredential(kit.admin);
    expect((await askBy(ofHelena, 1_00)).body.awaits_approval).toBe(true);
  });

  it("of one credential without a known maker blocks no other credential", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    await kit.colleague();
    const first = await kit.installed();
    const { client_id, client_secret } = (await kit.admin.call(createCredential, { body: {} })).body;
    await kit.query("UPDATE api_credentials SET created_by = NULL WHERE client_id = $1", [client_id]);
    const signedIn = await kit.call(authorize, {
      body: { grant_type: "client_credentials", client_id, client_secret },
    });
    const askBy = (token: string, value: number) =>
      kit.byMachine(token, withdrawBalance, { body: { value } });
    const answers = await Promise.all(Array.from({ length: 22 }, (_, n) => askBy(first, (n + 1) * 1_00)));
    expect(answers.filter(({ body }) => body.awaits_approval)).toHaveLength(20);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(2);
    expect((await askBy(signedIn.body.access_token, 1_00)).body.awaits_approval).toBe(true);
    expect((await makeCall(kit.admin)).body.awaits_approval).toBe(true);
  });

  it("sends one e-mail immediately, and one five minutes later that lists the requests that still wait", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    const toHelena = async () => (await kit.newMails()).filter(({ to }) => to === "helena@aurora.example");
    // Requests of other processes at the same time cause no second e-mail.
    const other = await kit.another();
    await Promise.all([1, 2, 3, 4].map((n) => makeCall(kit.operator, n * 1_00)));
    const [first, ...more] = await toHelena();
    expect(more).toEqual([]);
    expect(first?.subject).toBe("Resgate aguarda sua aprovação");
    expect(first?.text).toContain("Rui Tavares (rui@aurora.example) pediu");
    const open = (await kit.admin.call(listApprovalRequests)).body.data;
    const names = (text: string | undefined, amount: number) =>
      (text ?? "").replaceAll("\u00a0", " ").includes(`R$ ${amount / 100},00`);
    const emailed = open.find(({ amount }) => names(first?.text, amount));
    expect(emailed).toBeDefined();
    const [gone, ...left] = open.filter((one: unknown) => one !== emailed);
    await kit.operator.call(rejectRequest, { params: { id: gone.id }, body: {} });
    kit.clock.advance({ minutes: 5, seconds: -1 });
    await emailDueApprovers(kit.services);
    expect(await toHelena()).toEqual([]);
    kit.clock.advance({ seconds: 1 });
    await Promise.all([emailDueApprovers(kit.services), emailDueApprovers(other.services)]);
    await other.drainJobs();
    const [second, ...again] = [
      ...(await toHelena()),
      ...other.mails.filter(({ to }) => to.startsWith("helena")),
    ];
    expect(again).toEqual([]);
    expect(second?.subject).toBe("2 pedidos aguardam sua aprovação");
    expect(left.filter(({ amount }) => names(second?.text, amount))).toHaveLength(2);
    expect([emailed, gone].filter(({ amount }) => names(second?.text, amount))).toEqual([]);
    expect(second?.text).toContain("Pedido por Rui Tavares (rui@aurora.example)");
    // Each request is e-mailed once, and not after it was decided.
    kit.clock.advance({ minutes: 10 });
    await emailDueApprovers(kit.services);
    expect(await toHelena()).toEqual([]);
    await other.close();
  });

  it("names the requester by their e-mail, whatever name the person chose", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    await kit.operator.call(changeMe, { body: { name: "Helena Prado" } });
    const rui = await kit.as("rui@aurora.example");
    await makeCall(rui);
    const [request] = (await kit.admin.call(listApprovalRequests)).body.data;
    expect(request).toMatchObject({
      requested_by: "Helena Prado",
      requested_by_email: "rui@aurora.example",
    });
    const { id } = await draft(rui, [pix(10_00)]);
    await rui.call(sendBatchToApproval, { params: { id }, body: {} });
    const { body } = await kit.admin.call(readBatchApprovals, { params: { id } });
    expect(body.prepared_by).toEqual(["Helena Prado (rui@aurora.example)"]);
    const texts = (await kit.newMails()).map(({ text }) => text);
    expect(texts).toHaveLength(2);
    for (const text of texts) expect(text).toContain("Helena Prado (rui@aurora.example)");
  });

  it("of many people is listed as the hundred oldest and the total number", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    await makeCall(kit.operator, 7_00);
    await kit.query(
      `INSERT INTO approval_requests (company_id, id, kind, object_id, payload, facts, amount, digest, requested_by_kind,
         requested_by, requested_by_name, preparers, has_unknown_preparer, approvers_min, status, created_at, expires_at)
       SELECT company_id, uuidv7(), kind, uuidv7(), payload, facts, amount, digest, requested_by_kind, uuidv7(), 'Outra',
         preparers, false, 1, 'pending', created_at + interval '1 minute', expires_at
       FROM approval_requests, generate_series(1, 120)`,
    );
    const { data, open_count } = (await kit.admin.call(listApprovalRequests)).body;
    expect([data.length, open_count]).toEqual([100, 121]);
    expect(data[0].amount).toBe(7_00);
  });
});

it("shows for each request of a list how many approvals its own sums need", async () => {
  await kit.colleague();
  const third = await kit.colleague("terceira@aurora.example", "Terceira Admin");
  await kit.inForce({ bands: bandsOf([0, 0], [500_00, 1], [5_000_00, 2]) });
  expect((await withdraw(kit.operator, 400_00)).body.awaits_approval).toBeUndefined();
  for (const [by, value] of [
    [kit.operator, 100_00],
    [kit.admin, 500_00],
    [third, 5_000_00],
  ] as const) {
    expect((await withdraw(by, value)).body.awaits_approval).toBe(true);
    kit.clock.advance({ seconds: 1 });
  }
  const missing = async () => (await fetchRequests(kit.admin)).map((one) => [one.amount, one.missing]);
  expect(await missing()).toEqual([
    [100_00, 1],
    [500_00, 1],
    [5_000_00, 2],
  ]);
  // Rui's own payments meanwhile count only in his own sum.
  await kit.query("UPDATE outflows SET amount = 4_900_00 WHERE $1 = ANY(people)", [ruiId]);
  expect(await missing()).toEqual([
    [100_00, 2],
    [500_00, 1],
    [5_000_00, 2],
  ]);
});

it("counts for every page the listed requests that the reader may approve", async () => {
  const second = await kit.colleague();
  await kit.inForce({ bands: bandsOf([0, 2]), operatorApprovers: [ruiId], quarantineHours: 48 });
  const fresh = await kit.addPerson(second, "nova@aurora.example", "admin");
  const people = { helena: kit.admin, second, rui: kit.operator, fresh };
  async function expectCounts(expected: Record<keyof typeof people, number>) {
    for (const [name, by] of Object.entries(people)) {
      const list = await fetchRequests(by);
      const may = list.filter(({ may_approve }) => may_approve).length;
      const { body } = await by.call(countApprovalRequests);
      expect([name, body.count, may]).toEqual([name, expected[name as keyof typeof people], may]);
      expect(body.count).toBe(may);
    }
  }
  await expectCounts({ helena: 0, second: 0, rui: 0, fresh: 0 });
  expect((await withdraw(kit.admin, 1_00)).body.awaits_approval).toBe(true);
  kit.clock.advance({ seconds: 1 });
  expect((await withdraw(kit.operator, 2_00)).body.awaits_approval).toBe(true);
  kit.clock.advance({ seconds: 1 });
  expect((await save(kit.admin, { quarantine_hours: 24 })).body.outcome).toBe("waits_for_approval");
  // Operators do not decide on policies.
  await expectCounts({ helena: 1, second: 3, rui: 1, fresh: 0 });
  const [first, other] = await fetchRequests(second);
  expect((await approveOne(second, first)).body).toEqual({ status: "pending", missing: 1 });
  await expectCounts({ helena: 1, second: 2, rui: 1, fresh: 0 });
  expect((await rejectOne(second, other.id)).status).toBe(200);
  await expectCounts({ helena: 0, second: 1, rui: 1, fresh: 0 });
  kit.clock.advance({ days: 7 });
  await expectCounts({ helena: 0, second: 0, rui: 0, fresh: 0 });

  expect((await kit.call(countApprovalRequests)).status).toBe(401);
  expect((await kit.analyst.call(countApprovalRequests)).status).toBe(403);
  expect((await kit.call(countApprovalRequests, {}, { token: await kit.installed() })).status).toBe(403);
  expect((await kit.stranger.call(countApprovalRequests)).body).toEqual({ count: 0 });
});
