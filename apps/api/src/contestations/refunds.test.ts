import { randomUUID } from "node:crypto";
import * as contracts from "@malote/contracts/contestations";
import { readPayin, refundPayin } from "@malote/contracts/payins";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { tidyExports } from "../exports/index.ts";
import { findPayinByEndToEndId } from "../payins/index.ts";
import { fileKinds } from "../registry.ts";
import {
  announceOutcome,
  fetchInfraction,
  fetchInfractions,
  receiveInfraction,
} from "../testing/contestations.ts";
import { setCompany } from "../testing/operator-kit.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  fetchBalance,
  openPayments,
  type PaymentsKit,
  pix,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const approve = (id: string) =>
  kit.admin.call(
    contracts.approveInfractions,
    { body: { infraction_ids: [id], analysis: "accepted" } },
    { "idempotency-key": randomUUID() },
  );
const movements = async (id: string, query: Record<string, string> = {}) =>
  (await kit.admin.call(contracts.listInfractionRefunds, { params: { id }, query })).body;
const fetchRefund = async (id: string) => (await fetchInfraction(kit.admin, id)).refund;
/** The whole balance is paid to another receiver. */
async function spend(left = 0): Promise<void> {
  const { id } = await draft(kit.admin, [pix((await fetchBalance(kit.admin)) - left)]);
  expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
  await kit.drainJobs();
}
const payin = (endToEndId: string) =>
  kit.services.db.withCompany(auroraId, (tx) => findPayinByEndToEndId(tx, endToEndId));

it("PAY-020 shows people with the permission the received amount, and how much an approval would still return", async () => {
  const { id, endToEndId } = await receiveInfraction(kit, 77_00);
  const received = await payin(endToEndId);
  expect(await fetchInfraction(kit.admin, id)).toMatchObject({
    payin_id: received?.id,
    returnable_amount: 77_00,
  });
  const shown = await kit.admin.call(readPayin, { params: { id: received?.id ?? "" } });
  expect(shown.body.infraction_ids).toEqual([id]);
  // MED-002: people without the permission see no infraction here either.
  await setCompany(kit.services, auroraId, { permissions: ["platform_access"] });
  const unseen = await kit.admin.call(readPayin, { params: { id: received?.id ?? "" } });
  expect([unseen.status, unseen.body.infraction_ids]).toEqual([200, []]);
  await setCompany(kit.services, auroraId, { permissions: ["all"] });
  const giveBack = { params: { id: received?.id ?? "" }, body: { amount: 77_00 } };
  await kit.admin.call(refundPayin, giveBack, { "idempotency-key": randomUUID() });
  expect(await fetchInfraction(kit.admin, id)).toMatchObject({ amount: 77_00, returnable_amount: 0 });
});

