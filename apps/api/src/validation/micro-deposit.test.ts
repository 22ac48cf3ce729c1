/** The micro deposit of a validation: its centavo, its outcome and its receipt. */
import { listBatches, readBatch } from "@malote/contracts/batches";
import { downloadValidationBankReceipt, downloadValidationReceipt } from "@malote/contracts/validation";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { setCompany } from "../testing/operator-kit.ts";
import {
  auroraId,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
} from "../testing/payments-kit.ts";
import { account, key, validate, validationCalls } from "../testing/validation-kit.ts";

let kit: PaymentsKit;
let admin: Person;
let operator: Person;
let analyst: Person;
beforeAll(async () => {
  kit = await openPayments();
  [admin, operator, analyst] = await Promise.all([
    kit.as("helena@aurora.example", "validation"),
    kit.as("rui@aurora.example", "validation"),
    kit.as("ana@aurora.example", "validation"),
  ]);
});
afterAll(() => kit.close());
beforeEach(async () => {
  await kit.services.db.pool.query("DELETE FROM validations");
});

const { read, made, fetchOutcome, settle, found } = validationCalls(
  () => kit,
  () => admin,
);

describe("the micro deposit", () => {
  const reserved = async () =>
    (
      await kit.services.db.pool.query(
        "SELECT balance FROM ledger_accounts WHERE company_id = $1 AND account = 'reserved'",
        [auroraId],
      )
    ).rows[0].balance;

  it("is refused without a centavo, and nothing of it is stored", async () => {
    expect(await fetchBalance(kit.admin)).toBe(0);
    const refused = await validate(admin, account, "MICRO_DEPOSIT");
    expect(refused).toMatchObject({ status: 422, body: { code: "micro_deposit_without_balance" } });
    expect((await found()).data).toEqual([]);
  });

  it("VAL-012 VAL-015 VAL-017 leaves the balance immediately, arrives, and has a receipt", async () => {
    await kit.deposit(1_00);
    const id = await made(account, "MICRO_DEPOSIT");
    const created_at = kit.clock.now().toISOString();
    expect(await fetchOutcome(id)).toEqual([null, null, []]);
    expect(await read(id)).toMatchObject({
      type: "MICRO_DEPOSIT",
      receipt_url: null,
      bank_receipt_url: null,
      validated_at: null,
    });
    expect((await admin.call(downloadValidationBankReceipt, { params: { id } })).body.code).toBe(
      "receipt_missing",
    );
    expect((await admin.call(downloadValidationReceipt, { params: { id } })).body.code).toBe(
      "receipt_missing",
    );
    expect([await fetchBalance(kit.admin), await reserved()]).toEqual([99, 1]);
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      value: -1,
      description: "Microdepósito de validação",
      complement: { isPix: true, receiver: { name: "Padaria Sol Nascente" } },
    });
    await settle();
    expect(await fetchOutcome(id)).toEqual([true, "TRANSFERRED", []]);
    expect([await fetchBalance(kit.admin), await reserved()]).toEqual([99, 0]);
    const { receipt_url, bank_receipt_url, validated_at, ...others } = await read(id);
    expect(others).toMatchObject({ created_at });
    expect(bank_receipt_url).toBe(`/api/contacerta/app/validation/${id}/bankReceipt`);
    expect(receipt_url).toBe(`/api/contacerta/app/validation/${id}/receipt`);
    expect(validated_at).toBe(kit.clock.now().toISOString());
    for (const who of [admin, analyst]) {
      for (const address of [receipt_url, bank_receipt_url]) {
        const receipt = await who.get(address);
        expect([receipt.status, receipt.headers["content-type"]]).toEqual([200, "application/pdf"]);
      }
    }
  });

  it("is an internal transfer to an account of our institution, and to a key", async () => {
    await kit.deposit(1_00);
    const ours = { ...account, bank_code: "593", agency: "0001", account: "1018437", account_digit: "1" };
    const ids = [
      await made(ours, "MICRO_DEPOSIT"),
      await made(key("maria@exemplo.com.br"), "MICRO_DEPOSIT", operator),
    ];
    const { rows } = await kit.services.db.pool.query(
      "SELECT t.payment_method AS way FROM transfers t JOIN validations v ON v.transfer_id = t.id ORDER BY 1",
    );
    expect(rows.map(({ way }) => way)).toEqual(["PIX", "TEV"]);
    await settle();
    for (const id of ids) expect(await fetchOutcome(id)).toEqual([true, "TRANSFERRED", []]);
  });

  it("VAL-010 VAL-015 VAL-016 VAL-017 shows why it did not arrive, and returns its centavo", async () => {
    await kit.deposit(1_00);
    const before = await fetchBalance(kit.admin);
    const owner = { pix_key_validation: { cpf_cnpj: "52998224725" } };
    const ids = [
      await made({ ...account, cpf_cnpj: "907.046.230-30" }, "MICRO_DEPOSIT"),
      await made(key("chave.pix35@exemplo.com.br", owner), "MICRO_DEPOSIT"),
      await made(key("chave.pix25@exemplo.com.br"), "MICRO_DEPOSIT"),
    ];
    await settle();
    expect(await fetchOutcome(ids[0] ?? "")).toEqual([
      false,
      "FAILED",
      [["account_type", "Conta corrente não encontrada: o titular só tem conta poupança"]],
    ]);
    expect((await read(ids[0] ?? "")).errors[0].suggestion).toEqual({ account_type: "CONTA_POUPANCA" });
    expect(await fetchOutcome(ids[1] ?? "")).toMatchObject([
      false,
      "FAILED",
      [["pix_key_validation", /titular/]],
    ]);
    expect(await fetchOutcome(ids[2] ?? "")).toMatchObject([false, "FAILED", [["pix_key", /não respondeu/]]]);
    for (const id of ids)
      expect(await read(id)).toMatchObject({
        validated_at: kit.clock.now().toISOString(),
        receipt_url: null,
        bank_receipt_url: null,
      });
    expect([await fetchBalance(kit.admin), await reserved()]).toEqual([before, 0]);
    expect((await fetchStatement(kit.admin)).entries[0]).toMatchObject({
      type: "REFUND",
      value: 1,
      description: expect.stringContaining("Microdepósito não realizado"),
    });
  });

  it("VAL-015 proves nothing once another bank returns it, whichever report arrives first", async () => {
    await kit.deposit(1_00);
    const before = await fetchBalance(kit.admin);
    const id = await made(account, "MICRO_DEPOSIT");
    await settle();
    const { rows } = await kit.services.db.pool.query(
      "SELECT t.end_to_end_id AS e FROM transfers t JOIN validations v ON v.transfer_id = t.id",
    );
    const returned = {
      id: "back",
      kind: "returned" as const,
      endToEndId: rows[0].e,
      companyId: auroraId,
      at: kit.clock.now().toISOString(),
      reason: "Conta bloqueada.",
    };
    const { handleEvents } = await import("../payments/index.ts");
    await handleEvents(kit.services, [returned]);
    expect(await fetchOutcome(id)).toEqual([false, "RETURNED", [["account", "A conta está bloqueada"]]]);
    expect(await read(id)).toMatchObject({ receipt_url: null, bank_receipt_url: null });
    expect(await fetchBalance(kit.admin)).toBe(before);
  });

  it("moves no centavo if the rules already refuse", async () => {
    await kit.deposit(1_00);
    const before = await fetchBalance(kit.admin);
    expect(await fetchOutcome(await made({ ...account, account_digit: "1" }, "MICRO_DEPOSIT"))).toMatchObject(
      [false, null, [["account_digit", expect.any(String)]]],
    );
    expect(await fetchBalance(kit.admin)).toBe(before);
  });

  it("is made once for two concurrent requests, and not for a blocked company", async () => {
    await kit.deposit(1_00);
    const before = await fetchBalance(kit.admin);
    const answers = await Promise.all(
      [1, 2].map(() => validate(admin, account, "MICRO_DEPOSIT", "twice-at-once")),
    );
    for (const { status } of answers) expect([200, 409]).toContain(status);
    expect(await fetchBalance(kit.admin)).toBe(before - 1);
    await setCompany(kit.services, auroraId, { blocked: true });
    expect((await validate(admin, account, "MICRO_DEPOSIT")).body.code).toBe("company_blocked");
    await setCompany(kit.services, auroraId, { blocked: false });
    await settle();
  });

  it("does not appear as a batch on any screen of batches", async () => {
    await kit.deposit(1_00);
    await made(account, "MICRO_DEPOSIT");
    const { rows } = await kit.services.db.pool.query(
      "SELECT batch_id AS id FROM transfers t JOIN validations v ON v.transfer_id = t.id",
    );
    expect((await kit.admin.call(readBatch, { params: { id: rows[0].id } })).status).toBe(404);
    const period = { initialDate: "2026-01-01", endDate: "2027-12-31" };
    expect((await kit.admin.call(listBatches, { query: period })).body.data).toEqual([]);
    await settle();
  });
});
