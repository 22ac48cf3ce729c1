import { listPaymentAccounts } from "@malote/contracts/company";
import type { Contract } from "@malote/contracts/contract";
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
import { answerClaim, listDirectory, raiseClaim } from "@malote/contracts/simulator";
import { readBrCode } from "@malote/domain/br-code";
import { addDays, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import { createSandboxDirectory } from "../adapters/sandbox/directory/index.ts";
import { uuidv7 } from "../platform/uuid.ts";
import type { Person } from "../testing/app.ts";
import { auroraId, auroraKey, balanceOf, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { applyDirectoryNews, repeatDirectoryRequests } from "./index.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const [aurora] = demoCompanies;
const auroraEmail = aurora?.pixKeys.find(({ type }) => type === "EMAIL");
if (!aurora || !auroraEmail) throw new Error("no demo company with an e-mail key");

const add = (key_type: string, key?: string, by: Person = kit.admin) =>
  by.call(createPixKey, { body: { key_type, ...(key !== undefined && { key }) } });
const one = async (id: string, by: Person = kit.admin) =>
  (await by.call(readPixKey, { params: { id } })).body;
const statusOf = async (id: string, by?: Person): Promise<string> => (await one(id, by)).status;
const act = (contract: Contract, id: string, by: Person = kit.admin, body?: object) =>
  by.call(contract, { params: { id }, ...(body && { body }) });
const simulator = async (contract: Contract, input: object = {}) => {
  const answer = await kit.call(contract, input);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body;
};
const withoutPermission = async (permission: string, work: () => Promise<void>) => {
  const set = (permissions: string[]) =>
    kit.parts.db.pool.query("UPDATE companies SET permissions = $1 WHERE company_id = $2", [
      permissions,
      auroraId,
    ]);
  const most = ["platform_access", "pix_key_register", "pix_key_delete", "pix_key_accept_portability"];
  await set(most.filter((one) => one !== permission));
  try {
    await work();
  } finally {
    await set(["all"]);
  }
};

/** The code that was sent last to a phone. */
async function textedCode(): Promise<string> {
  const { texts } = await simulator(listDirectory);
  return texts[0].words.slice(0, 6);
}
/** The code that was sent last to an address. */
function mailedCode(to: string): string {
  const mail = kit.mails.findLast((one) => one.to === to);
  const code = /Código: (\d{6})/.exec(mail?.text ?? "")?.[1];
  if (!code) throw new Error(`no code for ${to}`);
  return code;
}

/** A key of the kind, typed and proven; answered by the directory. */
async function proven(key_type: "TELEFONE" | "EMAIL", key: string, by: Person = kit.admin): Promise<string> {
  const added = await add(key_type, key, by);
  if (added.status !== 200) throw new Error(JSON.stringify(added.body));
  await kit.drainJobs();
  const code = key_type === "EMAIL" ? mailedCode(key) : await textedCode();
  const verified = await act(verifyPixKey, added.body.id, by, { code });
  if (verified.body.status !== "PENDING") throw new Error(JSON.stringify(verified.body));
  await kit.drainJobs();
  return added.body.id;
}

describe("who may", () => {
  it("asks for an admin with the permission, and shows another company's key to nobody", async () => {
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

  it("PIX-024 of random kind is made by the directory, once for a repeated call", async () => {
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

  it("PIX-023 of CNPJ kind is the company's own, whatever is sent", async () => {
    const { data } = (await kit.admin.call(listPixKeys)).body;
    const before = data.find((key: { key_type: string }) => key.key_type === "CNPJ");
    await act(deletePixKey, before.id);
    await kit.drainJobs();
    const { body } = await add("CNPJ", "11222333000181");
    expect(body).toMatchObject({ key: aurora.taxId, status: "PENDING" });
    await kit.drainJobs();
    expect(await statusOf(body.id)).toBe("REGISTERED");
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

describe("proof of possession", () => {
  it("PIX-026 PIX-030 goes by a text to the phone, which then is registered", async () => {
    const { body } = await add("TELEFONE", "(11) 98421-5570");
    expect(body).toMatchObject({ key: "+5511984215570", status: "VALIDATING" });
    await kit.drainJobs();
    const { texts } = await simulator(listDirectory);
    expect(texts[0]).toMatchObject({ to: "+5511984215570", words: expect.stringContaining(aurora.name) });
    const code = await textedCode();
    expect((await act(verifyPixKey, body.id, kit.admin, { code: "" })).body.code).toBe("invalid_request");
    expect((await act(verifyPixKey, body.id, kit.admin, { code })).body.status).toBe("PENDING");
    expect((await act(verifyPixKey, body.id, kit.admin, { code })).body.code).toBe("pix_key_changed");
    await kit.drainJobs();
    expect(await statusOf(body.id)).toBe("REGISTERED");
    const { rows } = await kit.parts.db.pool.query(
      "SELECT action, actor_name FROM audit_entries WHERE subject_id = $1 ORDER BY id",
      [body.id],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "pix_key_created",
      "pix_key_verified",
      "pix_key_answered",
    ]);
    expect(rows[1].actor_name).toBe("Helena Prado");
  });

  it("PIX-026 goes by an e-mail to the address, whose words are not kept", async () => {
    const id = await proven("EMAIL", "cobranca@aurora.example");
    expect(await statusOf(id)).toBe("REGISTERED");
    const { rows } = await kit.parts.db.pool.query(
      "SELECT text_body FROM mails WHERE to_address = 'cobranca@aurora.example'",
    );
    expect(rows).toEqual([{ text_body: "" }]);
  });

  it("ends a code after five wrong tries, and after half an hour", async () => {
    const { id } = (await add("EMAIL", "rh@aurora.example")).body;
    await kit.drainJobs();
    const first = mailedCode("rh@aurora.example");
    const wrong = first === "000000" ? "000001" : "000000";
    const tries: string[] = [];
    for (let n = 0; n < 6; n++)
      tries.push((await act(verifyPixKey, id, kit.admin, { code: wrong })).body.code);
    expect(tries).toEqual([...Array(5).fill("pix_key_code_wrong"), "pix_key_code_over"]);
    expect((await act(verifyPixKey, id, kit.admin, { code: first })).body.code).toBe("pix_key_code_over");

    kit.clock.advance({ seconds: 11 });
    await act(resendPixKeyCode, id);
    await kit.drainJobs();
    const second = mailedCode("rh@aurora.example");
    kit.clock.advance({ minutes: 30, seconds: 1 });
    expect((await act(verifyPixKey, id, kit.admin, { code: second })).body.code).toBe("pix_key_code_over");
    await act(deletePixKey, id);
  });

  it("PIX-004 PIX-031 sends another code, and says for how long not again", async () => {
    const { id } = (await add("TELEFONE", "11984215571")).body;
    await kit.drainJobs();
    const first = await textedCode();
    const soon = await act(resendPixKeyCode, id);
    expect([soon.status, soon.body.code, soon.body.data]).toEqual([
      429,
      "pix_key_code_too_soon",
      { seconds: 10 },
    ]);
    const times: number[] = [];
    for (let n = 0; n < 4; n++) {
      kit.clock.advance({ seconds: 10 });
      const { body } = await act(resendPixKeyCode, id);
      times.push(body.blockedTime ?? body.data.seconds);
      await kit.drainJobs();
    }
    expect(times).toEqual([10, 10, 60, 50]);
    const last = await textedCode();
    if (first !== last)
      expect((await act(verifyPixKey, id, kit.admin, { code: first })).body.code).toBe("pix_key_code_wrong");
    expect((await act(verifyPixKey, id, kit.admin, { code: ` ${last} ` })).status).toBe(200);
    await kit.drainJobs();
    expect((await act(resendPixKeyCode, id)).body.code).toBe("pix_key_changed");
  });

  it("does not let a company send codes without end", async () => {
    await kit.parts.db.pool.query(
      "UPDATE pix_keys SET code_sends = 40 WHERE key = 'cobranca@aurora.example'",
    );
    expect((await add("EMAIL", "mais.um@aurora.example")).body.code).toBe("too_many_tries");
    kit.clock.advance({ hours: 1, minutes: 30 });
    const { body } = await add("EMAIL", "mais.um@aurora.example");
    expect(body.status).toBe("VALIDATING");
    await act(deletePixKey, body.id);
  });

  it("is not sent to a phone when the time of its code is over", async () => {
    const { id } = (await add("TELEFONE", "11984215579")).body;
    const sentTo = async () => {
      const { texts } = await simulator(listDirectory);
      return texts.filter(({ to }: { to: string }) => to === "+5511984215579").length;
    };
    kit.clock.advance({ minutes: 30, seconds: 1 });
    await kit.drainJobs();
    expect(await sentTo()).toBe(0);
    expect((await act(resendPixKeyCode, id)).status).toBe(200);
    await kit.drainJobs();
    expect(await sentTo()).toBe(1);
    await act(deletePixKey, id);
  });
});

describe("codes to one key", () => {
  /** In São Paulo. */
  const nextMidnight = () => startOfDay(addDays(saoPauloDate(kit.clock.now()), 1));

  it("are ten a day, whoever sends them and however often the key is added again", async () => {
    const victim = "11955554444";
    const sent = async (by: Person) => {
      const added = await add("TELEFONE", victim, by);
      if (added.status === 200) await act(deletePixKey, added.body.id, by);
      return added.body.code ?? "sent";
    };
    for (let n = 0; n < 5; n++)
      expect([await sent(kit.admin), await sent(kit.stranger)]).toEqual(["sent", "sent"]);
    expect(await add("TELEFONE", victim)).toMatchObject({
      status: 429,
      body: { code: "pix_key_codes_too_many", message: expect.stringContaining("Tente de novo amanhã") },
    });
    expect(await sent(kit.stranger)).toBe("pix_key_codes_too_many");
    expect((await add("TELEFONE", "11955554445", kit.stranger)).status).toBe(200);
    kit.clock.set(nextMidnight());
    kit.clock.advance({ ms: -1 });
    expect(await sent(kit.admin)).toBe("pix_key_codes_too_many");
    kit.clock.advance({ ms: 1 });
    expect(await sent(kit.admin)).toBe("sent");
  });

  it("are ten on the next day too, however many went on the days before", async () => {
    const { id } = (await add("TELEFONE", "11955554446")).body;
    const resent = async () => {
      kit.clock.advance({ minutes: 10 });
      return (await act(resendPixKeyCode, id)).body.code ?? "sent";
    };
    expect([await resent(), await resent()]).toEqual(["sent", "sent"]);
    kit.clock.set(nextMidnight());
    const codes: string[] = [];
    for (let n = 0; n < 11; n++) codes.push(await resent());
    expect(codes).toEqual([...Array(10).fill("sent"), "pix_key_codes_too_many"]);
    await act(deletePixKey, id);
  });
});

describe("a key that is held elsewhere", () => {
  it("PIX-033 PIX-035 PIX-039 by the same owner: is ported, after it was asked for, taken back and asked for again", async () => {
    const id = await proven("EMAIL", "chave.pix41@exemplo.com.br");
    expect(await statusOf(id)).toBe("WAITING_PORTABILITY");
    expect((await act(claimPixKey, id)).body.status).toBe("PORTABILITY_REQUESTED");
    expect((await act(cancelPixKeyClaim, id)).body.code).toBe("pix_key_changed");
    expect((await act(deletePixKey, id)).body.code).toBe("pix_key_changed");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    expect(await statusOf(id)).toBe("PORTABILITY_IN_PROGRESS");
    expect((await act(cancelPixKeyClaim, id)).body.status).toBe("WAITING_PORTABILITY");
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

  it("PIX-033 PIX-035 by another person: a phone is claimed, and silence grants it after seven days", async () => {
    const id = await proven("TELEFONE", "11912341242");
    expect(await statusOf(id)).toBe("WAITING_CLAIM");
    expect((await act(claimPixKey, id)).body.status).toBe("CLAIM_REQUESTED");
    await kit.drainJobs();
    await kit.pass({ seconds: 3 });
    expect(await statusOf(id)).toBe("CLAIM_IN_PROGRESS");
    await kit.pass({ days: 6, hours: 23 });
    expect(await statusOf(id)).toBe("CLAIM_IN_PROGRESS");
    await kit.pass({ hours: 1 });
    expect(await statusOf(id)).toBe("REGISTERED");
  });

  it("PIX-048 by another person: an address cannot be claimed, says why, and is deleted at once", async () => {
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

  it("is an error where the directory does not take it", async () => {
    const id = await proven("TELEFONE", "11912341243");
    expect(await one(id)).toMatchObject({ status: "ERROR", error: { code: "pix_key_refused" } });
    await act(deletePixKey, id);
  });

  it("is not the company's when the holder refuses, and may be asked for again or given up", async () => {
    const id = await proven("EMAIL", "chave.pix41@outro.example");
    await act(claimPixKey, id);
    await kit.drainJobs();
    const { keys } = await simulator(listDirectory);
    const { claim } = keys.find((one: { key: string }) => one.key === "chave.pix41@outro.example");
    await simulator(answerClaim, { params: { id: claim.id }, body: { answer: "cancel" } });
    await kit.pass({ seconds: 1 });
    expect(await statusOf(id)).toBe("WAITING_PORTABILITY");
    expect((await act(deletePixKey, id)).body.status).toBe("REMOVED");
  });
});

describe("a key that another asks for", () => {
  const asked = async (kind: "PORTABILITY" | "CLAIM", key: string) => {
    const { id } = await simulator(raiseClaim, { body: { key, kind } });
    await kit.pass({ seconds: 1 });
    return id as string;
  };

  it("PIX-005 is still paid into, notifies the admins, and is kept by a word of theirs", async () => {
    const at = kit.clock.now().toISOString();
    await asked("PORTABILITY", auroraKey);
    expect(await one(auroraEmail.id)).toMatchObject({
      status: "WAITING_PORTABILITY_APPROVAL",
      updated_at: at,
      pix_qrcode_emv_payload: expect.any(String),
    });
    const sentMail = kit.mails.findLast(({ subject }) => subject.startsWith("Pediram a chave Pix"));
    expect(sentMail?.text).toContain(`?chave=${auroraEmail.id}`);
    const { data } = (await kit.analyst.call(listPaymentAccounts)).body;
    expect(data.some((account: { key: string }) => account.key === auroraKey)).toBe(true);
    const before = await balanceOf(kit.admin);
    await kit.deposit(1_00);
    expect(await balanceOf(kit.admin)).toBe(before + 1_00);

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
    expect(await statusOf(auroraEmail.id)).toBe("REGISTERED");
    const { keys } = await simulator(listDirectory);
    expect(keys.find((one: { key: string }) => one.key === auroraKey)).toMatchObject({ claim: null });
  });

  it("leaves when it is released, and can then only be ported back", async () => {
    const id = await proven("EMAIL", "loja@aurora.example");
    await asked("PORTABILITY", "loja@aurora.example");
    expect((await act(deletePixKey, id)).body.code).toBe("pix_key_changed");
    expect((await act(confirmPixKeyClaim, id)).body.status).toBe("PENDING_REMOVAL");
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusOf(id)).toBe("REMOVED");
    const { data } = (await kit.admin.call(listPixKeys)).body;
    expect(data.some((key: { id: string }) => key.id === id)).toBe(false);

    const again = await proven("EMAIL", "loja@aurora.example");
    expect(await statusOf(again)).toBe("WAITING_PORTABILITY");
    await act(deletePixKey, again);
  });

  it("is answered by the rules of silence after seven days: a portability is off, a claim is granted", async () => {
    const phone = await proven("TELEFONE", "11984215572");
    await asked("CLAIM", "(11) 98421-5572");
    await asked("PORTABILITY", auroraKey);
    expect(await statusOf(phone)).toBe("WAITING_CLAIM_APPROVAL");
    await kit.pass({ days: 6, hours: 23 });
    expect(await statusOf(phone)).toBe("WAITING_CLAIM_APPROVAL");
    await kit.pass({ hours: 2 });
    await kit.pass({ seconds: 1 });
    expect(await statusOf(phone)).toBe("REMOVED");
    expect(await statusOf(auroraEmail.id)).toBe("REGISTERED");
    expect(
      kit.mails.some(({ subject }) => subject === "A chave Pix (11) 98421-5572 saiu da sua empresa"),
    ).toBe(true);
  });

  it("is as before when whoever asked gives up, whether or not we answered meanwhile", async () => {
    const claim = await asked("PORTABILITY", auroraKey);
    expect((await act(confirmPixKeyClaim, auroraEmail.id)).body.status).toBe("PENDING_REMOVAL");
    await simulator(answerClaim, { params: { id: claim }, body: { answer: "cancel" } });
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusOf(auroraEmail.id)).toBe("REGISTERED");
  });

  it("is asked for once at a time, and only as its kind allows", async () => {
    const refused = async (key: string, kind: string) =>
      (await kit.call(raiseClaim, { body: { key, kind } })).body.code;
    expect(await refused(auroraKey, "CLAIM")).toBe("pix_key_not_movable");
    expect(await refused("ninguem@exemplo.com.br", "PORTABILITY")).toBe("not_found");
    const claim = await asked("PORTABILITY", auroraKey);
    expect(await refused(auroraKey, "PORTABILITY")).toBe("pix_key_claim_open");
    await simulator(answerClaim, { params: { id: claim }, body: { answer: "cancel" } });
    const late = await kit.call(answerClaim, { params: { id: claim }, body: { answer: "grant" } });
    expect(late.body.code).toBe("pix_key_changed");
    await kit.pass({ seconds: 1 });
  });

  it("moves between two companies of the installation, each notified of its side", async () => {
    const ours = await proven("TELEFONE", "11984215573");
    const theirs = await proven("TELEFONE", "11984215573", kit.stranger);
    expect(await statusOf(theirs, kit.stranger)).toBe("WAITING_CLAIM");
    await act(claimPixKey, theirs, kit.stranger);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await statusOf(ours)).toBe("WAITING_CLAIM_APPROVAL");
    expect(await statusOf(theirs, kit.stranger)).toBe("CLAIM_IN_PROGRESS");
    await act(confirmPixKeyClaim, ours);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusOf(ours)).toBe("REMOVED");
    expect(await statusOf(theirs, kit.stranger)).toBe("REGISTERED");
    const before = await balanceOf(kit.stranger);
    await kit.deposit(2_00, "+5511984215573");
    expect(await balanceOf(kit.stranger)).toBe(before + 2_00);
  });
});

describe("answers and news that are lost or come twice", () => {
  it("asks again under the same id, so that the directory does it once", async () => {
    const { directory } = createSandboxDirectory(kit.parts);
    const { id } = (await add("CHAVE_ALEATORIA")).body;
    const asks: string[] = [];
    const deaf = {
      ...kit.parts,
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
    const { rows } = await kit.parts.db.withSandbox((tx) =>
      sql<{ key: string }>`
        SELECT key FROM sandbox.directory_entries WHERE key_type = 'CHAVE_ALEATORIA' AND company_id = ${auroraId}
      `.execute(tx),
    );
    expect(rows).toEqual([{ key: (await one(id)).key }]);
    await act(deletePixKey, id);
    await kit.drainJobs();
  });

  it("applies news once, and again after a process died before it confirmed them", async () => {
    const { directory } = createSandboxDirectory(kit.parts);
    const forgetful = { ...kit.parts, directory: { ...directory, acknowledge: async () => undefined } };
    const mails = () => kit.mails.filter(({ subject }) => subject.startsWith("Pediram a chave")).length;
    await kit.drainJobs();
    const before = mails();
    await simulator(raiseClaim, { body: { key: auroraKey, kind: "PORTABILITY" } });
    await applyDirectoryNews(forgetful);
    await applyDirectoryNews(forgetful);
    await act(cancelPixKeyClaim, auroraEmail.id);
    await applyDirectoryNews(forgetful);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    expect(await statusOf(auroraEmail.id)).toBe("REGISTERED");
    const { rows } = await kit.parts.db.pool.query(
      "SELECT count(*)::int AS times FROM audit_entries WHERE action = 'pix_key_asked_for' AND at >= $1",
      [kit.clock.now()],
    );
    expect(rows[0].times).toBeLessThanOrEqual(1);
    expect(mails() - before).toBe(1);
  });

  it("PIX-050 removes a key when the directory has let it go, and it can be registered anew", async () => {
    const id = await proven("EMAIL", "anexo@aurora.example");
    expect((await act(deletePixKey, id)).body).toMatchObject({ status: "PENDING_REMOVAL" });
    await kit.deposit(1_00, "anexo@aurora.example");
    await kit.drainJobs();
    expect(await statusOf(id)).toBe("REMOVED");
    const again = await proven("EMAIL", "anexo@aurora.example");
    expect(await statusOf(again)).toBe("REGISTERED");
  });
});