describe("a return that the balance does not cover", () => {
  it("MED-021 MED-036 MED-039 MED-040 MED-041 is paid from incoming money, before any batch that waits", async () => {
    const { id, endToEndId } = await receiveInfraction(kit, 100_00);
    await spend(30_00);
    expect((await approve(id)).status).toBe(200);
    const begun = kit.clock.now();
    expect(await fetchRefund(id)).toEqual({
      status: "pending",
      refunded_amount: 30_00,
      refund_date: begun.toISOString(),
      monitoring_end_date: new Date(begun.getTime() + 90 * 24 * 3_600_000).toISOString(),
    });
    expect(await payin(endToEndId)).toMatchObject({ status: "partially_refunded", refunded_amount: 30_00 });

    const waiting = await draft(kit.admin, [pix(50_00)]);
    expect((await closing(kit.admin, waiting.id)).body.is_batch_paid).toBe(false);
    kit.clock.advance({ days: 1 });
    await kit.deposit(60_00);
    expect(await fetchRefund(id)).toMatchObject({ status: "pending", refunded_amount: 90_00 });
    expect((await batch(kit.admin, waiting.id)).status).toBe("WAITING");
    kit.clock.advance({ minutes: 1 });
    await kit.deposit(60_00);
    expect(await fetchRefund(id)).toMatchObject({
      status: "closed",
      refunded_amount: 100_00,
      refund_date: kit.clock.now().toISOString(),
    });
    expect((await batch(kit.admin, waiting.id)).status).not.toBe("WAITING");
    expect(await fetchBalance(kit.admin)).toBe(0);

    const { items } = await movements(id);
    expect(
      items.map(({ attempt_status, amount }: contracts.InfractionRefundMovement) => [attempt_status, amount]),
    ).toEqual([
      ["succeeded", 10_00],
      ["succeeded", 60_00],
      ["succeeded", 30_00],
    ]);
    expect(await payin(endToEndId)).toMatchObject({ status: "refunded", refunded_amount: 100_00 });
  });

  it("MED-037 MED-040 lists a try without money, finds it by the id of its return, and pages", async () => {
    const { id } = await receiveInfraction(kit, 100_00);
    const other = await receiveInfraction(kit, 50_00);
    await spend();
    await approve(id);
    expect((await movements(id)).items).toMatchObject([
      { attempt_status: "failed", amount: 100_00, return_id: null },
    ]);
    expect(await fetchRefund(id)).toMatchObject({ status: "pending", refunded_amount: 0, refund_date: null });
    for (let n = 0; n < 10; n++) {
      kit.clock.advance({ minutes: 1 });
      await kit.deposit(1_00);
    }
    const first = await movements(id);
    expect(first.items).toHaveLength(10);
    expect((await movements(id, { page_size: "20" })).items).toHaveLength(11);
    const second = await movements(id, { page_cursor: first.meta.next });
    expect(
      second.items.map(({ attempt_status }: contracts.InfractionRefundMovement) => attempt_status),
    ).toEqual(["failed"]);
    expect((await movements(id, { page_cursor: second.meta.previous })).items).toEqual(first.items);
    const { return_id } = first.items[3];
    expect(return_id).toMatch(/^D99999593\d{12}[0-9a-f]{11}$/);
    for (const search of [return_id.toLowerCase(), return_id.slice(3)])
      expect((await movements(id, { search })).items).toEqual([first.items[3]]);
    expect((await movements(id, { search: "nada" })).items).toEqual([]);
    expect(second.meta.next).toBeNull();
    expect(new Set([...first.items, ...second.items].map((movement) => movement.id)).size).toBe(11);
    // The next page of a search has the found returns alone.
    const found = { search: "D99999593", page_cursor: first.meta.next };
    expect(await movements(id, found)).toEqual({ items: [], meta: { next: null, previous: null } });
    // Another infraction has its own tries, which appear in no other history.
    await approve(other.id);
    expect((await movements(other.id)).items).toMatchObject([{ attempt_status: "failed", amount: 50_00 }]);
    expect((await movements(id, { page_size: "20" })).items).toHaveLength(11);
  });

  it("MED-038 has a history of tries over three months, and no longer", async () => {
    const { id } = await receiveInfraction(kit, 100_00);
    await spend();
    await approve(id);
    const begun = kit.clock.now().getTime();
    kit.clock.advance({ days: 89 });
    await kit.deposit(1_00);
    const announced = (await movements(id)).items;
    expect(announced.map(({ attempt_status: status }: contracts.InfractionRefundMovement) => status)).toEqual(
      ["succeeded", "failed"],
    );
    expect(Date.parse(announced[1].attempt_date)).toBe(begun);
    kit.clock.advance({ days: 2 });
    await kit.deposit(1_00);
    expect((await movements(id)).items).toEqual(announced);
  });

  it("MED-041 stops after ninety days, by a contrary opinion, and when the payer has all of the money", async () => {
    const [late, doubted, given] = [
      await receiveInfraction(kit, 10_00),
      await receiveInfraction(kit, 10_00),
      await receiveInfraction(kit, 10_00),
    ];
    await spend();
    for (const { id } of [late, doubted, given]) await approve(id);
    // The simulated provider agrees at once with an accepted report, so the test asks for its opinion again.
    await kit.services.db.pool.query("UPDATE sandbox.infractions SET told = 'reported' WHERE id = $1", [
      doubted.providerId,
    ]);
    await announceOutcome(kit, doubted.providerId, "disagreed");
    expect(await fetchRefund(doubted.id)).toMatchObject({ status: "canceled", refunded_amount: 0 });

    await kit.pass({ days: 90, seconds: -1 });
    expect(await fetchRefund(late.id)).toMatchObject({ status: "pending" });
    await kit.pass({ seconds: 1 });
    expect(await fetchRefund(late.id)).toMatchObject({ status: "closed", refunded_amount: 0 });
    await kit.deposit(50_00);
    expect(await fetchBalance(kit.admin)).toBe(50_00);
  });

  it("is complete if the company had refunded part of the Pix before", async () => {
    const { id, endToEndId } = await receiveInfraction(kit, 100_00);
    const params = { id: (await payin(endToEndId))?.id as string };
    const key = { "idempotency-key": randomUUID() };
    expect((await kit.admin.call(refundPayin, { params, body: { amount: 40_00 } }, key)).status).toBe(200);
    await kit.drainJobs();
    await kit.pass({ seconds: 5 });
    expect((await approve(id)).status).toBe(200);
    expect(await payin(endToEndId)).toMatchObject({ status: "refunded", refunded_amount: 100_00 });
    expect(await fetchRefund(id)).toMatchObject({ status: "closed", refunded_amount: 60_00 });
  });

  it("never returns more of a Pix than its unreturned part", async () => {
    const { id, endToEndId } = await receiveInfraction(kit, 100_00);
    await kit.charges.block({ companyId: auroraId, endToEndId, reason: "Suspeita de fraude" });
    await kit.network.deliverDue();
    expect(await payin(endToEndId)).toMatchObject({ status: "blocked" });
    expect(await fetchBalance(kit.admin)).toBe(0);
    // The blocked part of the Pix is returned first.
    await approve(id);
    expect(await fetchRefund(id)).toMatchObject({ status: "closed", refunded_amount: 100_00 });
    expect(await payin(endToEndId)).toMatchObject({ status: "refunded" });
    await kit.deposit(40_00);
    expect(await fetchBalance(kit.admin)).toBe(40_00);
  });
});

