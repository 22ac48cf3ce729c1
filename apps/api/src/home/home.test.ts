/** The home page shows each waiting item only to people who may act on it. */
import { randomUUID } from "node:crypto";
import { approveBatch, readBatchApprovals, sendBatchToApproval } from "@malote/contracts/batch-life";
import { countWork, type Home, readHome, type WorkItem, type WorkKind } from "@malote/contracts/home";
import { cancelPixKeyClaim, listPixKeys } from "@malote/contracts/pix-keys";
import { raiseClaim } from "@malote/contracts/simulator";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { barcodeOf, boletoDraft, boletoOf } from "../testing/boletos.ts";
import { defend, receiveInfraction } from "../testing/contestations.ts";
import { bandsOf, type ControlsKit, openControls, withdraw } from "../testing/controls-kit.ts";
import { auroraKey, batch, closing, companyIs, draft, pix, ted } from "../testing/payments-kit.ts";

let kit: ControlsKit;
beforeEach(async () => {
  kit = await openControls({ balance: 0 });
});
afterEach(() => kit.close());

const home = async (by: Person): Promise<Home> => {
  const answer = await by.call(readHome);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const work = async <K extends WorkKind>(by: Person, kind: K) =>
  (await home(by)).work.filter((item): item is Extract<WorkItem, { kind: K }> => item.kind === kind);
const toApproval = (id: string, by = kit.operator) =>
  by.call(sendBatchToApproval, { params: { id }, body: {} });

it("is refused without a token and to a credential, and shows nothing of another company", async () => {
  expect((await kit.call(readHome)).status).toBe(401);
  expect((await kit.byMachine(await kit.installed(), readHome, {})).status).toBe(403);
  expect((await kit.byMachine(await kit.installed(), countWork, {})).status).toBe(403);
  const { id } = await draft(kit.operator, [pix(10_00)]);
  await toApproval(id);
  expect(await work(kit.stranger, "approve_batch")).toEqual([]);
  expect((await home(kit.stranger)).paying).toEqual([]);
});

it("shows a batch sent to approval to people who may approve it, until they have", async () => {
  await kit.deposit(1_000_00);
  const { id } = await draft(kit.operator, [pix(10_00), pix(20_00)]);
  expect(await work(kit.admin, "approve_batch")).toEqual([]);
  await toApproval(id);
  expect(await work(kit.admin, "approve_batch")).toMatchObject([
    { id, value: 30_00, payments_count: 2, created_by: "Rui Tavares", due_at: null },
  ]);
  for (const other of [kit.operator, kit.analyst]) expect(await work(other, "approve_batch")).toEqual([]);
  expect((await kit.admin.call(countWork)).body.count).toBe((await home(kit.admin)).count);

  const { body } = await kit.admin.call(readBatchApprovals, { params: { id } });
  const { revision } = await batch(kit.admin, id);
  await kit.admin.call(
    approveBatch,
    { params: { id }, body: { revision, digest: body.digest } },
    { "idempotency-key": randomUUID() },
  );
  expect(await work(kit.admin, "approve_batch")).toEqual([]);
});

it("does not list a batch for the admin who prepared it if another person must approve", async () => {
  await kit.inForce({ bands: bandsOf([0, 1]) });
  const second = await kit.colleague();
  const { id } = await draft(kit.admin, [pix(10_00)]);
  await toApproval(id, kit.admin);
  expect(await work(kit.admin, "approve_batch")).toEqual([]);
  expect(await work(second, "approve_batch")).toMatchObject([{ id }]);
});

it("gives a batch with a TED of this day the cut-off of TED as its deadline, and lists it first", async () => {
  const late = await draft(kit.operator, [pix(10_00)]);
  const soon = await draft(kit.operator, [ted(20_00)]);
  for (const { id } of [late, soon]) await toApproval(id);
  expect((await work(kit.admin, "approve_batch")).map(({ id, due_at }) => [id, due_at])).toEqual([
    [soon.id, "2026-08-12T19:30:00.000Z"],
    [late.id, null],
  ]);
  await kit.passUntil("2026-08-12T19:30:01Z");
  expect((await work(kit.admin, "approve_batch")).every(({ due_at }) => due_at === null)).toBe(true);
});

it("batches that wait for money show the missing amount of each, in the order of the queue", async () => {
  await kit.deposit(50_00);
  const first = await draft(kit.admin, [pix(80_00)]);
  await closing(kit.admin, first.id);
  await kit.pass({ seconds: 1 });
  const second = await draft(kit.admin, [pix(60_00)]);
  await closing(kit.admin, second.id);
  await kit.drainJobs();
  expect((await work(kit.admin, "fund_batch")).map(({ id, missing }) => [id, missing])).toEqual([
    [first.id, 30_00],
    [second.id, 60_00],
  ]);
  expect(await work(kit.operator, "fund_batch")).toEqual([]);
  const { upcoming } = await home(kit.analyst);
  expect(upcoming).toHaveLength(7);
  expect(upcoming[0]).toEqual({ date: "2026-08-12", reserved: 0, unfunded: 140_00 });
});

it("reserved batches are listed until they are sent on their day, and a batch under way until its last payment arrived", async () => {
  await kit.deposit(100_00);
  const { id } = await draft(kit.admin, [pix(30_00, { payment_date: "2026-08-14" }), pix(10_00)]);
  await closing(kit.admin, id);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  const { upcoming, paying } = await home(kit.admin);
  expect(upcoming.filter(({ reserved }) => reserved > 0)).toEqual([
    { date: "2026-08-14", reserved: 30_00, unfunded: 0 },
  ]);
  expect(paying).toMatchObject([{ id, payments_count: 2, paid_count: 1, failed_count: 0 }]);
  await kit.pass({ days: 2 });
  await kit.pass({ seconds: 1 });
  expect((await home(kit.admin)).paying).toEqual([]);
});

it("failures wait until they are corrected or returned, for admins and operators", async () => {
  await kit.deposit(100_00);
  const fails = { name: "Pessoa", pix_key_type: "EMAIL", pix_key: "chave.pix15@exemplo.com.br" } as const;
  const { id } = await draft(kit.admin, [pix(30_00, { destination_bank_account: fails }), pix(10_00)]);
  await closing(kit.admin, id);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  for (const by of [kit.admin, kit.operator])
    expect(await work(by, "resolve_failures")).toMatchObject([{ id, failed_count: 1, value: 30_00 }]);
  expect(await work(kit.analyst, "resolve_failures")).toEqual([]);
});

it("asks for new days for a draft with past days, with the value of only the late payments", async () => {
  const { id } = await draft(kit.operator, [pix(30_00, { payment_date: "2026-08-13" }), pix(10_00)]);
  expect(await work(kit.operator, "choose_dates")).toEqual([]);
  await kit.pass({ days: 3 });
  expect(await work(kit.operator, "choose_dates")).toMatchObject([
    { id, late_count: 1, value: 30_00, since: "2026-08-13" },
  ]);
  expect(await work(kit.analyst, "choose_dates")).toEqual([]);
});

it("shows how many late boletos of a draft cannot be paid on any day", async () => {
  const { id } = await boletoDraft(kit.operator, [
    boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-14") }),
    boletoOf(11_00, { barcode: barcodeOf(11_00, "2026-08-21"), payment_date: "2026-08-13" }),
  ]);
  await kit.pass({ days: 7 });
  expect(await work(kit.operator, "choose_dates")).toMatchObject([
    { id, late_count: 2, unpayable_count: 1, value: 21_00 },
  ]);
});

it("lists a request for others to approve, and not for its own maker", async () => {
  await kit.deposit(500_00);
  await kit.inForce({ bands: bandsOf([0, 1]) });
  const second = await kit.colleague();
  await companyIs(kit, "11222333000181");
  await withdraw(kit.admin, 100_00);
  expect(await work(kit.admin, "approve_request")).toEqual([]);
  expect(await work(second, "approve_request")).toMatchObject([
    { request: "WITHDRAWAL", amount: 100_00, requested_by: "Helena Prado" },
  ]);
});

it("shows an infraction with its deadline until it is answered", async () => {
  const { id } = await receiveInfraction(kit);
  const [item] = await work(kit.operator, "answer_infraction");
  expect(item).toMatchObject({ id });
  expect(item?.due_at).toMatch(/^2026-08-/);
  expect(await work(kit.analyst, "answer_infraction")).toEqual([]);
  await defend(kit, kit.admin.token, id, {
    analysis: "rejected",
    analysis_description: "O cliente recebeu o produto.",
  });
  expect(await work(kit.operator, "answer_infraction")).toEqual([]);
});

it("shows a claim of a key for seven days, for an admin's answer", async () => {
  await kit.call(raiseClaim, { body: { key: auroraKey, kind: "PORTABILITY" } });
  await kit.pass({ seconds: 1 });
  const [item] = await work(kit.admin, "answer_claim");
  expect(item).toMatchObject({ key: auroraKey, claim: "PORTABILITY" });
  expect(item?.due_at).toMatch(/^2026-08-19T13:00/);
  expect(await work(kit.analyst, "answer_claim")).toEqual([]);
  const { data } = (await kit.admin.call(listPixKeys)).body;
  const { id } = data.find((key) => key.key === auroraKey);
  expect(id).toBe(item?.id);
  await kit.admin.call(cancelPixKeyClaim, { params: { id } });
  expect(await work(kit.admin, "answer_claim")).toEqual([]);
});

it("first steps are shown to admins, and name the missing ones", async () => {
  const [steps] = await work(kit.stranger, "first_steps");
  expect(steps?.steps).toEqual({
    withdrawal_account: false,
    second_factor: false,
    receiver: false,
    batch: false,
  });
  expect(await work(kit.operator, "first_steps")).toEqual([]);
});
