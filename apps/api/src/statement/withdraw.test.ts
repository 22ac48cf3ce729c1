/** Withdrawals: permissions, amounts, destinations, and that no money exists twice. */
import { randomUUID } from "node:crypto";
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { listBatches, readBatch, readBatchesBlankslate, renameBatch } from "@malote/contracts/batches";
import { readBalance, withdrawBalance } from "@malote/contracts/statement";
import { listTransfers, readTransfer } from "@malote/contracts/transfers";
import { ownInstitution } from "@malote/domain/own-institution";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { type CompanyBankAccount, changeSettings, saveBankAccount } from "../company/store.ts";
import type { Person } from "../testing/app.ts";
import { blockDocument, setCompany } from "../testing/operator-kit.ts";
import {
  auroraId,
  batch,
  closing,
  companyIs,
  draft,
  fetchBalance,
  fetchStatement,
  openPayments,
  ownAccount,
  type PaymentsKit,
  pix,
} from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const withdraw = (by: Person, value: unknown, key: string = randomUUID()) =>
  by.call(withdrawBalance, { body: { value } as { value: number } }, { "idempotency-key": key });

const horizonteId = demoCompanies[1]?.id ?? "";
const withdrawTo = (changes: Partial<CompanyBankAccount>) =>
  kit.services.db.withCompany(auroraId, (tx) => saveBankAccount(tx, { ...ownAccount, ...changes }));

/** The withdrawal is sent, and a TED's duration passes. */
async function settle() {
  await kit.pass({ seconds: 1 });
  await kit.pass({ minutes: 4 });
}

const readPayment = async (id: string) => (await kit.admin.call(readTransfer, { params: { id } })).body;
const reserved = async () =>
  (
    await kit.services.db.pool.query(
      "SELECT balance FROM ledger_accounts WHERE company_id = $1 AND account = 'reserved'",
      [auroraId],
    )
  ).rows[0].balance;

describe("refusals", () => {
  it("STM-027 SES-052 refuses analysts, and operators if the company's settings do", async () => {
    await kit.deposit(1_000_00);
    const theirs = await draft(kit.operator);
    expect(
      (await kit.operator.call(renameBatch, { params: { id: theirs.id }, body: { name: "Folha" } })).status,
    ).toBe(200);
    expect(
      (await kit.operator.call(sendBatchToApproval, { params: { id: theirs.id }, body: {} })).status,
    ).toBe(200);
    expect((await kit.call(withdrawBalance, { body: { value: 1_00 } })).status).toBe(401);
    expect((await withdraw(kit.analyst, 1_00)).status).toBe(403);
    expect((await withdraw(kit.operator, 1_00)).status).toBe(200);
    await kit.services.db.withCompany(auroraId, (tx) =>
      changeSettings(tx, { blockWithdrawForOperator: true }),
    );
    expect((await withdraw(kit.operator, 1_00)).body.code).toBe("forbidden");
    expect((await withdraw(kit.admin, 1_00)).status).toBe(200);
    expect(await fetchBalance(kit.admin)).toBe(998_00);
  });

  it("STM-028 refuses a missing amount, half a centavo, and more than the balance", async () => {
    await kit.deposit(1_000_00);
    for (const value of [undefined, null, 0, -1_00, 10.5, "100"]) {
      expect((await withdraw(kit.admin, value)).body.code).toBe("invalid_request");
    }
    expect((await withdraw(kit.admin, 1_000_01)).body).toMatchObject({
      code: "insufficient_balance",
      message: "Saldo insuficiente.",
    });
    expect(await fetchBalance(kit.admin)).toBe(1_000_00);
  });

  it("refuses a blocked company, a blocked holder, and one without an account", async () => {
    await kit.deposit(1_000_00);
    await blockDocument(kit.services, ownAccount.cpfCnpj);
    await withdrawTo({});
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("blocked_tax_id");
    await kit.services.db.pool.query("DELETE FROM company_bank_accounts WHERE company_id = $1", [auroraId]);
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("withdrawal_account_missing");
    await setCompany(kit.services, auroraId, { blocked: true });
    expect((await withdraw(kit.admin, 1_00)).body.code).toBe("company_blocked");
    expect(await fetchBalance(kit.admin)).toBe(1_000_00);
  });

  it("makes one withdrawal from a repeated request, and separates the keys of two companies", async () => {
    await kit.deposit(1_000_00);
    await kit.deposit(1_000_00, "pagamentos@horizonte.example");
    await kit.services.db.withCompany(horizonteId, (tx) =>
      saveBankAccount(tx, { ...ownAccount, cpfCnpj: demoCompanies[1]?.taxId ?? "" }),
    );
    const first = await withdraw(kit.admin, 100_00, "the-same-key");
    const again = await withdraw(kit.admin, 100_00, "the-same-key");
    expect(again.body).toEqual(first.body);
    expect((await withdraw(kit.admin, 200_00, "the-same-key")).body.code).toBe("idempotency_key_reused");
    expect(await fetchBalance(kit.admin)).toBe(900_00);
    const theirs = await withdraw(kit.stranger, 100_00, "the-same-key");
    expect([theirs.status, theirs.body.id === first.body.id]).toEqual([200, false]);
  });

  it("never withdraws more than the balance in many concurrent requests", async () => {
    await kit.deposit(1_000_00);
    const other = await kit.another();
    const hands = Array.from({ length: 16 }, (_, n) => withdraw(n % 2 ? kit.admin : other.admin, 300_00));
    const answers = (await Promise.all(hands)).map(({ status, body }) =>
      status === 200 ? "done" : body.code,
    );
    expect(answers.filter((answer) => answer === "done")).toHaveLength(3);
    expect(answers.filter((answer) => answer === "insufficient_balance")).toHaveLength(13);
    expect(await fetchBalance(kit.admin)).toBe(100_00);
  });
});

