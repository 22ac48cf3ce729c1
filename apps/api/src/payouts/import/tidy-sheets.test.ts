import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { deleteBatch } from "@malote/contracts/batch-life";
import { importSheet, readSheet } from "@malote/contracts/import";
import { uploadQuota } from "@malote/domain/limits";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { runWithinUploadLimit } from "../../company/index.ts";
import type { Person, TestApp } from "../../testing/app.ts";
import { buildImportApp, csvOf, importFile, pixHeadings, pixRow, upload } from "../../testing/import-kit.ts";
import { makeQueueTable } from "../../testing/queue-table.ts";
import { tidySheets } from "./tidy-sheets.ts";

const aurora = "01990000-0000-7000-8000-00000000a001";
const good = csvOf([pixHeadings, pixRow()]);
let app: TestApp;
let helena: Person;
let marcos: Person;

beforeAll(async () => {
  app = await buildImportApp();
  await makeQueueTable(app.services.db);
});
beforeEach(async () => {
  await app.services.db.pool.query("DELETE FROM sheets; DELETE FROM pgboss.job");
  [helena, marcos] = await Promise.all([app.as("helena@aurora.example"), app.as("marcos@horizonte.example")]);
});
afterAll(() => app.close());

const stored = () =>
  readdirSync(join(app.services.config.dataDir, "sheets"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
const fetchState = async (id: string) => {
  const { rows } = await app.services.db.pool.query(
    "SELECT state, file_removed_at FROM sheets WHERE id = $1",
    [id],
  );
  return rows[0];
};

/** Sheets that count as sent before. */
const sentBefore = (count: number, bytes: number) =>
  app.services.db.withCompany(aurora, (tx) =>
    sql`
      INSERT INTO sheets (company_id, id, file_name, file_key, file_bytes, state, uploaded_by_name, created_at)
      SELECT ${aurora}, gen_random_uuid(), 'a.csv', 'sheets/x', ${bytes}, 'cancelled', 'Rui',
             ${app.clock.now()}::timestamptz - interval '20 minutes'
      FROM generate_series(1, ${count}::int)`.execute(tx),
  );

describe("quotas of uploads", () => {
  it("refuses a file above the maximum of the hour, says when to retry, and accepts it then", async () => {
    await upload(marcos, good);
    await sentBefore(uploadQuota.filesPerHourMax, 1);
    const kept = stored().length;
    const answer = await upload(helena, good);
    expect(answer).toMatchObject({
      status: 429,
      body: {
        code: "upload_quota_hour",
        message: "Sua empresa enviou arquivos demais na última hora. Aguarde 40 minutos e envie de novo.",
      },
    });
    expect(answer.headers["retry-after"]).toBe("2400");
    expect(stored()).toHaveLength(kept);
    expect((await upload(marcos, good)).status, "another company").toBe(200);
    app.clock.advance({ minutes: 41 });
    expect((await upload(await app.as("helena@aurora.example"), good)).status).toBe(200);
  });

  it("refuses more than the maximum of bytes per hour and of stored bytes", async () => {
    await sentBefore(1, uploadQuota.bytesPerHourMax - good.length + 1);
    expect((await upload(helena, good)).body.code).toBe("upload_quota_hour");
    await app.services.db.pool.query(
      "UPDATE sheets SET created_at = created_at - interval '2 hours', file_bytes = $1",
      [uploadQuota.bytesKeptMax],
    );
    expect(await upload(helena, good)).toMatchObject({
      status: 422,
      body: { code: "upload_quota_kept", data: { limit: "20 GB" } },
    });
    await app.services.db.pool.query("UPDATE sheets SET file_removed_at = now()");
    expect((await upload(helena, good)).status).toBe(200);
  });

  it("accepts exactly one of many if one more fits", async () => {
    await sentBefore(uploadQuota.filesPerHourMax - 1, 1);
    const answers = await Promise.all(Array.from({ length: 6 }, () => upload(helena, good)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429]);
  });

  it("accepts only a few uploads of a company at a time, and the next after one is complete", async () => {
    const arrived: (() => void)[] = [];
    const onTheirWay = Array.from({ length: uploadQuota.atOnceMax }, () =>
      runWithinUploadLimit(aurora, () => new Promise<void>((resolve) => arrived.push(resolve))),
    );
    expect(await upload(helena, good)).toMatchObject({
      status: 429,
      body: { code: "uploads_at_once", data: { max: uploadQuota.atOnceMax } },
    });
    expect((await upload(marcos, good)).status, "another company").toBe(200);
    arrived[0]?.();
    await onTheirWay[0];
    expect((await upload(helena, good)).status).toBe(200);
    for (const arrive of arrived) arrive();
    await Promise.all(onTheirWay);
  });
});

describe("tidying uploads", () => {
  it("gives up a sheet without a running reader, and no other", async () => {
    const [lost, young, queued] = await Promise.all(
      [1, 2, 3].map(async () => (await upload(helena, good)).body.id),
    );
    await helena.call(importSheet, { body: { sheet_id: lost } });
    await helena.call(importSheet, { body: { sheet_id: queued } });
    await app.services.db.pool.query("INSERT INTO pgboss.job VALUES ('import-sheet', 'active', $1)", [
      { sheetId: queued },
    ]);
    app.clock.advance({ hours: 25 });
    const later = await app.as("helena@aurora.example");
    await app.services.db.pool.query("UPDATE sheets SET state = 'reading', created_at = $2 WHERE id = $1", [
      young,
      app.clock.now(),
    ]);
    await tidySheets(app.services);
    expect((await later.call(readSheet, { params: { id: lost } })).body).toMatchObject({
      state: "refused",
      refusal: { code: "sheet_import_failed" },
    });
    expect(await fetchState(young)).toMatchObject({ state: "reading" });
    expect(await fetchState(queued)).toMatchObject({ state: "reading" });
  });

  it("deletes files that became no batch after a week, and ends sheets that were never imported", async () => {
    const { body } = await upload(helena, good);
    const refused = await importFile(app, helena, Buffer.from("a;b\n1;2"));
    app.clock.advance({ days: 6 });
    await tidySheets(app.services);
    expect(stored()).toEqual(expect.arrayContaining([body.id, refused.id]));
    app.clock.advance({ days: 2 });
    await tidySheets(app.services);
    expect(stored()).not.toEqual(expect.arrayContaining([body.id]));
    expect(stored()).not.toEqual(expect.arrayContaining([refused.id]));
    expect(await fetchState(body.id)).toMatchObject({ state: "cancelled", file_removed_at: app.clock.now() });
    expect(await fetchState(refused.id)).toMatchObject({ state: "refused" });
    const later = await app.as("helena@aurora.example");
    expect((await later.call(importSheet, { body: { sheet_id: body.id } })).body.code).toBe(
      "sheet_cancelled",
    );
  });

  it("keeps a batch's file with its batch, and deletes that of a deleted batch a month after the upload", async () => {
    const kept = await importFile(app, helena, good);
    const deleted = await importFile(app, helena, good);
    await helena.call(deleteBatch, { params: { id: deleted.batch_id ?? "" } });
    app.clock.advance({ days: 31 });
    await tidySheets(app.services);
    expect(stored()).toContain(kept.id);
    expect(stored()).not.toContain(deleted.id);
  });

  it("deletes files that no record names after a day", async () => {
    const key = `sheets/${aurora}/01990000-0000-7000-8000-000000000001`;
    await app.services.files.put(key, Readable.from("whole"));
    await app.services.files.put(`${key}.part`, Readable.from("half"));
    const named = (await upload(helena, good)).body.id;
    const fresh = `sheets/${aurora}/01990000-0000-7000-8000-000000000002`;
    await app.services.files.put(fresh, Readable.from("on its way"));
    const longAgo = new Date(Date.now() - 25 * 3_600_000);
    for (const old of [key, `${key}.part`, `sheets/${aurora}/${named}`])
      utimesSync(app.services.files.pathOf(old), longAgo, longAgo);
    await tidySheets(app.services);
    const left = stored();
    expect(left).not.toContain("01990000-0000-7000-8000-000000000001");
    expect(left).not.toContain("01990000-0000-7000-8000-000000000001.part");
    expect(left).toContain("01990000-0000-7000-8000-000000000002");
    expect(left).toContain(named);
  });
});
