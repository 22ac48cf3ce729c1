/** How many requests somebody makes, who reads of them, and what a list of them costs. */
import { readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batches";
import { listApprovalRequests, rejectRequest } from "@malote/contracts/controls";
import { changeMe } from "@malote/contracts/session";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { type ControlsKit, openControls, withdraw } from "../testing/controls-kit.ts";
import { draft, pix } from "../testing/payments-kit.ts";
import { emailDueApprovers } from "./index.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls();
});
afterEach(() => kit.close());

describe("a flood of requests", () => {
  const ask = (by: Person, value = 10_00) => withdraw(by, value);

  it("ends at twenty open ones of a person, each seen by whoever decides, the oldest first", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    for (let n = 1; n <= 20; n++) {
      expect((await ask(kit.operator, n * 1_00)).body.awaits_approval).toBe(true);
      kit.clock.advance({ seconds: 1 });
    }
    const refused = await ask(kit.operator);
    expect([refused.status, refused.body.code]).toEqual([409, "approval_requests_too_many"]);
    expect(refused.body.message).toContain("Você já tem 20 pedidos");
    const { data, open_count } = (await kit.admin.call(listApprovalRequests)).body;
    expect(open_count).toBe(20);
    expect(data.map(({ amount }: { amount: number }) => amount)).toEqual(
      Array.from({ length: 20 }, (_, n) => (n + 1) * 1_00),
    );
    const params = { id: data[0].id };
    await kit.admin.call(rejectRequest, { params, body: {} });
    // Those of the last hour count, decided or not.
    expect((await ask(kit.operator)).body.code).toBe("approval_requests_too_many");
    kit.clock.advance({ hours: 1 });
    expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
    expect((await ask(kit.operator)).body.code).toBe("approval_requests_too_many");
  });

  it("that are taken back at once ends at twenty in an hour, also of many at once", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    for (let n = 0; n < 15; n++) {
      expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
      const [{ id }] = (await kit.operator.call(listApprovalRequests)).body.data;
      await kit.operator.call(rejectRequest, { params: { id }, body: {} });
    }
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => ask(kit.operator, (n + 1) * 1_00)));
    expect(answers.filter(({ body }) => body.awaits_approval)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(3);
    // Whoever else asks is not kept waiting by it.
    const { data } = (await kit.admin.call(listApprovalRequests)).body;
    expect(data.filter(({ status }: { status: string }) => status === "pending")).toHaveLength(5);
    kit.clock.advance({ minutes: 59, seconds: 59 });
    expect((await ask(kit.operator)).body.code).toBe("approval_requests_too_many");
    kit.clock.advance({ seconds: 1 });
    expect((await ask(kit.operator)).body.awaits_approval).toBe(true);
  });

  it("is one e-mail at once and one in five minutes after it, which lists what still waits", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    const toHelena = async () => (await kit.newMails()).filter(({ to }) => to === "helena@aurora.example");
    // What other processes ask for at once is not written twice.
    const other = await kit.another();
    await Promise.all([1, 2, 3, 4].map((n) => ask(kit.operator, n * 1_00)));
    const [first, ...more] = await toHelena();
    expect(more).toEqual([]);
    expect(first?.subject).toBe("Resgate aguarda sua aprovação");
    expect(first?.text).toContain("Rui Tavares (rui@aurora.example) pediu");
    const open = (await kit.admin.call(listApprovalRequests)).body.data;
    const names = (text: string | undefined, amount: number) =>
      (text ?? "").replaceAll("\u00a0", " ").includes(`R$ ${amount / 100},00`);
    const told = open.find(({ amount }: { amount: number }) => names(first?.text, amount));
    expect(told).toBeDefined();
    const [gone, ...left] = open.filter((one: unknown) => one !== told);
    await kit.operator.call(rejectRequest, { params: { id: gone.id }, body: {} });
    kit.clock.advance({ minutes: 5, seconds: -1 });
    await emailDueApprovers(kit.parts);
    expect(await toHelena()).toEqual([]);
    kit.clock.advance({ seconds: 1 });
    await Promise.all([emailDueApprovers(kit.parts), emailDueApprovers(other.parts)]);
    await other.drainJobs();
    const [second, ...again] = [
      ...(await toHelena()),
      ...other.mails.filter(({ to }) => to.startsWith("helena")),
    ];
    expect(again).toEqual([]);
    expect(second?.subject).toBe("2 pedidos aguardam sua aprovação");
    expect(left.filter(({ amount }: { amount: number }) => names(second?.text, amount))).toHaveLength(2);
    expect([told, gone].filter(({ amount }) => names(second?.text, amount))).toEqual([]);
    expect(second?.text).toContain("Pedido por Rui Tavares (rui@aurora.example)");
    // Nothing is written twice, and nothing that was decided.
    kit.clock.advance({ minutes: 10 });
    await emailDueApprovers(kit.parts);
    expect(await toHelena()).toEqual([]);
    await other.close();
  });

  it("names whoever asks by their e-mail, whatever they call themselves", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    await kit.operator.call(changeMe, { body: { name: "Helena Prado" } });
    const rui = await kit.as("rui@aurora.example");
    await ask(rui);
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

  it("of many people shows the hundred oldest, and how many there are", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    await ask(kit.operator, 7_00);
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
