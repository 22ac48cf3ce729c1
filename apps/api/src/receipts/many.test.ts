/** Many receipts in one file: made once, e-mailed as a link, and downloaded by the requester. */
import { readdirSync } from "node:fs";
import { readBatch } from "@malote/contracts/batches";
import { downloadReceipt, downloadReceipts, readReceipts, requestReceipts } from "@malote/contracts/receipts";
import type { Transfer } from "@malote/contracts/transfers";
import { receiptExports } from "@malote/domain/limits";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { makeExport } from "../exports/index.ts";
import { fileKinds } from "../registry.ts";
import type { Person } from "../testing/app.ts";
import { byForce } from "../testing/by-force.ts";
import {
  auroraId,
  draft,
  openPayments,
  type PaymentsKit,
  paidFor,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { failing, hostile, receiptCalls, requestReceiptsFor, someone } from "../testing/receipts-kit.ts";
import { entriesOf } from "./testing.ts";

let kit: PaymentsKit;
/** A batch with a Pix that arrived, a TED that arrived and a Pix that failed, in this order. */
let batchId: string;
let arrived: Transfer;
let failed: Transfer;
/** The batch is a draft, so nothing of it is paid. */
let draftId: string;
beforeAll(async () => {
  kit = await openPayments();
  batchId = await paidFor(kit, [
    pix(1_234_56, { pix_description: "Salário <b>agosto</b>", integration_id: "RH-7" }),
    ted(100_00, {}, "11222333000181"),
    pix(50_00, { destination_bank_account: failing }),
  ]);
  await kit.services.db.pool.query("UPDATE batches SET name = $1 WHERE id = $2", [hostile, batchId]);
  await kit.drainJobs();
  await kit.pass({ hours: 2 });
  const { transfers } = (await kit.admin.call(readBatch, { params: { id: batchId } })).body;
  [arrived, , failed] = transfers;
  draftId = (await draft(kit.admin)).id;
  await kit.drainJobs();
  kit.mails.splice(0);
});
afterAll(() => kit.close());

const { file } = receiptCalls(() => kit);

const read = (by: Person, id: string) => by.call(readReceipts, { params: { id } });
/** The file is requested, made and announced. */
async function made(by: Person, body: object): Promise<string> {
  const answer = await requestReceiptsFor(by, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  await kit.drainJobs();
  return answer.body.id;
}
const filesKept = () => {
  const entries = readdirSync(kit.services.config.dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && entry.parentPath.includes("exports")).length;
};

describe("many receipts", () => {
  it("refuses a caller without a session, and a credential, which reads no e-mail", async () => {
    expect((await kit.call(requestReceipts, { body: { batch_id: batchId } })).status).toBe(401);
    const { clientId, clientSecret } = demoCompanies[0]?.credential ?? {};
    const signedIn = await kit.send("POST", "/api/login/authorize", {
      grant_type: "client_credentials",
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = await kit.call(
      requestReceipts,
      { body: { batch_id: batchId } },
      { token: signedIn.body.access_token },
    );
    expect(answer).toMatchObject({ status: 403, body: { code: "person_only" } });
  });

  it("finds neither the batch nor the payments of another company", async () => {
    expect(await requestReceiptsFor(kit.stranger, { batch_id: batchId })).toMatchObject({
      status: 404,
      body: { code: "not_found" },
    });
    expect(await requestReceiptsFor(kit.stranger, { ids: [arrived.id] })).toMatchObject({
      status: 422,
      body: { code: "receipts_none" },
    });
  });

  it.each([{}, { ids: [] }, { ids: ["x"] }, { batch_id: null }])("refuses %j", async (body) => {
    expect((await requestReceiptsFor(kit.admin, body)).status).toBe(400);
  });

  it("TRF-065 BAT-029 reports if none is available", async () => {
    for (const body of [{ batch_id: draftId }, { ids: [failed.id] }]) {
      expect(await requestReceiptsFor(kit.admin, body)).toMatchObject({
        status: 422,
        body: { code: "receipts_none", message: "Nenhum comprovante disponível." },
      });
    }
  });

  it("TRF-064 sends the link to the requester when the file is ready, and writes an entry in the trail", async () => {
    const answer = await requestReceiptsFor(kit.analyst, {
      ids: [failed.id, arrived.id, arrived.id, someone],
    });
    expect(answer).toMatchObject({ status: 200, body: { receipts_count: 1 } });
    const { id } = answer.body;
    expect((await read(kit.analyst, id)).body).toMatchObject({ state: "making", batch: null });
    expect(await kit.analyst.call(downloadReceipts, { params: { id } })).toMatchObject({
      status: 404,
      body: { code: "receipts_not_ready" },
    });
    expect(kit.mails).toEqual([]);

    await kit.drainJobs();
    expect((await read(kit.analyst, id)).body).toMatchObject({ state: "ready", receipts_count: 1 });
    const [mail] = kit.mails.splice(0);
    expect(mail).toMatchObject({ to: "ana@aurora.example", subject: "Seus comprovantes estão prontos" });
    expect(mail?.text).toContain(`/pagamentos/lotes?comprovantes=${id}`);
    expect(mail?.text).toContain("Disponível até: 19/08/2026");
    const { rows } = await kit.services.db.pool.query(
      "SELECT actor_name, detail FROM audit_entries WHERE action = 'receipts_requested' AND subject_id = $1",
      [id],
    );
    expect(rows).toEqual([{ actor_name: expect.stringContaining("Ana"), detail: { receipts: 1 } }]);
  });

  it("TRF-064 is a ZIP with a PDF for each payment of the batch that arrived", async () => {
    const id = await made(kit.operator, { batch_id: batchId });
    expect(kit.mails.splice(0)[0]?.subject).toBe(
      'Os comprovantes do lote <b>Zoë</b> "Lote" set-cookie: x ../ estão prontos',
    );
    expect((await read(kit.operator, id)).body).toMatchObject({
      state: "ready",
      receipts_count: 2,
      batch: { id: batchId, name: hostile },
    });
    const { status, headers, bytes } = await file(kit.operator, downloadReceipts, id);
    expect(status).toBe(200);
    expect(headers["content-type"]).toBe("application/zip");
    expect(headers["content-length"]).toBe(String(bytes.length));
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="Comprovantes bZoeb Loteset-cookie x.zip"; filename*=UTF-8''Comprovantes%20bZoeb%20Loteset-cookie%20x.zip`,
    );
    const entries = entriesOf(bytes);
    expect(entries.map(({ name, at }) => [name, at])).toEqual([
      ["00001 Maria Souza 1.234,56.pdf", "2026-08-12 10:00:00"],
      ["00002 Padaria Sol Nascente 100,00.pdf", expect.stringMatching(/^2026-08-12 1/)],
    ]);
    const [first] = entries;
    expect(first?.content.equals((await file(kit.admin, downloadReceipt, arrived.id)).bytes)).toBe(true);
    // A repeated request makes the file again, with the same content.
    const again = await file(kit.operator, downloadReceipts, await made(kit.operator, { batch_id: batchId }));
    expect(again.bytes.equals(bytes)).toBe(true);
    kit.mails.splice(0);
  });

  it("are not found by another company", async () => {
    const id = await made(kit.admin, { batch_id: batchId });
    kit.mails.splice(0);
    for (const contract of [readReceipts, downloadReceipts]) {
      const theirs = await kit.stranger.call(contract, { params: { id } });
      expect(theirs).toMatchObject({ status: 404, body: { code: "not_found" } });
      expect((await kit.call(contract, { params: { id } })).status).toBe(401);
      // A colleague may download it, because the e-mail may have been forwarded.
      expect((await kit.analyst.call(contract, { params: { id } })).status).toBe(200);
    }
  });

  it("reads and writes a batch in parts, in its order, each receipt once", async () => {
    const many = await draft(kit.admin);
    await kit.services.db.withCompany(auroraId, (tx) =>
      sql`
        INSERT INTO transfers (company_id, id, batch_id, position, status, value, payment_method, name, pix_key_type,
          pix_key, transfer_date, created_at)
        SELECT ${auroraId}, gen_random_uuid(), ${many.id}, 10 + n / 2, 'FINISHED', n, 'PIX', 'Pessoa', 'EMAIL',
          'a@exemplo.com.br', ${kit.clock.now()}, ${kit.clock.now()}
        FROM generate_series(1, 220) n`.execute(tx),
    );
    const { bytes } = await file(kit.admin, downloadReceipts, await made(kit.admin, { batch_id: many.id }));
    kit.mails.splice(0);
    const values = entriesOf(bytes).map(({ name }) =>
      Number(/ (\d+),(\d\d)\.pdf$/.exec(name)?.slice(1).join("")),
    );
    expect(new Set(values).size).toBe(220);
    expect(values.map((value) => Math.floor(value / 2))).toEqual(
      Array.from({ length: 220 }, (_, n) => Math.floor((n + 1) / 2)),
    );
    await kit.services.db.pool.query("DELETE FROM transfers WHERE batch_id = $1 AND status = 'FINISHED'", [
      many.id,
    ]);
  });

  it("refuses more requests in progress than a company may have, and accepts them afterwards", async () => {
    for (let n = 0; n < receiptExports.atOnceMax; n++) {
      expect((await requestReceiptsFor(kit.admin, { batch_id: batchId })).status).toBe(200);
    }
    expect(await requestReceiptsFor(kit.operator, { batch_id: batchId })).toMatchObject({
      status: 429,
      body: { code: "receipts_at_once", data: { max: receiptExports.atOnceMax } },
    });
    await kit.drainJobs();
    expect((await requestReceiptsFor(kit.operator, { batch_id: batchId })).status).toBe(200);
    await kit.drainJobs();
    kit.mails.splice(0);
  });

  it("is made once by two workers with the same job, and announced once", async () => {
    const { id } = (await requestReceiptsFor(kit.admin, { batch_id: batchId })).body;
    kit.enqueued.splice(0);
    const before = filesKept();
    const job = { companyId: auroraId, exportId: id };
    await Promise.all([makeExport(fileKinds, kit.services, job), makeExport(fileKinds, kit.services, job)]);
    await makeExport(fileKinds, kit.services, job);
    await kit.drainJobs();
    expect(filesKept()).toBe(before + 1);
    expect(kit.mails.splice(0).length).toBe(1);
  });

  it("reports if every payment was sent back before the file was made", async () => {
    const { id } = (await requestReceiptsFor(kit.admin, { ids: [arrived.id] })).body;
    const before = filesKept();
    await kit.services.db.pool.query("UPDATE transfers SET status = 'RETURNED' WHERE id = $1", [arrived.id]);
    await kit.drainJobs();
    await kit.services.db.pool.query(
      `${byForce} UPDATE transfers SET status = '${arrived.status}' WHERE id = '${arrived.id}'`,
    );
    expect((await read(kit.admin, id)).body.state).toBe("failed");
    expect(kit.mails.splice(0)).toMatchObject([{ subject: "Não foi possível preparar seus comprovantes" }]);
    expect(filesKept()).toBe(before);
  });

  it("leaves nothing if the disk fails, and is made by the next try", async () => {
    const { id } = (await requestReceiptsFor(kit.admin, { batch_id: batchId })).body;
    kit.enqueued.splice(0);
    const broken = {
      ...kit.services,
      files: { ...kit.services.files, put: () => Promise.reject(new Error("no space left")) },
    };
    const job = { companyId: auroraId, exportId: id };
    await expect(makeExport(fileKinds, broken, job)).rejects.toThrow("no space left");
    expect((await read(kit.admin, id)).body.state).toBe("making");
    await makeExport(fileKinds, kit.services, job);
    expect((await read(kit.admin, id)).body.state).toBe("ready");
    await kit.drainJobs();
    kit.mails.splice(0);
  });
});
