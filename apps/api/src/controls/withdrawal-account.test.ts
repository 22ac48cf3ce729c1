/** Withdrawals go only to an account of the company, and not on the day when it changed. */
import {
  createCheckpoint,
  readCheckpoint,
  readCompanyBankAccount,
  saveCompanyBankAccount,
} from "@malote/contracts/company";
import { resetTwoFactor } from "@malote/contracts/users";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { saveBankAccount } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import {
  approveOne,
  bandsOf,
  type ControlsKit,
  fetchRequests,
  helenaId,
  openControls,
  rejectOne,
  withdraw,
} from "../testing/controls-kit.ts";
import { auroraId, fetchBalance, ownAccount } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

const elsewhere = { account: "13004578", account_digit: "8", bank_id: "90400888", agency: "2291" };
const saveAccount = (by: Person, change: object = {}) =>
  by.call(saveCompanyBankAccount, { body: { ...ownAccount, ...change } });

describe("the withdrawal account", () => {
  it.each([
    ["a stranger's", { cpfCnpj: "52998224725", name: "Zé Laranja" }, "withdrawal_account_not_yours"],
    ["the company's document, another name", { name: "Zé Laranja" }, "withdrawal_account_name"],
    ["another company's", { cpfCnpj: "48L7XQ9B000106" }, "withdrawal_account_not_yours"],
  ])("SET-011 belongs to the company itself: %s", async (_what, change, code) => {
    const before = (await kit.admin.call(readCompanyBankAccount)).body;
    const answer = await saveAccount(kit.admin, change);
    expect([answer.status, answer.body.code]).toEqual([422, code]);
    expect((await kit.admin.call(readCompanyBankAccount)).body).toEqual(before);
    expect(await kit.subjects()).toEqual([]);
  });

  it("receives no money if it was saved for another holder before the rule existed", async () => {
    await kit.services.db.withCompany(auroraId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, cpfCnpj: "52998224725", name: "Zé Laranja" }),
    );
    const answer = await withdraw(kit.admin, 2_500_00);
    expect([answer.status, answer.body.code]).toEqual([422, "withdrawal_account_not_yours"]);
    expect(await fetchBalance(kit.admin)).toBe(100_000_00);
  });

  it("can be changed only by a person", async () => {
    const answer = await kit.byMachine(await kit.installed(), saveCompanyBankAccount, { body: ownAccount });
    expect([answer.status, answer.body.code]).toEqual([403, "person_only"]);
  });

  it("SET-009 is changed only with the password given again, also if the change would wait for approval", async () => {
    await kit.ageConfirmations();
    const free = await saveAccount(kit.admin, elsewhere);
    await kit.inForce({ requiresOtherApprover: true });
    const waiting = await saveAccount(kit.admin, elsewhere);
    for (const answer of [free, waiting])
      expect([answer.status, answer.body.code]).toEqual([403, "identity_unconfirmed"]);
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("56789");
    expect(await fetchRequests(second)).toEqual([]);
    expect(await kit.subjects()).toEqual([]);
  });

  it("SET-009 is set only with the password given again, also if there is none", async () => {
    await kit.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    await kit.ageConfirmations();
    const answer = await saveAccount(kit.admin, elsewhere);
    expect([answer.status, answer.body.code]).toEqual([403, "identity_unconfirmed"]);
    expect((await kit.admin.call(readCompanyBankAccount)).body).toBeNull();
    expect(await kit.subjects()).toEqual([]);
  });

  it("SET-009 cannot even be requested by a new admin", async () => {
    const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
    await kit.newMails();
    const free = await saveAccount(fresh, elsewhere);
    await kit.inForce({ requiresOtherApprover: true });
    const waiting = await saveAccount(fresh, elsewhere);
    for (const answer of [free, waiting])
      expect([answer.status, answer.body.code]).toEqual([403, "admin_too_new"]);
    expect(await fetchRequests(second)).toEqual([]);
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("56789");
  });

  /** Submits the form of the first steps: saves the account and then marks the company's step. */
  async function endFirstSteps(by: Person, account: object) {
    const location = "HAS_FILLED_FIRST_STEPS";
    const isOver = async () =>
      (await by.call(readCheckpoint, { params: { id: location }, query: { in_company: "true" } })).body
        .exists;
    await kit.query("DELETE FROM checkpoints WHERE company_id = $1", [auroraId]);
    const before = await isOver();
    const { status, body } = await by.call(saveCompanyBankAccount, { body: account });
    await by.call(createCheckpoint, { body: { location } });
    return { before, status, body, after: await isOver() };
  }
  const ended = { before: false, status: 200, body: { ok: true }, after: true };

  it("FST-007 FST-009 can be set by a new admin if there is none, so that the first steps end", async () => {
    const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
    await kit.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    expect(await endFirstSteps(fresh, { ...ownAccount, ...elsewhere })).toEqual(ended);
    expect((await kit.admin.call(readCompanyBankAccount)).body).toMatchObject(elsewhere);
  });

  it.each([false, true])(
    "FST-007 SET-009 can be saved unchanged by a new admin even if a change needs approval: %s",
    async (requiresOtherApprover) => {
      await kit.inForce({ requiresOtherApprover });
      const fresh = await kit.addPerson(kit.admin, "nova@aurora.example", "admin");
      await kit.newMails();
      const { body: asItIs } = await fresh.call(readCompanyBankAccount);
      expect(await endFirstSteps(fresh, asItIs)).toEqual(ended);
      expect((await kit.admin.call(readCompanyBankAccount)).body).toEqual(asItIs);
      expect(await fetchRequests(second)).toEqual([]);
      expect(await kit.newMails()).toEqual([]);
      for (const change of [{ name: "Aurora" }, { agency_digit: "9" }, { account_type: "CONTA_POUPANCA" }]) {
        const refused = await saveAccount(fresh, change);
        expect([change, refused.status, refused.body.code]).toEqual([change, 403, "admin_too_new"]);
      }
    },
  );

  it("cannot be changed by an admin whose second factor has just been reset", async () => {
    await kit.query("UPDATE users SET two_factor_at = now() WHERE id = $1", [helenaId]);
    expect((await second.call(resetTwoFactor, { params: { id: helenaId } })).status).toBe(200);
    const helena = await kit.as("helena@aurora.example");
    expect((await saveAccount(helena, elsewhere)).body.code).toBe("admin_too_new");
    await kit.pass({ hours: 24 });
    expect((await saveAccount(await kit.as("helena@aurora.example"), elsewhere)).status).toBe(200);
  });

  it("STM-029 receives no withdrawal for a day after it changed, and every admin is notified", async () => {
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
    expect(frozen.body.message).toContain("13/08/2026 10:00");
    // Saving the same account again neither starts nor ends the freeze.
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

  it("STM-029 receives none for a day even if only the agency's digit changed, and every admin is notified", async () => {
    expect((await saveAccount(kit.admin, { agency_digit: "9" })).body).toEqual({ ok: true });
    expect(await kit.subjects()).toEqual([
      "helena@aurora.example A conta para saque da sua empresa mudou",
      "segunda@aurora.example A conta para saque da sua empresa mudou",
    ]);
    expect(await answerOfWithdrawal()).toBe("withdrawals_frozen");
    await saveAccount(second);
    expect(await answerOfWithdrawal()).toBeUndefined();
  });

  it("STM-029 receives none for the number of hours that the company chose", async () => {
    await kit.inForce({ quarantineHours: 48 });
    expect((await saveAccount(kit.admin, elsewhere)).status).toBe(200);
    await kit.pass({ hours: 47, minutes: 59 });
    expect(await answerOfWithdrawal()).toBe("withdrawals_frozen");
    await kit.pass({ minutes: 1 });
    expect(await answerOfWithdrawal()).toBeUndefined();
  });

  const answerOfWithdrawal = async () => (await withdraw(kit.admin, 1_00)).body.code;

  it("STM-029 causes no delay once the former account is restored, however often an admin switches", async () => {
    for (let times = 0; times < 3; times++) {
      expect((await saveAccount(kit.admin, elsewhere)).status).toBe(200);
      const frozen = await withdraw(kit.admin, 1_00);
      expect(frozen.body.code).toBe("withdrawals_frozen");
      expect(frozen.body.message).toContain("salvar de novo a conta anterior, 56789-7");
      await kit.pass({ hours: 1 });
      expect((await saveAccount(second)).status).toBe(200);
      expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
    }
  });

  const third = { agency: "4321", account: "98765", account_digit: "5" };
  it("waits its whole time again after the change was undone, and inherits no other account's wait", async () => {
    await saveAccount(kit.admin, elsewhere);
    await kit.pass({ hours: 1 });
    await saveAccount(second);
    await kit.pass({ hours: 23 });
    await saveAccount(kit.admin, elsewhere);
    expect(await answerOfWithdrawal()).toBe("withdrawals_frozen");
    await kit.pass({ hours: 23 });
    expect((await saveAccount(kit.admin, third)).status).toBe(200);
    await kit.pass({ hours: 1 });
    expect(await answerOfWithdrawal()).toBe("withdrawals_frozen");
    await saveAccount(kit.admin, elsewhere);
    expect(await answerOfWithdrawal()).toBe("withdrawals_frozen");
    await kit.pass({ hours: 24 });
    expect(await answerOfWithdrawal()).toBeUndefined();
    // The first account changes from now on.
    await saveAccount(second);
    expect(await answerOfWithdrawal()).toBe("withdrawals_frozen");
  });

  it("waits if the former account is restored and another name of its holder is saved concurrently", async () => {
    await saveAccount(kit.admin, elsewhere);
    await Promise.all([
      saveAccount(kit.admin),
      ...["Aurora", "Aurora Papelaria"].map((name) => saveAccount(second, { ...elsewhere, name })),
    ]);
    const { account } = (await kit.admin.call(readCompanyBankAccount)).body;
    expect(await answerOfWithdrawal()).toBe(account === "56789" ? undefined : "withdrawals_frozen");
  });

  it("does not wait if it is the company's first one", async () => {
    await kit.services.db.pool.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    expect((await saveAccount(kit.admin)).status).toBe(200);
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
  });

  it("SET-009 needs approval like an outflow if another person is required", async () => {
    await kit.inForce({ requiresOtherApprover: true });
    expect((await saveAccount(kit.admin, elsewhere)).body).toEqual({ ok: true, awaits_approval: true });
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("56789");
    const [request] = await fetchRequests(kit.admin);
    expect((await approveOne(kit.admin, request)).body.code).toBe("approver_is_creator");
    expect((await approveOne(second, request)).body).toEqual({ status: "approved", missing: 0 });
    expect((await kit.admin.call(readCompanyBankAccount)).body.account).toBe("13004578");
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("withdrawals_frozen");
  });

  describe("a pending withdrawal account is e-mailed to every admin", () => {
    let third: Person;
    /** Text that all three e-mails contain, as one line. */
    async function writtenToAll(subject: string): Promise<string> {
      const mails = (await kit.newMails()).filter((mail) => mail.subject === subject);
      expect(mails.map(({ to }) => to)).toEqual([
        "helena@aurora.example",
        "segunda@aurora.example",
        "terceira@aurora.example",
      ]);
      return mails[0]?.text ?? "";
    }
    beforeEach(async () => {
      third = await kit.colleague("terceira@aurora.example", "Terceira Admin");
      await kit.inForce({ requiresOtherApprover: true });
      kit.mails.splice(0);
    });

    it("when it is requested", async () => {
      await saveAccount(kit.admin, elsewhere);
      const text = await writtenToAll("Pediram a troca da conta para saque da sua empresa");
      expect(text).toContain("Helena Prado (helena@aurora.example) pediu outra conta");
      expect(text).toContain("13004578-8");
    });

    it("when it is approved", async () => {
      await saveAccount(kit.admin, elsewhere);
      const [request] = await fetchRequests(second);
      await approveOne(second, request);
      const text = await writtenToAll("A conta para saque da sua empresa mudou");
      expect(text).toContain(
        "Segunda Admin (segunda@aurora.example) aprovou a troca pedida por Helena Prado (helena@aurora.example)",
      );
      expect(text).toContain("13004578-8");
    });

    it("when one of two approvals is given", async () => {
      await kit.inForce({ bands: bandsOf([0, 2]) });
      await saveAccount(kit.admin, elsewhere);
      const [request] = await fetchRequests(second);
      expect((await approveOne(second, request)).body.missing).toBe(1);
      const text = await writtenToAll("A troca da conta para saque recebeu uma aprovação");
      expect(text).toContain("Falta mais 1 aprovação para ela valer.");
      expect((await approveOne(third, request)).body.missing).toBe(0);
      await writtenToAll("A conta para saque da sua empresa mudou");
    });

    it("FST-007 at every step as the first account, which ends the first steps and is required again after a refusal", async () => {
      await kit.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
      const noneOfAChange = (text: string) => expect(text).not.toMatch(/troca|outra conta|mudou/);
      expect(await endFirstSteps(kit.admin, { ...ownAccount, ...elsewhere })).toEqual({
        ...ended,
        body: { ok: true, awaits_approval: true },
      });
      const requested = await writtenToAll("Pediram a primeira conta para saque da sua empresa");
      expect(requested).toContain("pediu a primeira conta para onde vão os resgates");
      await rejectOne(second, (await fetchRequests(second))[0].id, "Agência errada");
      const refused = await writtenToAll("A primeira conta para saque foi recusada");
      expect(refused).toContain("Sua empresa continua sem conta para saque.");
      const none = await kit.admin.call(readCompanyBankAccount);
      expect([none.status, none.body]).toEqual([200, null]);
      expect((await saveAccount(kit.admin, elsewhere)).body).toEqual({ ok: true, awaits_approval: true });
      await kit.newMails();
      await approveOne(second, (await fetchRequests(second))[0]);
      const approved = await writtenToAll("Sua empresa tem uma conta para saque");
      expect(approved).toContain(
        "aprovou a conta pedida por Helena Prado (helena@aurora.example), que já vale.",
      );
      for (const text of [requested, refused, approved]) noneOfAChange(text);
    });

    it("when it is refused, with the reason", async () => {
      await saveAccount(kit.admin, elsewhere);
      const [request] = await fetchRequests(second);
      await rejectOne(second, request.id, "Não reconheço esta conta");
      const text = await writtenToAll("A troca da conta para saque foi recusada");
      expect(text).toContain("Segunda Admin (segunda@aurora.example) recusou a troca");
      expect(text).toContain("Não reconheço esta conta");
    });

    it("when the requester cancels it", async () => {
      await saveAccount(kit.admin, elsewhere);
      const [request] = await fetchRequests(second);
      await rejectOne(kit.admin, request.id);
      const text = await writtenToAll("A troca da conta para saque foi cancelada");
      expect(text).toContain("A conta continua como está.");
    });
  });
});
