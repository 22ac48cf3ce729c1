import { listPaymentAccounts } from "@malote/contracts/company";
import {
  cancelPixKeyClaim,
  claimPixKey,
  confirmPixKeyClaim,
  createPixKey,
  deletePixKey,
  listPixKeys,
  readPixKey,
  resendPixKeyCode,
  verifyPixKey,
} from "@malote/contracts/pix-keys";
import { raiseClaim } from "@malote/contracts/simulator";
import { readBrCode } from "@malote/domain/br-code";
import { sql } from "kysely";
import { generate } from "lean-qr";
import { toPngBuffer } from "lean-qr/extras/node_export";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import { createSandboxDirectory } from "../adapters/sandbox/directory/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { auroraId, auroraKey, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { pixKeyCalls } from "../testing/pix-keys-kit.ts";
import { applyDirectoryReports, repeatDirectoryRequests } from "./index.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const [aurora] = demoCompanies;
const auroraEmail = aurora?.pixKeys.find(({ type }) => type === "EMAIL");
if (!aurora || !auroraEmail) throw new Error("no demo company with an e-mail key");

const { add, one, fetchStatus, act, simulator, withoutPermission, proven } = pixKeyCalls(() => kit);

describe("permissions", () => {
  it("require an admin with the permission, and hide keys of another company", async () => {
    const { id } = auroraEmail;
    const nobody = await kit.call(listPixKeys);
    expect(nobody.status).toBe(401);
    for (const [contract, body] of [
      [createPixKey, { key_type: "CHAVE_ALEATORIA" }],
      [verifyPixKey, { code: "1" }],
      [resendPixKeyCode, undefined],
      [claimPixKey, undefined],
      [cancelPixKeyClaim, undefined],
      [confirmPixKeyClaim, undefined],
      [deletePixKey, undefined],
    ] as const) {
      expect((await act(contract, id, kit.operator, body)).status).toBe(403);
      if (contract !== createPixKey) expect((await act(contract, id, kit.stranger, body)).status).toBe(404);
    }
    expect((await act(readPixKey, id, kit.stranger)).status).toBe(404);
    expect((await act(readPixKey, id, kit.analyst)).status).toBe(200);
  });

  it.each([
    ["adding a key", "pix_key_register", createPixKey, { key_type: "CHAVE_ALEATORIA" }],
    ["claiming one", "pix_key_register", claimPixKey, undefined],
    ["PIX-048 deleting one", "pix_key_delete", deletePixKey, undefined],
    ["giving one away", "pix_key_accept_portability", confirmPixKeyClaim, undefined],
  ] as const)("%s needs %s", async (_, permission, contract, body) => {
    await withoutPermission(permission, async () => {
      expect((await act(contract, auroraEmail.id, kit.admin, body)).status).toBe(403);
    });
  });
});

