/** Codes that prove possession of a phone or an e-mail address. */
import { deletePixKey, resendPixKeyCode, verifyPixKey } from "@malote/contracts/pix-keys";
import { listDirectory } from "@malote/contracts/simulator";
import { addDays, saoPauloDate, startOfDay } from "@malote/domain/calendar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import type { Person } from "../testing/app.ts";
import { openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { pixKeyCalls } from "../testing/pix-keys-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const [aurora] = demoCompanies;
const auroraEmail = aurora?.pixKeys.find(({ type }) => type === "EMAIL");
if (!aurora || !auroraEmail) throw new Error("no demo company with an e-mail key");

const { add, fetchStatus, act, simulator, textedCode, mailedCode, proven } = pixKeyCalls(() => kit);

describe("proof of possession", () => {
  it("PIX-026 PIX-028 PIX-030 is sent by a text message to the phone, which then is registered", async () => {
    const { body } = await add("TELEFONE", "(11) 98421-5570");
    expect(body).toMatchObject({ key: "+5511984215570", status: "VALIDATING" });
    await kit.drainJobs();
    const { texts } = await simulator(listDirectory);
    expect(texts[0]).toMatchObject({ to: "+5511984215570", words: expect.stringContaining(aurora.name) });
    const code = await textedCode();
    for (const empty of ["", "   "])
      expect((await act(verifyPixKey, body.id, kit.admin, { code: empty })).body.code).toBe(
        "invalid_request",
      );
    expect((await act(verifyPixKey, body.id, kit.admin, { code })).body.status).toBe("PENDING");
    expect((await act(verifyPixKey, body.id, kit.admin, { code })).body.code).toBe("pix_key_changed");
    await kit.drainJobs();
    expect(await fetchStatus(body.id)).toBe("REGISTERED");
    const { rows } = await kit.services.db.pool.query(
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

  it("PIX-026 is sent by an e-mail to the address, and its text is not stored", async () => {
    const id = await proven("EMAIL", "cobranca@aurora.example");
    expect(await fetchStatus(id)).toBe("REGISTERED");
    const { rows } = await kit.services.db.pool.query(
      "SELECT text_body FROM mails WHERE to_address = 'cobranca@aurora.example'",
    );
    expect(rows).toEqual([{ text_body: "" }]);
  });

  it("PIX-031 ends a code after five wrong tries, and after half an hour, and sends another valid one", async () => {
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
    expect((await act(verifyPixKey, id, kit.admin, { code: "1" })).body.code).toBe("pix_key_code_wrong");
    kit.clock.advance({ minutes: 30, seconds: 1 });
    expect((await act(verifyPixKey, id, kit.admin, { code: second })).body.code).toBe("pix_key_code_over");
    expect((await act(resendPixKeyCode, id)).body).toEqual({ blockedTime: 10 });
    await kit.drainJobs();
    const third = mailedCode("rh@aurora.example");
    expect((await act(verifyPixKey, id, kit.admin, { code: third })).body.status).toBe("PENDING");
  });

  it("PIX-004 PIX-031 sends another code, and shows how long the next one has to wait", async () => {
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

  it("limits the codes that a company sends", async () => {
    await kit.services.db.pool.query(
      "UPDATE pix_keys SET code_sends = 40 WHERE key = 'cobranca@aurora.example'",
    );
    expect((await add("EMAIL", "mais.um@aurora.example")).body.code).toBe("too_many_tries");
    kit.clock.advance({ hours: 1, minutes: 30 });
    const { body } = await add("EMAIL", "mais.um@aurora.example");
    expect(body.status).toBe("VALIDATING");
    await act(deletePixKey, body.id);
  });

  it("is not sent to a phone after its code expired", async () => {
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
  /** The day is that of São Paulo. */
  const nextMidnight = () => startOfDay(addDays(saoPauloDate(kit.clock.now()), 1));

  it("are ten a day, for all companies together and however often the key is added again", async () => {
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

  it("are ten on the next day too, however many were sent on the days before", async () => {
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
