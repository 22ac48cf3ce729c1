import { randomUUID } from "node:crypto";
import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import * as contracts from "@malote/contracts/contestations";
import { contracts as everyContract } from "@malote/contracts/index";
import { announceInfraction, depositPix, reportInfraction } from "@malote/contracts/simulator-payins";
import type { StatementEntry } from "@malote/contracts/statement";
import { analysisStatuses } from "@malote/domain/infraction";
import { contestationPageSizes } from "@malote/domain/limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import {
  announceOutcome,
  defend,
  fetchInfraction,
  fetchInfractions,
  receiveInfraction,
} from "../testing/contestations.ts";
import { infractionCalls } from "../testing/infractions-kit.ts";
import { setCompany } from "../testing/operator-kit.ts";
import {
  auroraKey,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../testing/payments-kit.ts";
import { defaultInfractionTerms } from "./infraction-terms.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { approve, pending, trail } = infractionCalls(() => kit);

const good = { analysis: "rejected", analysis_description: "O cliente recebeu o produto." };

describe("permissions", () => {
  it("MED-002 refuse people without the permission, and SES-053 let analysts only read", async () => {
    const { id } = await receiveInfraction(kit);
    expect((await approve([id], kit.analyst)).status).toBe(403);
    expect((await defend(kit, kit.analyst.token, id, good)).status).toBe(403);
    expect((await fetchInfraction(kit.analyst, id)).analysis_status).toBe("pending");

    const { rows } = await kit.services.db.pool.query(
      "SELECT permissions FROM companies WHERE company_id = $1",
      [demoCompanies[0]?.id],
    );
    const setPermissions = (permissions: readonly string[]) =>
      setCompany(kit.services, demoCompanies[0]?.id ?? "", { permissions });
    await setPermissions(["platform_access", "payin_refund"]);
    // All calls of the area, so that a new call is covered too; the attachment's address is signed and comes with the
    // details.
    const ofArea = everyContract.filter(
      ({ path, policy }) => path.startsWith("/med/") && policy.access === "session",
    );
    expect(ofArea).toHaveLength(10);
    for (const contract of ofArea) {
      const input = { ...(contract.params && { params: { id } }), ...(contract.body && { body: {} }) };
      const answer = await kit.admin.call(contract, input, { "idempotency-key": randomUUID() });
      expect([contract.id, answer.status, answer.body.code]).toEqual([contract.id, 403, "forbidden"]);
    }
    await setPermissions(rows[0].permissions);
    // The other application refuses it even with the permission.
    const validator = await kit.as("helena@aurora.example", "validation");
    for (const contract of ofArea) {
      const input = { ...(contract.params && { params: { id } }), ...(contract.body && { body: {} }) };
      const answer = await validator.call(contract, input, { "idempotency-key": randomUUID() });
      expect([contract.id, answer.status, answer.body.code]).toEqual([contract.id, 403, "forbidden"]);
    }
    expect((await fetchInfraction(kit.admin, id)).analysis_status).toBe("pending");
  });

  it("hide the infractions of another company", async () => {
    const { id } = await receiveInfraction(kit);
    expect((await fetchInfractions(kit.stranger)).items).toEqual([]);
    expect(await pending(kit.stranger)).toBe(0);
    for (const contract of [contracts.readInfraction, contracts.listInfractionRefunds]) {
      expect((await kit.stranger.call(contract, { params: { id } })).status).toBe(404);
    }
    expect((await approve([id], kit.stranger)).status).toBe(404);
    expect((await defend(kit, kit.stranger.token, id, good)).status).toBe(404);
  });

  it("MED-005 accepting the terms records a checkpoint of the person", async () => {
    const location = "HAS_ACCEPTED_INFRACTION_TERMS";
    const exists = async (by = kit.operator) =>
      (await by.call(readCheckpoint, { params: { id: location } })).body.exists;
    expect(await exists()).toBe(false);
    expect((await kit.operator.call(createCheckpoint, { body: { location } })).status).toBe(200);
    expect([await exists(), await exists(kit.admin)]).toEqual([true, false]);
  });

  it("MED-004 reads the text of the terms from the configuration", async () => {
    const terms = async () => (await kit.admin.call(contracts.readInfractionTerms)).body;
    expect(await terms()).toEqual({ text: defaultInfractionTerms });
    kit.services.config.infractionTerms = "O texto de quem opera a instalação.";
    expect(await terms()).toEqual({ text: "O texto de quem opera a instalação." });
    kit.services.config.infractionTerms = undefined;
  });
});

describe("an infraction", () => {
  it("MED-006 has the Pix, its payer masked, and four days", async () => {
    const now = kit.clock.now();
    const { id, endToEndId } = await receiveInfraction(kit, 150_00, {
      situation_type: "account_takeover",
      description: "Não reconheço",
    });
    expect(await fetchInfraction(kit.admin, id)).toEqual({
      id,
      transaction_id: endToEndId,
      txid: null,
      infraction_date: now.toISOString(),
      analysis_due_date: new Date(now.getTime() + 4 * 24 * 3_600_000).toISOString(),
      analysis_status: "pending",
      contested_at: null,
      status: "pending",
      payer_name: "Mariana Teles Prado",
      payer_tax_id: "***.982.247-**",
      amount: 150_00,
      situation_type: "account_takeover",
      infraction_description: "Não reconheço",
      analysis_description: null,
      analysis_date: null,
      files: [],
      user: null,
      refund: null,
      approval_request: null,
      payin_id: expect.any(String),
      returnable_amount: 150_00,
    });
    expect(await trail(id)).toEqual(["system infraction_reported"]);
  });

  it("MED-006 has the integration id of a Pix that came with one", async () => {
    const body = { pix_key: auroraKey, value: 20_00, txid: "PEDIDO77" };
    const { body: paid } = await kit.call(depositPix, { body });
    await kit.pass({ seconds: 1 });
    const complaint = { end_to_end_id: paid.end_to_end_id, situation_type: "scam" };
    await kit.call(reportInfraction, { body: complaint });
    await kit.infractions.deliverDue();
    await kit.drainJobs();
    const { items } = await fetchInfractions(kit.admin, { transaction_id: paid.end_to_end_id });
    expect(items).toMatchObject([{ txid: "PEDIDO77", amount: 20_00 }]);
  });

  it("is e-mailed to the company's admins, with the time left to answer", async () => {
    kit.mails.splice(0);
    const { id } = await receiveInfraction(kit, 321_00);
    expect(kit.mails).toMatchObject([{ to: "helena@aurora.example" }]);
    expect(kit.mails[0]?.subject).toMatch(
      /^Responda até \d\d\/\d\d\/2026 \d\d:\d\d: contestação de um Pix de R\$\s321,00$/,
    );
    expect(kit.mails[0]?.text).toContain(`/contestacoes/infracoes/${id}`);
  });

  it("is stored once when it is reported twice, and refused for a Pix that was never received", async () => {
    const { providerId, endToEndId } = await receiveInfraction(kit);
    const before = await pending();
    await kit.services.db.pool.query(
      "UPDATE sandbox.infraction_events SET delivered_at = NULL WHERE id LIKE $1",
      [`${providerId}%`],
    );
    await kit.infractions.deliverDue();
    expect(await pending()).toBe(before);
    const unknown = { end_to_end_id: `${endToEndId}0`, situation_type: "scam" };
    expect((await kit.call(reportInfraction, { body: unknown })).status).toBe(404);
  });
});

describe("the list", () => {
  it("MED-014 MED-017 pages in the five sizes, forward and back", async () => {
    const made: string[] = [];
    for (let n = 0; n < 31; n++) {
      kit.clock.advance({ minutes: 1 });
      made.unshift((await receiveInfraction(kit, 1_00)).id);
    }
    const first = await fetchInfractions(kit.admin);
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual(made.slice(0, 10));
    expect(first.meta.previous).toBeNull();
    const second = await fetchInfractions(kit.admin, { page_cursor: first.meta.next, page_size: "10" });
    expect(second.items[0].id).toBe(made[10]);
    const back = await fetchInfractions(kit.admin, { page_cursor: second.meta.previous });
    expect(back).toEqual(first);
    // The next page has the filters of the first one.
    await approve([made[12] ?? ""]);
    const open = { analysis_status: "pending", page_cursor: first.meta.next };
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    expect(idsOf(await fetchInfractions(kit.admin, open))).toEqual([
      ...made.slice(10, 12),
      ...made.slice(13, 21),
    ]);
    const twenty = await fetchInfractions(kit.admin, { page_size: "20", page_cursor: first.meta.next });
    expect(idsOf(twenty)).toEqual(made.slice(10, 30));
    expect((await fetchInfractions(kit.admin, { page_size: "100" })).meta).toEqual({
      next: null,
      previous: null,
    });

    expect(contestationPageSizes).toEqual([10, 20, 30, 50, 100]);
    const counts: number[] = [];
    for (const size of contestationPageSizes)
      counts.push((await fetchInfractions(kit.admin, { page_size: String(size) })).items.length);
    const whole = counts.at(-1) ?? 0;
    expect(counts).toEqual([10, 20, 30, whole, whole]);
    expect(whole).toBeGreaterThan(30);
    expect(whole).toBeLessThan(50);
    for (const query of [
      { page_size: "11" },
      { page_size: "0" },
      { page_size: "x" },
      { page_cursor: "zz" },
    ]) {
      expect((await kit.admin.call(contracts.listInfractions, { query })).status).toBe(400);
    }
  });

  it("MED-014 filters by status, Pix, payer and days of São Paulo", async () => {
    const { id, endToEndId } = await receiveInfraction(kit);
    const ids = async (query: Record<string, string>) =>
      (await fetchInfractions(kit.admin, { page_size: "100", ...query })).items.map(
        (item: { id: string }) => item.id,
      );
    expect(await ids({ transaction_id: endToEndId })).toEqual([id]);
    expect(await ids({ transaction_id: endToEndId.slice(-11).toUpperCase() })).toEqual([id]);
    expect(await ids({ payer_tax_id: "52998224725" })).toContain(id);
    expect(await ids({ payer_tax_id: "11144477735" })).toEqual([]);
    for (const analysis_status of analysisStatuses)
      expect((await ids({ analysis_status })).includes(id)).toBe(analysis_status === "pending");
    const day = "2026-08-12";
    expect(await ids({ infraction_date__gte: day, infraction_date__lte: day })).toContain(id);
    expect(await ids({ infraction_date__gte: "2026-08-13" })).not.toContain(id);
    expect(await ids({ infraction_date__lte: "2026-08-11" })).not.toContain(id);
    // The last hour of the day in São Paulo, when UTC is a day ahead, and the first moment of the next day.
    kit.clock.set("2026-08-13T02:59:59.998Z");
    const late = (await receiveInfraction(kit)).id;
    kit.clock.set("2026-08-13T03:00:00Z");
    const next = (await receiveInfraction(kit)).id;
    const among = async (query: Record<string, string>) =>
      (await ids(query)).filter((one: string) => [late, next].includes(one));
    expect(await among({ infraction_date__gte: day, infraction_date__lte: day })).toEqual([late]);
    expect(await among({ infraction_date__gte: "2026-08-13" })).toEqual([next]);
    expect(
      (await kit.admin.call(contracts.listInfractions, { query: { analysis_status: "novo" } })).status,
    ).toBe(400);
  });

  it("MED-022 SHL-031 counts infractions that can still be answered", async () => {
    const before = await pending();
    const { id, providerId } = await receiveInfraction(kit);
    const other = await receiveInfraction(kit);
    expect(await pending()).toBe(before + 2);
    await announceOutcome(kit, providerId, "contested_by_email");
    expect(await pending()).toBe(before + 1);
    expect((await approve([other.id])).status).toBe(200);
    expect(await pending()).toBe(before);
    expect((await fetchInfraction(kit.admin, id)).analysis_status).toBe("pending");
  });
});

describe("approving", () => {
  it("MED-021 MED-027 returns each payer's money immediately and finally", async () => {
    const [a, b] = [await receiveInfraction(kit, 100_00), await receiveInfraction(kit, 50_00)];
    const before = await fetchBalance(kit.admin);
    const key = randomUUID();
    expect((await approve([a.id, b.id, a.id], kit.admin, key)).body).toEqual({ approved: 2 });
    expect((await approve([a.id, b.id, a.id], kit.admin, key)).body).toEqual({ approved: 2 });
    expect(await fetchBalance(kit.admin)).toBe(before - 150_00);

    const answered = await fetchInfraction(kit.admin, a.id);
    expect(answered).toMatchObject({
      analysis_status: "accepted",
      user: { name: "Helena Prado" },
      analysis_date: kit.clock.now().toISOString(),
      refund: { status: "closed", refunded_amount: 100_00, refund_date: kit.clock.now().toISOString() },
    });
    expect((await approve([a.id])).body).toMatchObject({
      code: "infractions_not_pending",
      data: { count: 1 },
    });
    expect((await defend(kit, kit.admin.token, a.id, good)).body.code).toBe("infraction_answered");
    const { entries } = await fetchStatement(kit.admin);
    const returned = new Map(
      entries
        .slice(0, 2)
        .map(({ type, value, complement }: StatementEntry) => [complement.end_to_end_id, { type, value }]),
    );
    expect(returned.get(a.endToEndId)).toEqual({ type: "DEPOSIT_REFUND", value: -100_00 });
    expect(returned.get(b.endToEndId)).toEqual({ type: "DEPOSIT_REFUND", value: -50_00 });
  });

  it("MED-020 approves either all chosen infractions or none, and never others", async () => {
    const [a, contested] = [await receiveInfraction(kit), await receiveInfraction(kit)];
    await announceOutcome(kit, contested.providerId, "contested_by_email");
    expect((await approve([a.id, contested.id])).body.code).toBe("infractions_not_pending");
    expect((await approve([a.id, randomUUID()])).status).toBe(404);
    expect((await fetchInfraction(kit.admin, a.id)).analysis_status).toBe("pending");
    for (const body of [
      { infraction_ids: [], analysis: "accepted" },
      { infraction_ids: [a.id], analysis: "rejected" },
      { infraction_ids: [a.id] },
    ]) {
      const answer = await kit.admin.call(
        contracts.approveInfractions,
        { body },
        { "idempotency-key": randomUUID() },
      );
      expect(answer.status).toBe(400);
    }
  });

  it("takes effect once when several people approve concurrently", async () => {
    const { id } = await receiveInfraction(kit, 70_00);
    const before = await fetchBalance(kit.admin);
    const answers = await Promise.all([
      approve([id]),
      approve([id]),
      defend(kit, kit.operator.token, id, { ...good, analysis: "accepted" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await fetchBalance(kit.admin)).toBe(before - 70_00);
  });
});

describe("the opinion of the infraction service", () => {
  it("MED-009 for the payer returns the money although the company defended the sale", async () => {
    const { id, providerId } = await receiveInfraction(kit, 80_00);
    await defend(kit, kit.admin.token, id, good);
    const before = await fetchBalance(kit.admin);
    await announceOutcome(kit, providerId, "agreed");
    expect(await fetchInfraction(kit.admin, id)).toMatchObject({
      analysis_status: "rejected",
      status: "agreed",
      refund: { status: "closed", refunded_amount: 80_00 },
    });
    expect(await fetchBalance(kit.admin)).toBe(before - 80_00);
    // An opinion is final and given once.
    expect(
      (await kit.call(announceInfraction, { params: { id: providerId }, body: { kind: "disagreed" } }))
        .status,
    ).toBe(409);
  });

  it("MED-007 is the answer if the company gave none", async () => {
    const [contested, open] = [await receiveInfraction(kit), await receiveInfraction(kit)];
    await announceOutcome(kit, contested.providerId, "contested_by_email");
    await announceOutcome(kit, contested.providerId, "disagreed");
    expect(await fetchInfraction(kit.admin, contested.id)).toMatchObject({
      analysis_status: "rejected",
      status: "disagreed",
      refund: null,
    });
    await announceOutcome(kit, open.providerId, "canceled");
    expect(await fetchInfraction(kit.admin, open.id)).toMatchObject({
      analysis_status: "canceled",
      status: "canceled",
      user: null,
    });
    expect((await approve([open.id])).status).toBe(409);
  });
});

describe("the time to answer", () => {
  it("MED-007 MED-012 ends after four days to the second, and then the money is returned", async () => {
    const { id, providerId } = await receiveInfraction(kit, 60_00);
    const contested = await receiveInfraction(kit, 10_00);
    await announceOutcome(kit, contested.providerId, "contested_by_email");
    const before = await fetchBalance(kit.admin);
    const others = await pending();
    await kit.pass({ days: 4, seconds: -1 });
    expect((await fetchInfraction(kit.admin, id)).analysis_status).toBe("pending");
    expect(await fetchBalance(kit.admin)).toBeLessThanOrEqual(before);
    kit.clock.advance({ seconds: 1 });
    // An answer after the deadline is refused, even before the scheduled work runs.
    expect((await approve([id])).status).toBe(409);
    expect((await defend(kit, kit.admin.token, id, good)).body.code).toBe("infraction_overdue");
    await kit.pass({});
    expect(await fetchInfraction(kit.admin, id)).toMatchObject({
      analysis_status: "delayed",
      user: null,
      refund: { status: "closed", refunded_amount: 60_00 },
    });
    expect(await trail(id)).toEqual([
      "system infraction_reported",
      "system infraction_expired",
      "system infraction_refunded",
      "system infraction_judged",
    ]);
    expect((await fetchInfraction(kit.admin, contested.id)).analysis_status).toBe("pending");
    expect(others).toBeGreaterThan(0);
    expect(await pending()).toBe(0);
    const { rows } = await kit.services.db.pool.query(
      "SELECT answer FROM sandbox.infractions WHERE id = $1",
      [providerId],
    );
    expect(rows[0].answer.analysis).toBe("delayed");
  });
});