describe("a new key", () => {
  it.each([
    ["TELEFONE", "(11) 3456-7890", "pix_key_phone_invalid"],
    ["TELEFONE", "+44 7911 123456", "pix_key_phone_invalid"],
    ["EMAIL", "sem arroba", "pix_key_email_invalid"],
    ["EMAIL", `${"a".repeat(70)}@aurora.example`, "pix_key_email_invalid"],
    ["EMAIL", undefined, "pix_key_email_invalid"],
    ["CPF", "52998224725", "invalid_request"],
  ])("refuses %s %s", async (type, key, code) => {
    expect((await add(type, key)).body.code).toBe(code);
  });

  it("is once in the list, in whatever form it is typed", async () => {
    expect((await add("EMAIL", ` ${auroraKey.toUpperCase()} `)).body.code).toBe("pix_key_exists");
    expect((await add("CNPJ")).body.code).toBe("pix_key_exists");
  });

  it("PIX-024 is made by the directory when it is random, once for a repeated call", async () => {
    const body = { id: uuidv7(), key_type: "CHAVE_ALEATORIA", key: "anything" };
    const [first, second] = await Promise.all([
      kit.admin.call(createPixKey, { body }),
      kit.admin.call(createPixKey, { body }),
    ]);
    expect(first.body).toMatchObject({ id: body.id, status: "PENDING", key: null, ownership_date: null });
    expect(second.body).toEqual(first.body);
    await kit.drainJobs();
    expect(await one(body.id)).toMatchObject({
      status: "REGISTERED",
      key: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      ownership_date: kit.clock.now().toISOString(),
    });
    await act(deletePixKey, body.id);
    await kit.drainJobs();
  });

  it("PIX-024 is another call's answer only for the same kind and key", async () => {
    const id = uuidv7();
    const send = (key_type: string, key?: string) =>
      kit.admin.call(createPixKey, { body: { id, key_type, key } });
    const { body } = await send("TELEFONE", "(11) 97777-6655");
    expect(body).toMatchObject({ id, key: "+5511977776655" });
    expect((await send("TELEFONE", "+5511977776655")).body).toEqual(body);
    for (const [type, key] of [
      ["TELEFONE", "(11) 97777-6656"],
      ["EMAIL", "outra@aurora.example"],
      ["CHAVE_ALEATORIA", undefined],
    ] as const) {
      expect((await send(type, key)).body.code).toBe("idempotency_key_reused");
    }
    await act(deletePixKey, id);
  });

  it("PIX-023 is the company's own when it is a CNPJ, whatever is sent", async () => {
    const { data } = (await kit.admin.call(listPixKeys)).body;
    const before = data.find((key: { key_type: string }) => key.key_type === "CNPJ");
    await act(deletePixKey, before.id);
    await kit.drainJobs();
    const { body } = await add("CNPJ", "11222333000181");
    expect(body).toMatchObject({ key: aurora.taxId, status: "PENDING" });
    await kit.drainJobs();
    expect(await fetchStatus(body.id)).toBe("REGISTERED");
  });

  it("PIX-001 PIX-052 is listed with the code to pay into it, as text and as a picture", async () => {
    const { data } = (await kit.analyst.call(listPixKeys)).body;
    const key = data.find((one: { id: string }) => one.id === auroraEmail.id);
    expect(key).toMatchObject({
      key_type: "EMAIL",
      key: auroraKey,
      status: "REGISTERED",
      error: null,
      ownership_date: expect.any(String),
      updated_at: expect.any(String),
    });
    expect(readBrCode(key.pix_qrcode_emv_payload)).toMatchObject({ key: auroraKey, amountCents: null });
    const picture = Buffer.from(key.pix_qrcode_image, "base64");
    expect(picture.subarray(1, 4).toString()).toBe("PNG");
    const ofItsCode = toPngBuffer(generate(key.pix_qrcode_emv_payload), { scale: 6 });
    expect(picture.equals(ofItsCode)).toBe(true);
  });

  it("PIX-005 PIX-006 PIX-052 is among the accounts that can be paid only while it is registered", async () => {
    const isListed = async (id: string) =>
      (await kit.analyst.call(listPaymentAccounts)).body.data.some((one: { id: string }) => one.id === id);
    // Keys of one instant have no order of their own.
    kit.clock.advance({ seconds: 1 });
    const { id: unproven } = (await add("EMAIL", "sem.prova@aurora.example")).body;
    expect([await fetchStatus(unproven), await isListed(unproven)]).toEqual(["VALIDATING", false]);
    const { data: every } = (await kit.admin.call(listPixKeys)).body;
    // The oldest comes first.
    expect(every.length).toBeGreaterThan(1);
    expect(every.at(-1).id).toBe(unproven);
    await act(deletePixKey, unproven);
    const id = await proven("EMAIL", "recebe@aurora.example");
    expect([await fetchStatus(id), await isListed(id)]).toEqual(["REGISTERED", true]);
    await act(deletePixKey, id);
    expect([await fetchStatus(id), await isListed(id)]).toEqual(["PENDING_REMOVAL", false]);
    await kit.drainJobs();
  });

  it("PIX-008 is refused at twenty, also when two come at once", async () => {
    const { data } = (await kit.admin.call(listPixKeys)).body;
    const added: string[] = [];
    for (let have = data.length; have < 19; have++) added.push((await add("CHAVE_ALEATORIA")).body.id);
    const last = await Promise.all([add("CHAVE_ALEATORIA"), add("CHAVE_ALEATORIA")]);
    expect(last.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(last.find(({ status }) => status === 422)?.body.code).toBe("pix_keys_too_many");
    await kit.drainJobs();
    const made = [...added, last.find(({ status }) => status === 200)?.body.id];
    for (const id of made) await act(deletePixKey, id);
    await kit.drainJobs();
    expect((await kit.admin.call(listPixKeys)).body.data).toHaveLength(data.length);
  });
});

describe("answers and events that are lost or come twice", () => {
  it("repeat the request under the same id, so that the directory does it once", async () => {
    const { directory } = createSandboxDirectory(kit.services);
    const { id } = (await add("CHAVE_ALEATORIA")).body;
    const asks: string[] = [];
    const deaf = {
      ...kit.services,
      directory: {
        ...directory,
        ask: async (request: Parameters<typeof directory.ask>[0]) => {
          const answer = await directory.ask(request);
          asks.push(request.id);
          if (asks.length < 3) throw new Error("the answer was lost");
          return answer;
        },
      },
    };
    kit.enqueued.splice(0);
    for (let turn = 0; turn < 4; turn++) {
      kit.clock.advance({ seconds: 31 });
      await repeatDirectoryRequests(deaf);
    }
    expect(asks).toHaveLength(3);
    expect(new Set(asks).size).toBe(1);
    const { rows } = await kit.services.db.withSandbox((tx) =>
      sql<{ key: string }>`
        SELECT key FROM sandbox.directory_entries WHERE key_type = 'CHAVE_ALEATORIA' AND company_id = ${auroraId}
      `.execute(tx),
    );
    expect(rows).toEqual([{ key: (await one(id)).key }]);
    await act(deletePixKey, id);
    await kit.drainJobs();
  });

  it("apply events once, and again after a process died before it confirmed them", async () => {
    const { directory } = createSandboxDirectory(kit.services);
    const forgetful = { ...kit.services, directory: { ...directory, acknowledge: async () => undefined } };
    const mails = () => kit.mails.filter(({ subject }) => subject.startsWith("Pediram a chave")).length;
    await kit.drainJobs();
    const before = mails();
    await simulator(raiseClaim, { body: { key: auroraKey, kind: "PORTABILITY" } });
    await applyDirectoryReports(forgetful);
    await applyDirectoryReports(forgetful);
    await act(cancelPixKeyClaim, auroraEmail.id);
    await applyDirectoryReports(forgetful);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await fetchStatus(auroraEmail.id)).toBe("REGISTERED");
    const { rows } = await kit.services.db.pool.query(
      "SELECT count(*)::int AS times FROM audit_entries WHERE action = 'pix_key_asked_for' AND at >= $1",
      [kit.clock.now()],
    );
    expect(rows[0].times).toBeLessThanOrEqual(1);
    expect(mails() - before).toBe(1);
  });

  it("PIX-050 remove a key when the directory has let it go, and it can be registered anew", async () => {
    const id = await proven("EMAIL", "anexo@aurora.example");
    expect((await act(deletePixKey, id)).body).toMatchObject({ status: "PENDING_REMOVAL" });
    await kit.deposit(1_00, "anexo@aurora.example");
    await kit.drainJobs();
    expect(await fetchStatus(id)).toBe("REMOVED");
    const again = await proven("EMAIL", "anexo@aurora.example");
    expect(await fetchStatus(again)).toBe("REGISTERED");
  });
});
