/** Keys that another institution holds, or whose transfer another holder requests. */
import { listPaymentAccounts } from "@malote/contracts/company";
import {
  cancelPixKeyClaim,
  claimPixKey,
  confirmPixKeyClaim,
  deletePixKey,
  listPixKeys,
} from "@malote/contracts/pix-keys";
import { answerClaim, listDirectory, raiseClaim } from "@malote/contracts/simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import { auroraKey, fetchBalance, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { pixKeyCalls } from "../testing/pix-keys-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const [aurora] = demoCompanies;
const auroraEmail = aurora?.pixKeys.find(({ type }) => type === "EMAIL");
if (!aurora || !auroraEmail) throw new Error("no demo company with an e-mail key");

const { one, fetchStatus, act, simulator, withoutPermission, proven } = pixKeyCalls(() => kit);

describe("a key that is registered elsewhere", () => {
  it("PIX-033 PIX-035 PIX-039 PIX-040 is ported by the same owner, after it was requested, cancelled and requested again", async () => {
    const id = await proven("EMAIL", "chave.pix41@exemplo.com.br");
    expect(await fetchStatus(id)).toBe("WAITING_PORTABILITY");
    expect((await act(claimPixKey, id)).body.status).toBe("PORTABILITY_REQUESTED");
    expect((await act(cancelPixKeyClaim, id)).body.code).toBe("pix_key_changed");
    expect((await act(deletePixKey, id)).body.code).toBe("pix_key_changed");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    expect(await fetchStatus(id)).toBe("PORTABILITY_IN_PROGRESS");
    await withoutPermission("pix_key_register", async () => {
      expect((await act(cancelPixKeyClaim, id)).status).toBe(403);
    });
    await withoutPermission("pix_key_accept_portability", async () => {
      expect((await act(cancelPixKeyClaim, id)).body.status).toBe("WAITING_PORTABILITY");
    });
    expect((await act(claimPixKey, id)).body.code).toBe("pix_key_busy");
    await kit.drainJobs();
    expect((await act(claimPixKey, id)).body.status).toBe("PORTABILITY_REQUESTED");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    const { keys } = await simulator(listDirectory);
    const claim = keys.find((one: { key: string }) => one.key === "chave.pix41@exemplo.com.br").claim;
    expect(claim).toMatchObject({ is_ours: true, kind: "PORTABILITY" });
    const moved = kit.clock.now().toISOString();
    await simulator(answerClaim, { params: { id: claim.id }, body: { answer: "grant" } });
    await kit.pass({ seconds: 1 });
    expect(await one(id)).toMatchObject({
      status: "REGISTERED",
      ownership_date: moved,
      pix_qrcode_emv_payload: expect.any(String),
    });
  });

  it("PIX-033 PIX-035 PIX-039 PIX-040 is claimed as a phone of another person, cancelled and claimed again, and granted without an answer after seven days", async () => {
    const id = await proven("TELEFONE", "11912341242");
    expect(await fetchStatus(id)).toBe("WAITING_CLAIM");
    expect((await act(claimPixKey, id)).body.status).toBe("CLAIM_REQUESTED");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    expect(await fetchStatus(id)).toBe("CLAIM_IN_PROGRESS");
    expect((await act(cancelPixKeyClaim, id)).body.status).toBe("WAITING_CLAIM");
    await kit.drainJobs();
    expect((await act(claimPixKey, id)).body.status).toBe("CLAIM_REQUESTED");
    expect((await act(cancelPixKeyClaim, id)).body.code).toBe("pix_key_changed");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    expect(await fetchStatus(id)).toBe("CLAIM_IN_PROGRESS");
    await kit.pass({ days: 6, hours: 23 });
    expect(await fetchStatus(id)).toBe("CLAIM_IN_PROGRESS");
    await kit.pass({ hours: 1 });
    expect(await fetchStatus(id)).toBe("REGISTERED");
  });

  it("PIX-033 PIX-035 PIX-040 is ported, not claimed, as a phone of the same owner", async () => {
    const id = await proven("TELEFONE", "11912341241");
    expect(await fetchStatus(id)).toBe("WAITING_PORTABILITY");
    expect((await act(claimPixKey, id)).body.status).toBe("PORTABILITY_REQUESTED");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    expect((await act(cancelPixKeyClaim, id)).body.status).toBe("WAITING_PORTABILITY");
    await kit.drainJobs();
    expect((await act(deletePixKey, id)).body.status).toBe("REMOVED");
  });

  it("PIX-033 PIX-048 is deleted immediately as an address of another person, which cannot be claimed, with the reason", async () => {
    const id = await proven("EMAIL", "chave.pix42@exemplo.com.br");
    expect(await one(id)).toMatchObject({
      status: "ERROR",
      error: { code: "pix_key_other_owner", message: expect.stringContaining("outra pessoa") },
      pix_qrcode_image: null,
    });
    expect((await act(claimPixKey, id)).body.code).toBe("pix_key_changed");
    expect((await act(deletePixKey, id)).body.status).toBe("REMOVED");
    expect((await act(deletePixKey, id)).body.status).toBe("REMOVED");
  });

  it("is an error if the directory refuses it", async () => {
    const id = await proven("TELEFONE", "11912341243");
    expect(await one(id)).toMatchObject({ status: "ERROR", error: { code: "pix_key_refused" } });
    await act(deletePixKey, id);
  });

  it("is not the company's if the holder refuses, and can be requested again or deleted", async () => {
    const id = await proven("EMAIL", "chave.pix41@outro.example");
    await act(claimPixKey, id);
    await kit.drainJobs();
    const { keys } = await simulator(listDirectory);
    const { claim } = keys.find((one: { key: string }) => one.key === "chave.pix41@outro.example");
    await simulator(answerClaim, { params: { id: claim.id }, body: { answer: "cancel" } });
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(id)).toBe("WAITING_PORTABILITY");
    expect((await act(deletePixKey, id)).body.status).toBe("REMOVED");
  });
});

