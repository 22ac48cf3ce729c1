/** Where withdrawals go: to the company alone, and not on the day it was changed. */
import { readCompanyBankAccount, saveCompanyBankAccount } from "@malote/contracts/company";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveBankAccount } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import { approveOne, type ControlsKit, openControls, requestsOf, withdraw } from "../testing/controls-kit.ts";
import { auroraId, balanceOf, ownAccount } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

const saveAccount = (by: Person, change: object = {}) =>
  by.call(saveCompanyBankAccount, { body: { ...ownAccount, ...change } });

describe("the withdrawal account", () => {
  it.each([
    ["a stranger's", { cpfCnpj: "52998224725", name: "Zé Laranja" }, "withdrawal_account_not_yours"],
    ["the company's document, another name", { name: "Zé Laranja" }, "withdrawal_account_name"],
    ["another company's", { cpfCnpj: "48L7XQ9B000106" }, "withdrawal_account_not_yours"],
  ])("is nobody's but the company's own: %s", async (_what, change, code) => {
    const before = (await kit.admin.call(readCompanyBankAccount)).body;
    const answer = await saveAccount(kit.admin, change);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect((await kit.admin.call(readCompanyBankAccount)).body).toEqual(before);
    expect(await kit.subjects()).toEqual([]);
  });

  it("takes no money when it was somebody else's before the rule was there", async () => {
    await kit.parts.db.withCompany(auroraId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, cpfCnpj: "52998224725", name: "Zé Laranja" }),
    );
    const answer = await withdraw(kit.admin, 2_500_00);
    expect([answer.status, answer.body.code]).toEqual([422, "withdrawal_account_not_yours"]);
    expect(await balanceOf(kit.admin)).toBe(100_000_00);
  });

  it("is changed by a person only", async () => {
    const answer = await kit.byMachine(await kit.installed(), saveCompanyBankAccount, { body: ownAccount });
    expect([answer.status, answer.body.code]).toEqual([403, "forbidden"]);
  });

  it("takes no withdrawal for a day after it became another one, and every admin is notified", async () => {
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
    expect(
      (
        await saveAccount(kit.admin, {
          account: "13004578",
          account_digit: "8",
          bank_id: "90400888",
          agency: "2291",
        })
      ).body,
    ).toEqual({ ok: true });
    expect(await kit.subjects()).toEqual([
      "helena@aurora.example A conta para saque da sua empresa mudou",
      "segunda@aurora.example A conta para saque da sua empresa mudou",
    ]);
    const frozen = await withdraw(kit.admin, 1_00);
    expect([frozen.status, frozen.body.code]).toEqual([422, "withdrawals_frozen"]);
    expect(frozen.body.message).toContain("13/08 às 10:00");
    // Saving the same again neither freezes anew nor thaws.
    await kit.pass({ hours: 23, minutes: 59 });
    await saveAccount(kit.admin, {
      account: "13004578",
      account_digit: "8",
      bank_id: "90400888",
      agency: "2291",
    });
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("withdrawals_frozen");
    await kit.pass({ minutes: 1 });
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
  });

  it("is not frozen as the first one a company gives", async () => {
    await kit.parts.db.pool.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    expect((await saveAccount(kit.admin)).status).toBe(200);
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
  });

  it("is approved like money where another person is asked for", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    const changed = { account: "13004578", account_digit: "8", bank_id: "90400888", agency: "2291" };
    expect((await saveAccount(kit.admin, changed)).body).toEqual({ ok: true, awaits_approval: true });
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("56789");
    const [request] = await requestsOf(kit.admin);
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("13004578");
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("withdrawals_frozen");
  });
});