describe("a withdrawal", () => {
  it("STM-018 STM-029 leaves the balance immediately and arrives at the company's own account", async () => {
    await kit.deposit(1_000_00);
    const { status, body } = await withdraw(kit.operator, 400_00);
    expect([status, body]).toEqual([
      200,
      { id: body.id, value: 400_00, execute_at: "2026-08-12T13:00:00.000Z" },
    ]);
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      type: "WITHDRAW",
      description: "Resgate para a conta da empresa",
      value: -400_00,
      balance: 600_00,
      complement: {
        transfer_id: body.id,
        isTed: true,
        bank: "Itaú Unibanco",
        receiver: {
          name: ownAccount.name,
          bank: "Itaú Unibanco",
          agency: "1234",
          account: "56789",
          account_digit: "7",
          account_type: "CONTA_CORRENTE",
          document: "27.418.639/0001-48",
        },
      },
    });
    expect([await fetchBalance(kit.admin), await reserved()]).toEqual([600_00, 400_00]);
    await settle();
    expect((await readPayment(body.id)).status).toBe("TRANSFERRED");
    expect([await fetchBalance(kit.admin), await reserved()]).toEqual([600_00, 0]);
    await kit.passUntil("2026-08-13T12:00:00Z");
    expect((await readPayment(body.id)).status).toBe("FINISHED");
    const { rows } = await kit.services.db.pool.query(
      "SELECT actor_name, detail ->> 'value' AS value FROM audit_entries WHERE action = 'balance_withdrawn' AND subject_id = $1",
      [body.id],
    );
    expect(rows).toEqual([{ actor_name: expect.stringContaining("Rui"), value: "40000" }]);
  });

  it("is sent on the next business day if the TED's hour has passed", async () => {
    await kit.deposit(1_000_00);
    // The time is one second after 16:30 on a Friday.
    await kit.passUntil("2026-08-14T19:30:01Z");
    const { body } = await withdraw(kit.admin, 400_00);
    expect(body.execute_at).toBe("2026-08-17T09:30:00.000Z");
    await kit.pass({ hours: 24 });
    expect((await readPayment(body.id)).status).toBe("SCHEDULED");
    await kit.passUntil("2026-08-17T13:00:00Z");
    await settle();
    expect((await readPayment(body.id)).status).toBe("TRANSFERRED");
  });

  it("arrives at any hour at an account of the same institution", async () => {
    await withdrawTo({ bank_id: ownInstitution().ispb });
    await kit.deposit(1_000_00);
    await kit.passUntil("2026-08-15T02:00:00Z");
    const { body } = await withdraw(kit.admin, 400_00);
    await settle();
    expect((await readPayment(body.id)).status).toBe("FINISHED");
  });

  it("STM-029 to an account of the same institution counts in the limit of internal transfers", async () => {
    await withdrawTo({ bank_id: ownInstitution().ispb });
    await kit.deposit(1_000_00);
    await kit.services.db.withCompany(auroraId, (tx) =>
      changeSettings(tx, { periodLimits: { DAILY: { TEV: 10_00 } } as never }),
    );
    expect((await withdraw(kit.admin, 9_00)).status).toBe(200);
    const refused = await withdraw(kit.admin, 1_01);
    expect(refused.body.data).toMatchObject({ payment_method: "TEV", left_cents: 1_00 });
    expect(await fetchBalance(kit.admin)).toBe(991_00);
    await settle();
  });

  it("STM-019 returns to the balance automatically if the network refuses it, and releases the waiting batch", async () => {
    await companyIs(kit, "98702951000107");
    await kit.deposit(1_000_00);
    const { body } = await withdraw(kit.admin, 1_000_00);
    const { id } = await draft(kit.admin, [pix(700_00)]);
    expect((await closing(kit.admin, id)).body.status).toBe("WAITING");
    expect((await kit.admin.call(readBalance)).body).toEqual({ value: 0, waiting_value: 700_00 });
    await settle();
    expect(await readPayment(body.id)).toMatchObject({
      status: "RETURNED",
      status_description: "Conta não encontrada.",
    });
    await kit.pass({ seconds: 2 });
    expect((await batch(kit.admin, id)).status).toBe("FINISHED");
    expect(kit.mails.map(({ to, subject }) => [to, subject])).toEqual([
      ["helena@aurora.example", "O resgate de R$ 1.000,00 voltou para o saldo"],
    ]);
    expect(kit.mails[0]?.text).toContain("Conta não encontrada.");
    const entries = (await fetchStatement(kit.admin)).entries.map((entry) => [
      entry.type,
      entry.value,
      entry.description,
    ]);
    expect(entries.slice(0, 3)).toEqual([
      ["BATCH", -700_00, expect.stringContaining("Lote")],
      ["REFUND", 1_000_00, "Resgate não realizado: Conta não encontrada."],
      ["WITHDRAW", -1_000_00, "Resgate para a conta da empresa"],
    ]);
    expect([await fetchBalance(kit.admin), await reserved()]).toEqual([300_00, 0]);
  });

  it("returns to the balance once if the other bank sends it back", async () => {
    await companyIs(kit, "58204617000109");
    await kit.deposit(1_000_00);
    const { body } = await withdraw(kit.admin, 1_000_00);
    await settle();
    expect([await fetchBalance(kit.admin), kit.mails]).toEqual([0, []]);
    await kit.passUntil("2026-08-13T15:00:00Z");
    expect((await readPayment(body.id)).status).toBe("RETURNED");
    const [entry] = (await fetchStatement(kit.admin)).entries;
    expect(entry).toMatchObject({ type: "REFUND", value: 1_000_00, balance: 1_000_00 });
    expect(entry.description).toContain("Devolução do resgate: TED devolvida");
    expect(entry.complement).not.toHaveProperty("batch_id");
    expect(kit.mails.map(({ subject }) => subject)).toEqual(["O resgate de R$ 1.000,00 voltou para o saldo"]);
  });

  it("is not a batch: no list shows it, and no call opens, changes or returns it as one", async () => {
    await kit.deposit(1_000_00);
    const { body } = await withdraw(kit.admin, 400_00);
    const { batch_id: id } = (
      await kit.services.db.pool.query("SELECT batch_id FROM transfers WHERE id = $1", [body.id])
    ).rows[0];
    const period = { initialDate: "2026-01-01", endDate: "2027-12-31" };
    expect((await kit.admin.call(listBatches, { query: period })).body.data).toEqual([]);
    expect((await kit.admin.call(readBatchesBlankslate)).body.data).toBe(true);
    expect((await kit.admin.call(readBatch, { params: { id } })).status).toBe(404);
    expect((await kit.admin.call(listTransfers, { params: { id } })).status).toBe(404);
    expect((await closing(kit.admin, id)).status).toBe(404);
  });

  it("is sent to the account that was saved when it was requested", async () => {
    await kit.deposit(1_000_00);
    const first = (await withdraw(kit.admin, 400_00)).body;
    await withdrawTo({ bank_id: "60746948", agency_digit: "3", account: "11111" });
    const second = (await withdraw(kit.admin, 400_00)).body;
    await settle();
    const fetchAccount = async (id: string) => (await readPayment(id)).destination_bank_account.account;
    expect([await fetchAccount(first.id), await fetchAccount(second.id)]).toEqual(["56789", "11111"]);
    const [entry] = (await fetchStatement(kit.admin)).entries;
    expect(entry.complement).toMatchObject({
      bank: "Bradesco",
      receiver: { agency: "1234-3", account: "11111" },
    });
  });
});
