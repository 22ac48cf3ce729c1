/** Defences of a company against infractions. */
import { attachmentBytesMax } from "@malote/domain/limits";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/demo-data.ts";
import {
  announceOutcome,
  defend,
  fetchInfraction,
  fetchInfractions,
  pdf,
  receiveInfraction,
} from "../testing/contestations.ts";
import { infractionCalls } from "../testing/infractions-kit.ts";
import { fetchBalance, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const { approve, trail } = infractionCalls(() => kit);

const good = { analysis: "rejected", analysis_description: "O cliente recebeu o produto." };

describe("a defence", () => {
  it.each([
    ["no decision", { analysis_description: good.analysis_description }, 422, "analysis_missing"],
    ["another decision", { ...good, analysis: "delayed" }, 422, "analysis_missing"],
    ["no reasons", { analysis: "rejected" }, 422, "defence_too_short"],
    ["an approval without reasons", { analysis: "accepted" }, 422, "defence_too_short"],
    ["nine characters", { ...good, analysis_description: "   123456789   " }, 422, "defence_too_short"],
    ["2001 characters", { ...good, analysis_description: "á".repeat(2_001) }, 422, "defence_too_long"],
    [
      "a program",
      { ...good, files: [{ name: "nota.pdf", content: Buffer.from("MZ\x90\x00 program") }] },
      422,
      "attachment_wrong_kind",
    ],
    [
      "an empty file",
      { ...good, files: [{ name: "nota.pdf", content: Buffer.alloc(0) }] },
      422,
      "attachment_wrong_kind",
    ],
    [
      "two files",
      {
        ...good,
        files: [
          { name: "a.pdf", content: pdf() },
          { name: "b.pdf", content: pdf() },
        ],
      },
      422,
      "attachment_too_many",
    ],
    [
      "one byte more than 15 MB",
      { ...good, files: [{ name: "a.pdf", content: pdf(attachmentBytesMax + 1 - pdf(0).length) }] },
      413,
      "attachment_too_large",
    ],
  ])("MED-028 MED-029 MED-030 MED-031 MED-032 refuses %s", async (_, defence, status, code) => {
    const { id } = await receiveInfraction(kit);
    const answer = await defend(kit, kit.admin.token, id, defence);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(await fetchInfraction(kit.admin, id)).toMatchObject({ analysis_status: "pending", files: [] });
    const kept: string[] = [];
    for await (const { key } of kit.services.files.list("infractions")) kept.push(key);
    expect(kept).toEqual([]);
  });

  it("MED-028 stores 2000 characters whole, whatever their size in bytes", async () => {
    const { id } = await receiveInfraction(kit);
    const analysis_description = "😀".repeat(2_000);
    const { body } = await defend(kit, kit.admin.token, id, { ...good, analysis_description });
    expect(body.analysis_description).toBe(analysis_description);
  });

  it("MED-032 accepts files of 15 MB in all, and no file at all", async () => {
    const [{ id }, other] = [await receiveInfraction(kit), await receiveInfraction(kit)];
    const content = pdf(attachmentBytesMax - pdf(0).length);
    const answer = await defend(kit, kit.admin.token, id, { ...good, files: [{ name: "a.pdf", content }] });
    expect([answer.status, answer.body.files?.length]).toEqual([200, 1]);
    expect((await defend(kit, kit.admin.token, other.id, good)).body.files).toEqual([]);
  });

  it("MED-035 MED-027 is sent to the infraction service with its file, moves no money, and is final", async () => {
    const { id, providerId } = await receiveInfraction(kit);
    const before = await fetchBalance(kit.admin);
    const text = "  O produto foi entregue.\r\nHá assinatura de quem recebeu.  ";
    const content = pdf();
    const answer = await defend(kit, kit.operator.token, id, {
      analysis: "rejected",
      analysis_description: text,
      files: [{ name: "C:\\notas\\comprovante de entrega", content }],
    });
    expect(answer.body).toMatchObject({
      analysis_status: "rejected",
      analysis_description: "O produto foi entregue.\nHá assinatura de quem recebeu.",
      user: { name: "Rui Tavares" },
      files: [{ name: "comprovante de entrega.pdf" }],
      refund: null,
    });
    await kit.drainJobs();
    const { rows } = await kit.services.db.pool.query(
      "SELECT answer FROM sandbox.infractions WHERE id = $1",
      [providerId],
    );
    expect(rows[0].answer).toEqual({
      analysis: "rejected",
      description: answer.body.analysis_description,
      file_name: "comprovante de entrega.pdf",
    });
    expect(await fetchBalance(kit.admin)).toBe(before);
    expect(await trail(id)).toEqual(["system infraction_reported", "user infraction_rejected"]);

    const [announced] = (await fetchInfraction(kit.analyst, id)).files;
    expect(announced.name).toBe("comprovante de entrega.pdf");
    const file = await kit.server.inject({ url: announced.signed_url });
    expect(file.body).toBe(content.toString());
    expect(file.headers).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="comprovante de entrega.pdf"; filename*=UTF-8''comprovante%20de%20entrega.pdf`,
    });
    expect((await defend(kit, kit.admin.token, id, { ...good, analysis: "accepted" })).body.code).toBe(
      "infraction_answered",
    );
    expect((await approve([id])).status).toBe(409);
  });

  it("MED-027 MED-035 that agrees is stored with its reasons and file, and returns the money at once", async () => {
    const { id, providerId } = await receiveInfraction(kit, 90_00);
    const before = await fetchBalance(kit.admin);
    const answer = await defend(kit, kit.operator.token, id, {
      analysis: "accepted",
      analysis_description: "Foi mesmo uma fraude.",
      files: [{ name: "boletim.pdf", content: pdf() }],
    });
    expect(answer.body).toMatchObject({
      analysis_status: "accepted",
      analysis_description: "Foi mesmo uma fraude.",
      analysis_date: kit.clock.now().toISOString(),
      user: { name: "Rui Tavares" },
      files: [{ name: "boletim.pdf" }],
      refund: { status: "closed", refunded_amount: 90_00 },
    });
    expect(await fetchBalance(kit.admin)).toBe(before - 90_00);
    await kit.drainJobs();
    const { rows } = await kit.services.db.pool.query(
      "SELECT answer FROM sandbox.infractions WHERE id = $1",
      [providerId],
    );
    expect(rows[0].answer).toEqual({
      analysis: "accepted",
      description: "Foi mesmo uma fraude.",
      file_name: "boletim.pdf",
    });
  });

  it("MED-006 has a file that opens only by a signed address, for a quarter of an hour", async () => {
    const [mine, other] = [await receiveInfraction(kit), await receiveInfraction(kit)];
    for (const { id } of [mine, other])
      await defend(kit, kit.operator.token, id, { ...good, files: [{ name: "nota.pdf", content: pdf() }] });
    const [{ signed_url: url }] = (await fetchInfractions(kit.analyst, { transaction_id: mine.endToEndId }))
      .items[0].files;
    const open = (address: string) => kit.server.inject({ url: address });
    const fetchCode = async (address: string) => JSON.parse((await open(address)).body).code;
    expect((await open(url)).body).toBe(pdf().toString());
    const signed = new URL(url, "http://x");
    const changed = (name: string, value: string) => {
      const query = new URLSearchParams(signed.searchParams);
      query.set(name, value);
      return `${signed.pathname}?${query}`;
    };
    const signature = signed.searchParams.get("signature") ?? "";
    const later = String(Number(signed.searchParams.get("expires")) + 60_000);
    for (const forged of [
      signed.pathname.replace(mine.id, other.id) + signed.search,
      changed("company", demoCompanies[1]?.id ?? ""),
      changed("expires", later),
      changed(
        "signature",
        signature.replace(/^./, (sign) => (sign === "0" ? "1" : "0")),
      ),
    ])
      expect([(await open(forged)).statusCode, await fetchCode(forged)]).toEqual([404, "not_found"]);
    expect((await open(changed("signature", signature.slice(1)))).statusCode).toBe(400);
    expect((await open(signed.pathname)).statusCode).toBe(400);
    kit.clock.advance({ minutes: 15, ms: -1 });
    expect((await open(url)).statusCode).toBe(200);
    kit.clock.advance({ ms: 1 });
    expect(await fetchCode(url)).toBe("attachment_link_over");
    const [again] = (await fetchInfraction(kit.analyst, mine.id)).files;
    expect((await open(again.signed_url)).statusCode).toBe(200);
  });

  it("MED-010 is refused if the infraction was contested by e-mail", async () => {
    const { id, providerId } = await receiveInfraction(kit);
    await announceOutcome(kit, providerId, "contested_by_email");
    expect((await fetchInfraction(kit.admin, id)).contested_at).toBe(kit.clock.now().toISOString());
    expect((await defend(kit, kit.admin.token, id, good)).body.code).toBe("infraction_contested");
  });

  it("MED-020 is refused if another person approved the infraction during its upload", async () => {
    const { id } = await receiveInfraction(kit);
    const { put } = kit.services.files;
    const arriving = vi.spyOn(kit.services.files, "put").mockImplementationOnce(async (...given) => {
      expect((await approve([id])).status).toBe(200);
      return put(...given);
    });
    const late = await defend(kit, kit.operator.token, id, {
      ...good,
      files: [{ name: "a.pdf", content: pdf() }],
    });
    arriving.mockRestore();
    expect([late.status, late.body.code]).toEqual([409, "infraction_answered"]);
    expect(await fetchInfraction(kit.admin, id)).toMatchObject({ analysis_status: "accepted", files: [] });
  });

  it("is resent when the infraction service did not receive it, and counts once", async () => {
    const { id, providerId } = await receiveInfraction(kit);
    const { infractions } = kit.services;
    let lost = 1;
    Object.assign(kit.services, {
      infractions: {
        ...infractions,
        answer: async (answer: Parameters<typeof infractions.answer>[0]) => {
          await infractions.answer(answer);
          if (lost-- > 0) throw new Error("no answer in time");
        },
      },
    });
    expect((await approve([id])).status).toBe(200);
    await expect(kit.drainJobs()).rejects.toThrow("no answer in time");
    await kit.pass({ seconds: 10 });
    Object.assign(kit.services, { infractions });
    expect(lost).toBe(-1);
    expect(await fetchInfraction(kit.admin, id)).toMatchObject({
      analysis_status: "accepted",
      status: "agreed",
    });
    const { rows } = await kit.services.db.pool.query(
      "SELECT answer, told AS announced FROM sandbox.infractions WHERE id = $1",
      [providerId],
    );
    expect(rows).toMatchObject([{ answer: { analysis: "accepted" }, announced: "agreed" }]);
  });
});

describe("an answer that cannot be delivered", () => {
  it("does not delay later answers, and is retried with backoff", async () => {
    const [bad, good] = [await receiveInfraction(kit), await receiveInfraction(kit)];
    const { infractions } = kit.services;
    let offered = 0;
    Object.assign(kit.services, {
      infractions: {
        ...infractions,
        answer: async (answer: Parameters<typeof infractions.answer>[0]) => {
          if (answer.infractionId !== bad.providerId) return infractions.answer(answer);
          offered++;
          throw new Error("unknown to the provider");
        },
      },
    });
    expect((await approve([bad.id])).status).toBe(200);
    await expect(kit.drainJobs()).rejects.toThrow("unknown to the provider");
    expect((await approve([good.id])).status).toBe(200);
    await kit.drainJobs();
    expect(offered).toBe(1);
    expect(await fetchInfraction(kit.admin, good.id)).toMatchObject({ analysis_status: "accepted" });
    const wasAnnounced = async (id: string) => {
      const { rows } = await kit.services.db.pool.query("SELECT reported_at FROM infractions WHERE id = $1", [
        id,
      ]);
      return rows[0].reported_at !== null;
    };
    expect([await wasAnnounced(bad.id), await wasAnnounced(good.id)]).toEqual([false, true]);
    // The retries come 10 seconds after the first try and 20 after the second.
    await kit.pass({ seconds: 10 });
    expect(offered).toBe(2);
    await kit.pass({ seconds: 10 });
    expect(offered).toBe(2);
    await kit.pass({ seconds: 10 });
    expect(offered).toBe(3);
    Object.assign(kit.services, { infractions });
    await kit.pass({ seconds: 40 });
    expect(await wasAnnounced(bad.id)).toBe(true);
  });

  it("does not delay an answer of the same moment", async () => {
    const [bad, good] = [await receiveInfraction(kit), await receiveInfraction(kit)];
    const { infractions } = kit.services;
    Object.assign(kit.services, {
      infractions: {
        ...infractions,
        answer: async (answer: Parameters<typeof infractions.answer>[0]) => {
          if (answer.infractionId === bad.providerId) throw new Error("unknown to the provider");
          return infractions.answer(answer);
        },
      },
    });
    expect((await approve([bad.id, good.id])).status).toBe(200);
    await expect(kit.drainJobs()).rejects.toThrow("unknown to the provider");
    Object.assign(kit.services, { infractions });
    expect(await fetchInfraction(kit.admin, good.id)).toMatchObject({ status: "pending" });
    await kit.pass({ seconds: 10 });
    await kit.pass({ seconds: 1 });
    expect(await fetchInfraction(kit.admin, bad.id)).toMatchObject({ status: "agreed" });
    expect(await fetchInfraction(kit.admin, good.id)).toMatchObject({ status: "agreed" });
  });

  it("does not delay other answers when its receipt cannot be stored", async () => {
    const both = [await receiveInfraction(kit), await receiveInfraction(kit)];
    // Both were answered at the same moment, so they are sent in the order of their ids.
    const [bad, good] = both.map(({ id }) => id).sort() as [string, string];
    const { pool } = kit.services.db;
    await pool.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not noted'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF reported_at ON infractions FOR EACH ROW
        WHEN (NEW.id = '${bad}') EXECUTE FUNCTION refuse()`);
    const listAnnounced = async () => {
      const { rows } = await pool.query<{ id: string }>(
        "SELECT id FROM infractions WHERE id = ANY($1::uuid[]) AND reported_at IS NOT NULL ORDER BY id",
        [[bad, good]],
      );
      return rows.map(({ id }) => id);
    };
    expect((await approve([bad, good])).status).toBe(200);
    await expect(kit.drainJobs()).rejects.toThrow("not noted");
    expect(await listAnnounced()).toEqual([good]);
    await pool.query("DROP TRIGGER refuse ON infractions; DROP FUNCTION refuse()");
    await kit.pass({ seconds: 10 });
    expect(await listAnnounced()).toEqual([bad, good]);
  });
});
