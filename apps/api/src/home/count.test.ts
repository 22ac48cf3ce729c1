/** The count on every page equals the number of items on the home page, for each kind and person. */
import { countWork, type Home, readHome, type WorkKind } from "@malote/contracts/home";
import { raiseClaim } from "@malote/contracts/simulator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings } from "../company/store.ts";
import { statementsIn } from "../platform/db/batch.ts";
import type { Person } from "../testing/app.ts";
import { billingCalls } from "../testing/billing-kit.ts";
import { receiveInfraction } from "../testing/contestations.ts";
import {
  bandsOf,
  type ControlsKit,
  openControls,
  sentToApproval,
  withdraw,
} from "../testing/controls-kit.ts";
import { auroraId, auroraKey, closing, companyIs, draft, pix } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls({ balance: 0 });
  second = await kit.colleague();
});
afterEach(() => kit.close());

const home = async (by: Person): Promise<Home> => (await by.call(readHome)).body;
const counted = async (by: Person): Promise<number> => (await by.call(countWork)).body.count;

/** Reads the count of a kind for each person, and checks that the list agrees for all of them. */
async function listed(kind: WorkKind): Promise<number[]> {
  const found: number[] = [];
  for (const by of [kit.admin, second, kit.operator, kit.analyst]) {
    const { work, count } = await home(by);
    expect([await counted(by), count]).toEqual([work.length, work.length]);
    found.push(work.filter((item) => item.kind === kind).length);
  }
  return found;
}

const failing = {
  name: "Pessoa",
  pix_key_type: "EMAIL",
  pix_key: "chave.pix15@exemplo.com.br",
} as const;

describe("counts the same number as it lists of", () => {
  it("batches to approve if any admin may", async () => {
    for (const by of [kit.operator, kit.admin]) await sentToApproval(by);
    expect(await listed("approve_batch")).toEqual([2, 2, 0, 0]);
  });

  it("batches to approve if another person must, who was not added by the preparer", async () => {
    await kit.inForce({ bands: bandsOf([0, 0], [50_00, 1]) });
    await sentToApproval(kit.admin, [pix(100_00)]);
    await sentToApproval(kit.admin, [pix(10_00)]);
    await sentToApproval(kit.operator, [pix(100_00)]);
    expect(await listed("approve_batch")).toEqual([2, 3, 0, 0]);
    await sentToApproval(await kit.addPerson(second, "nova@aurora.example", "operator"), [pix(100_00)]);
    expect(await listed("approve_batch")).toEqual([3, 3, 0, 0]);
  });

  it("batches to approve, for an operator whom the controls name, and for a new person", async () => {
    await kit.inForce({
      operatorApprovers: [await kit.fetchId("rui@aurora.example")],
      bands: bandsOf([0, 1]),
    });
    await sentToApproval(kit.operator);
    await sentToApproval(kit.admin);
    expect(await listed("approve_batch")).toEqual([1, 2, 1, 0]);
    await kit.query("UPDATE users SET known_since = $1 WHERE email = 'segunda@aurora.example'", [
      kit.clock.now(),
    ]);
    expect(await listed("approve_batch")).toEqual([1, 0, 1, 0]);
  });

  it("requests to decide", async () => {
    await kit.deposit(500_00);
    await kit.inForce({ bands: bandsOf([0, 1]) });
    await companyIs(kit, "11222333000181");
    await withdraw(kit.admin, 100_00);
    expect(await listed("approve_request")).toEqual([0, 1, 0, 0]);
  });

  it("batches without money", async () => {
    for (const value of [80_00, 60_00]) await closing(kit.admin, (await draft(kit.admin, [pix(value)])).id);
    expect(await listed("fund_batch")).toEqual([2, 2, 0, 0]);
  });

  it("batches with failures", async () => {
    await kit.deposit(100_00);
    const { id } = await draft(kit.admin, [pix(30_00, { destination_bank_account: failing }), pix(10_00)]);
    await closing(kit.admin, id);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await listed("resolve_failures")).toEqual([1, 1, 1, 0]);
  });

  it("drafts with past days, and no others", async () => {
    await draft(kit.operator, [
      pix(30_00, { payment_date: "2026-08-13" }),
      pix(10_00, { payment_date: "2026-08-13" }),
    ]);
    await draft(kit.operator, [pix(30_00)]);
    await kit.pass({ days: 3 });
    expect(await listed("choose_dates")).toEqual([1, 1, 1, 0]);
  });

  it("infractions that can still be answered, and no others", async () => {
    await receiveInfraction(kit);
    expect(await listed("answer_infraction")).toEqual([1, 1, 1, 0]);
    await kit.pass({ days: 4 });
    expect(await listed("answer_infraction")).toEqual([0, 0, 0, 0]);
  });

  it("claims of keys", async () => {
    await kit.call(raiseClaim, { body: { key: auroraKey, kind: "PORTABILITY" } });
    await kit.pass({ seconds: 1 });
    expect(await listed("answer_claim")).toEqual([1, 1, 0, 0]);
  });

  it("invoices, while the company is shown them", async () => {
    const { payAt, at } = billingCalls(() => kit);
    await payAt("2026-08-20T13:00:00Z");
    await at("2026-09-01T10:00:00Z");
    const shows = (showFinanceInfo: boolean) =>
      kit.services.db.withCompany(auroraId, (tx) => changeSettings(tx, { showFinanceInfo }));
    await shows(true);
    expect(await listed("pay_invoice")).toEqual([1, 1, 0, 0]);
    await shows(false);
    expect(await listed("pay_invoice")).toEqual([0, 0, 0, 0]);
  });

  it("first steps", async () => {
    await kit.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    expect(await listed("first_steps")).toEqual([1, 1, 0, 0]);
  });
});

it("runs no more queries for many batches than for one, and counts at most twenty of a kind", async () => {
  const requested = countStatements();
  const statementsOfCount = async () => {
    // The caller is cached from the previous call.
    await counted(kit.admin);
    requested.count = 0;
    await counted(kit.admin);
    return requested.count;
  };
  await sentToApproval(kit.operator);
  const forOne = await statementsOfCount();
  for (let n = 0; n < 21; n++) await sentToApproval(kit.operator);
  expect(await statementsOfCount()).toBe(forOne);
  expect(await listed("approve_batch")).toEqual([20, 20, 0, 0]);
});

/** The connections that screens read through. */
function countStatements() {
  const requested = { count: 0 };
  kit.services.db.readers.on("acquire", (client) => {
    const watched = client as unknown as { query(...given: unknown[]): unknown; isWatched?: true };
    if (watched.isWatched) return;
    watched.isWatched = true;
    const query = watched.query.bind(client);
    watched.query = (...given) => {
      const sent = query(...given);
      requested.count += statementsIn(given[0]).length;
      return sent;
    };
  });
  return requested;
}