describe("the list as a file", () => {
  const makeCall = (body: object = {}, by = kit.operator) => by.call(contracts.exportInfractions, { body });
  const state = async (id: string, by = kit.operator) =>
    (await by.call(contracts.readInfractionExport, { params: { id } })).body;

  const trail = async (id: string) => {
    const { rows } = await kit.services.db.pool.query<{ action: string; actor_kind: string }>(
      "SELECT action, actor_kind FROM audit_entries WHERE subject_id = $1 ORDER BY id",
      [id],
    );
    return rows.map(({ action, actor_kind }) => `${actor_kind} ${action}`);
  };

  it("MED-024 MED-025 has the filters of the list, is announced by e-mail, is safe to open, and expires after seven days", async () => {
    const { id: approved } = await receiveInfraction(kit, 1_234_56, { description: "=HYPERLINK(1)" });
    await approve(approved);
    await receiveInfraction(kit, 77_00);
    kit.mails.splice(0);
    const requested = await makeCall({ analysis_status: "accepted" });
    const { id } = requested.body;
    expect(requested.body).toEqual({
      id,
      status: "processing",
      file_url: null,
      file_name: "Infrações 2026-08-12.csv",
    });
    const file = (by = kit.operator) => by.call(contracts.downloadInfractionExport, { params: { id } });
    expect((await file()).body.code).toBe("infraction_export_not_ready");
    await kit.drainJobs();
    const made = await state(id);
    expect(made).toMatchObject({
      status: "succeeded",
      file_url: `/api/payments/med/infractions/export/${id}/file`,
    });
    const followed = await kit.operator.get(made.file_url);
    expect([followed.status, followed.headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(followed.body).toContain('"Mariana Teles Prado"');
    expect(kit.mails).toMatchObject([
      { to: "rui@aurora.example", subject: "A lista de infrações está pronta" },
    ]);
    expect(kit.mails[0]?.text).toContain(`/contestacoes/infracoes?exportacao=${id}`);

    const lines = String((await file()).body)
      .trim()
      .split("\r\n");
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^"Data";"Prazo";"Pagador";"CPF ou CNPJ";/);
    expect(lines[1]).toContain('"Mariana Teles Prado";"***.982.247-**";');
    expect(lines[1]).toContain(`;"1.234,56";"Golpe";"'=HYPERLINK(1)";"Procedente";"Aprovada";`);

    const rowsFor = async (filters: object) => {
      const { body: made } = await makeCall(filters);
      await kit.drainJobs();
      const sheet = await kit.operator.call(contracts.downloadInfractionExport, { params: { id: made.id } });
      return sheet.body.trim().split("\r\n").length - 1;
    };
    const [pix] = (await fetchInfractions(kit.admin, { analysis_status: "accepted" })).items;
    const day = "2026-08-12";
    expect([
      await rowsFor({}),
      await rowsFor({ transaction_id: pix.transaction_id }),
      await rowsFor({ payer_tax_id: "52998224725" }),
      await rowsFor({ payer_tax_id: "11144477735" }),
      await rowsFor({ infraction_date__gte: day, infraction_date__lte: day }),
      await rowsFor({ infraction_date__gte: "2026-08-13" }),
      await rowsFor({ infraction_date__lte: "2026-08-11" }),
    ]).toEqual([2, 1, 2, 0, 2, 0, 0]);

    expect((await state(id, kit.stranger)).code).toBe("not_found");
    expect((await file(kit.stranger)).status).toBe(404);
    kit.clock.advance({ days: 7, seconds: -1 });
    expect([(await state(id)).status, (await file()).status]).toEqual(["succeeded", 200]);
    kit.clock.advance({ seconds: 1 });
    expect((await state(id)).status).toBe("expired");
    expect((await file()).body.code).toBe("infraction_export_expired");
    await tidyExports(fileKinds, kit.services);
    const kept: string[] = [];
    for await (const { key } of kit.services.files.list("exports")) kept.push(key);
    expect(kept).toEqual([]);
    expect(await trail(id)).toEqual(["user infractions_exported", "system infractions_export_removed"]);
  });

  it("MED-024 contains each infraction of a long list once", async () => {
    const first = await receiveInfraction(kit, 1_00);
    await kit.services.db.pool.query(
      `INSERT INTO infractions (company_id, id, provider_id, transaction_id, amount, payer_name, payer_tax_id,
         situation_type, infraction_date, analysis_due_at)
       SELECT company_id, gen_random_uuid(), provider_id || n, left(transaction_id, 27) || lpad(n::text, 5, '0'), amount,
         payer_name, payer_tax_id, situation_type, infraction_date, analysis_due_at
       FROM infractions, generate_series(1, 1001) n WHERE id = $1`,
      [first.id],
    );
    const { body: requested } = await makeCall();
    await kit.drainJobs();
    const sheet = await kit.operator.call(contracts.downloadInfractionExport, {
      params: { id: requested.id },
    });
    const lines: string[] = sheet.body.trim().split("\r\n").slice(1);
    expect(lines).toHaveLength(1_002);
    expect(new Set(lines.map((line) => line.split(";")[4])).size).toBe(1_002);
  });

  it("is made three at a time; a request without a job fails with a message, and one with a job is unchanged", async () => {
    const [lost, living] = [(await makeCall()).body.id, (await makeCall()).body.id];
    expect((await makeCall()).status).toBe(200);
    expect((await makeCall()).body.code).toBe("infraction_exports_at_once");
    kit.enqueued.splice(0);
    kit.mails.splice(0);
    await kit.services.db.pool.query("INSERT INTO pgboss.job VALUES ('make-export', 'retry', $1)", [
      { companyId: auroraId, exportId: living },
    ]);
    await tidyExports(fileKinds, kit.services);
    expect((await state(lost)).status).toBe("processing");
    kit.clock.advance({ hours: 1, seconds: 1 });
    await tidyExports(fileKinds, kit.services);
    await tidyExports(fileKinds, kit.services);
    await kit.drainJobs();
    expect([(await state(lost)).status, (await state(living)).status]).toEqual(["failed", "processing"]);
    // Two of the three are listed.
    const mail = {
      to: "rui@aurora.example",
      subject: "Não foi possível preparar a lista de infrações",
    };
    expect(kit.mails).toMatchObject([mail, mail]);
    expect(await trail(lost)).toEqual(["user infractions_exported", "system infractions_export_given_up"]);
    expect((await makeCall()).status).toBe(200);
    kit.enqueued.splice(0);
  });
});