describe("a key that another holder requests", () => {
  const requested = async (kind: "PORTABILITY" | "CLAIM", key: string) => {
    const { id } = await simulator(raiseClaim, { body: { key, kind } });
    await kit.pass({ seconds: 1 });
    return id as string;
  };

  it("PIX-005 still receives money, is reported to the admins, and is kept by their answer", async () => {
    const at = kit.clock.now().toISOString();
    await requested("PORTABILITY", auroraKey);
    expect(await one(auroraEmail.id)).toMatchObject({
      status: "WAITING_PORTABILITY_APPROVAL",
      updated_at: at,
      pix_qrcode_emv_payload: expect.any(String),
    });
    const sentMail = kit.mails.findLast(({ subject }) => subject.startsWith("Pediram a chave Pix"));
    expect(sentMail?.text).toContain(`?chave=${auroraEmail.id}`);
    const { data } = (await kit.analyst.call(listPaymentAccounts)).body;
    expect(data.some((account) => account.key === auroraKey)).toBe(true);
    const before = await fetchBalance(kit.admin);
    await kit.deposit(1_00);
    expect(await fetchBalance(kit.admin)).toBe(before + 1_00);

    await withoutPermission("pix_key_accept_portability", async () => {
      expect((await act(cancelPixKeyClaim, auroraEmail.id)).status).toBe(403);
    });
    const twice = await Promise.all([
      act(cancelPixKeyClaim, auroraEmail.id),
      act(cancelPixKeyClaim, auroraEmail.id),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(auroraEmail.id)).toBe("REGISTERED");
    const { keys } = await simulator(listDirectory);
    expect(keys.find((one: { key: string }) => one.key === auroraKey)).toMatchObject({ claim: null });
  });

  it("PIX-005 PIX-042 PIX-043 still receives money as a phone that another person claims, is kept, and the claim ends", async () => {
    const id = await proven("TELEFONE", "11984215571");
    const at = kit.clock.now().toISOString();
    await requested("CLAIM", "(11) 98421-5571");
    expect(await one(id)).toMatchObject({
      status: "WAITING_CLAIM_APPROVAL",
      updated_at: at,
      pix_qrcode_emv_payload: expect.any(String),
    });
    const { data } = (await kit.analyst.call(listPaymentAccounts)).body;
    expect(data.some((account) => account.key === "+5511984215571")).toBe(true);
    await withoutPermission("pix_key_register", async () => {
      expect((await act(cancelPixKeyClaim, id)).body.status).toBe("REGISTERED");
    });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(id)).toBe("REGISTERED");
    const { keys } = await simulator(listDirectory);
    expect(keys.find((one: { key: string }) => one.key === "+5511984215571")).toMatchObject({ claim: null });
  });

  it("PIX-035 PIX-040 PIX-044 is released after a request, not before, and can then only be ported back", async () => {
    const id = await proven("EMAIL", "loja@aurora.example");
    for (const contract of [claimPixKey, cancelPixKeyClaim, confirmPixKeyClaim])
      expect((await act(contract, id)).body.code).toBe("pix_key_changed");
    expect(await fetchStatus(id)).toBe("REGISTERED");
    await requested("PORTABILITY", "loja@aurora.example");
    expect((await act(deletePixKey, id)).body.code).toBe("pix_key_changed");
    expect((await act(confirmPixKeyClaim, id)).body.status).toBe("PENDING_REMOVAL");
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(id)).toBe("REMOVED");
    const { data } = (await kit.admin.call(listPixKeys)).body;
    expect(data.some((key) => key.id === id)).toBe(false);

    const again = await proven("EMAIL", "loja@aurora.example");
    expect(await fetchStatus(again)).toBe("WAITING_PORTABILITY");
    for (const contract of [cancelPixKeyClaim, confirmPixKeyClaim])
      expect((await act(contract, again)).body.code).toBe("pix_key_changed");
    await act(deletePixKey, again);
  });

  it("is decided without an answer after seven days: a portability ends, a claim is granted", async () => {
    const phone = await proven("TELEFONE", "11984215572");
    await requested("CLAIM", "(11) 98421-5572");
    await requested("PORTABILITY", auroraKey);
    expect(await fetchStatus(phone)).toBe("WAITING_CLAIM_APPROVAL");
    await kit.pass({ days: 6, hours: 23 });
    expect(await fetchStatus(phone)).toBe("WAITING_CLAIM_APPROVAL");
    expect(await fetchStatus(auroraEmail.id)).toBe("WAITING_PORTABILITY_APPROVAL");
    await kit.pass({ hours: 2 });
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(phone)).toBe("REMOVED");
    expect(await fetchStatus(auroraEmail.id)).toBe("REGISTERED");
    expect(
      kit.mails.some(({ subject }) => subject === "A chave Pix (11) 98421-5572 saiu da sua empresa"),
    ).toBe(true);
  });

  it("is unchanged if the claimer cancels, whether or not the company answered meanwhile", async () => {
    const claim = await requested("PORTABILITY", auroraKey);
    expect((await act(confirmPixKeyClaim, auroraEmail.id)).body.status).toBe("PENDING_REMOVAL");
    await simulator(answerClaim, { params: { id: claim }, body: { answer: "cancel" } });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(auroraEmail.id)).toBe("REGISTERED");
  });

  it("PIX-050 is not removed if a claim arrives a moment before its deletion", async () => {
    const key = "corrida@aurora.example";
    const id = await proven("EMAIL", key);
    await simulator(raiseClaim, { body: { key, kind: "PORTABILITY" } });
    expect((await act(deletePixKey, id)).body.status).toBe("PENDING_REMOVAL");
    await kit.drainJobs();
    expect(await one(id)).toMatchObject({ status: "REGISTERED", error: { code: "pix_key_claim_open" } });
    await kit.pass({ seconds: 1 });
    expect(await one(id)).toMatchObject({ status: "WAITING_PORTABILITY_APPROVAL", error: null });
    await act(cancelPixKeyClaim, id);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
  });

  it("PIX-035 is not requested twice: the second request ends without effect, with the reason", async () => {
    const ours = await proven("TELEFONE", "11984215575");
    const theirs = await proven("TELEFONE", "11984215575", kit.stranger);
    await requested("CLAIM", "+5511984215575");
    expect((await act(claimPixKey, theirs, kit.stranger)).body.status).toBe("CLAIM_REQUESTED");
    await kit.drainJobs();
    expect(await one(theirs, kit.stranger)).toMatchObject({
      status: "WAITING_CLAIM",
      error: { code: "pix_key_claim_open", message: expect.any(String) },
    });
    expect(await fetchStatus(ours)).toBe("WAITING_CLAIM_APPROVAL");
    await act(cancelPixKeyClaim, ours);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
  });

  it("has one request at a time, and only as its kind allows", async () => {
    const refused = async (key: string, kind: string) =>
      (await kit.call(raiseClaim, { body: { key, kind } })).body.code;
    expect(await refused(auroraKey, "CLAIM")).toBe("pix_key_not_movable");
    expect(await refused("ninguem@exemplo.com.br", "PORTABILITY")).toBe("not_found");
    const claim = await requested("PORTABILITY", auroraKey);
    expect(await refused(auroraKey, "PORTABILITY")).toBe("pix_key_claim_open");
    await simulator(answerClaim, { params: { id: claim }, body: { answer: "cancel" } });
    const late = await kit.call(answerClaim, { params: { id: claim }, body: { answer: "grant" } });
    expect(late.body.code).toBe("pix_key_changed");
    await kit.pass({ seconds: 1 });
  });

  it("moves between two companies of the installation, each notified of its side", async () => {
    const ours = await proven("TELEFONE", "11984215573");
    const theirs = await proven("TELEFONE", "11984215573", kit.stranger);
    expect(await fetchStatus(theirs, kit.stranger)).toBe("WAITING_CLAIM");
    await act(claimPixKey, theirs, kit.stranger);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(ours)).toBe("WAITING_CLAIM_APPROVAL");
    expect(await fetchStatus(theirs, kit.stranger)).toBe("CLAIM_IN_PROGRESS");
    await act(confirmPixKeyClaim, ours);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(ours)).toBe("REMOVED");
    expect(await fetchStatus(theirs, kit.stranger)).toBe("REGISTERED");
    const before = await fetchBalance(kit.stranger);
    await kit.deposit(2_00, "+5511984215573");
    expect(await fetchBalance(kit.stranger)).toBe(before + 2_00);
  });
});
