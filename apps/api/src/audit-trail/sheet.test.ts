/** Content of the audit trail's sheet, and the limits of its requests. */
import { randomUUID } from "node:crypto";
import { downloadAuditTrail, exportAuditTrail, readAuditTrailExport } from "@malote/contracts/audit-trail";
import { createBatch, renameBatch } from "@malote/contracts/batches";
import { readCheckpoint } from "@malote/contracts/company";
import { downloadPayinReport, requestPayinReport } from "@malote/contracts/payins";
import { fetchedSheets } from "@malote/domain/limits";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { audit } from "../platform/audit.ts";
import { auditTrailCalls, done } from "../testing/audit-trail-kit.ts";
import { auroraId, openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { fetchEntries } = auditTrailCalls(() => kit);

it("FST-024 records that a person requested the sheet", async () => {
  const noted = async () =>
    (await done(kit.admin, readCheckpoint, { params: { id: "HAS_CREATED_REPORT" } })).exists;
  expect(await noted()).toBe(false);
  await done(kit.admin, exportAuditTrail, { body: {} });
  expect(await noted()).toBe(true);
});

describe("the sheet", () => {
  it("holds the filtered entries with each link of the chain, and leaves an entry of its own", async () => {
    const { id } = await done(kit.operator, createBatch, { body: { name: '=HYPERLINK("http://x")' } });
    await done(kit.admin, renameBatch, { params: { id }, body: { name: "Folha" } });
    const requested = await done(kit.admin, exportAuditTrail, { body: { subject_id: id } });
    const state = await done(kit.admin, readAuditTrailExport, { params: { id: requested.id } });
    expect(state).toEqual({
      link: `/api/payments/app/audit_trail/exports/${requested.id}/file`,
      filename: "Trilha de auditoria 2026-08-12.csv",
    });
    const { headers, body } = await kit.admin.call(downloadAuditTrail, { params: { id: requested.id } });
    expect(headers["content-type"]).toBe("text/csv; charset=utf-8");
    expect(headers["content-disposition"]).toBe(
      `attachment; filename="Trilha de auditoria 2026-08-12.csv"; filename*=UTF-8''Trilha%20de%20auditoria%202026-08-12.csv`,
    );
    const lines = String(body).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('"Nº";"Data";"Quem";"Tipo";"Ação"');
    const { rows } = await kit.services.db.pool.query(
      `SELECT encode(c.hash, 'hex') AS hash FROM audit_chain c JOIN audit_entries e ON e.id = c.entry_id
       WHERE e.subject_id = $1 ORDER BY c.seq DESC`,
      [id],
    );
    expect(lines[1]).toContain('"12/08/2026 10:00:00";"Helena Prado";"Pessoa";"Lote renomeado";"Lote Folha"');
    // No spreadsheet program may read typed text as a formula.
    expect(lines[1]).toContain(`"Nome: =HYPERLINK(""http://x"") → Folha"`);
    for (const [at, { hash }] of rows.entries()) expect(lines[at + 1]?.endsWith(`"${hash}"`)).toBe(true);
    const [own] = await fetchEntries({ action: "audit_trail_exported" });
    expect(own).toMatchObject({ subject_id: requested.id, actor: { name: "Helena Prado" } });
  });

  it("is made in pieces, each row once", async () => {
    await kit.services.db.withCompany(auroraId, async (tx) => {
      for (let n = 0; n < 1_100; n++)
        await audit(tx, { actor: "system", now: kit.clock.now() }, "receivers_removed", `subject-${n}`);
    });
    const requested = await done(kit.admin, exportAuditTrail, { body: { action: "receivers_removed" } });
    const { body } = await kit.admin.call(downloadAuditTrail, { params: { id: requested.id } });
    const lines = String(body).trim().split("\r\n").slice(1);
    expect(new Set(lines.map((line) => /subject-\d+/.exec(line)?.[0])).size).toBe(1_100);
    expect(lines).toHaveLength(1_100);
  });

  it("is limited to five downloads at a time and two hundred requests a day per company, other sheets included", async () => {
    const { id } = await done(kit.admin, exportAuditTrail, { body: {} });
    const fetch = (by = kit.admin, of = id) => by.call(downloadAuditTrail, { params: { id: of } });
    const theirs = await done(kit.stranger, exportAuditTrail, { body: {} });
    const payins = await done(kit.admin, requestPayinReport, { body: {} });
    // Their rows are not read before this lock is released.
    const holder = await kit.services.db.pool.connect();
    await holder.query("BEGIN; LOCK TABLE payins IN ACCESS EXCLUSIVE MODE");
    const fetchPayins = () => kit.admin.call(downloadPayinReport, { params: { id: payins.id } });
    const held = Array.from({ length: fetchedSheets.openMax + 1 }, fetchPayins);
    // Five downloads wait for their rows, so the sixth is refused, and one of another kind as well.
    const refused = [await Promise.race(held), await fetch()];
    const ofOthers = await fetch(kit.stranger, theirs.id);
    await holder.query("COMMIT");
    holder.release();
    for (const { status, body } of refused) {
      expect([status, body.code]).toEqual([429, "sheets_at_once"]);
      expect(body.message).toBe(
        "Sua empresa já está baixando 5 planilhas. Espere o fim de uma delas e baixe de novo.",
      );
    }
    // Other companies did not wait for these downloads.
    expect(ofOthers.status).toBe(200);
    const statuses = (await Promise.all(held)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 200, 200, 200, 200, 429]);
    // Each download released its place, a refused one too.
    for (let n = 0; n < fetchedSheets.openMax; n++)
      expect((await fetch(kit.admin, randomUUID())).status).toBe(404);
    expect((await fetch()).status).toBe(200);

    await kit.services.db.pool.query(
      `INSERT INTO exports (company_id, id, kind, request, is_streamed, state, created_at, expires_at)
       SELECT $1, uuidv7(), 'audit_trail', '{}', true, 'ready', $2, $2::timestamptz + interval '24 hours'
       FROM generate_series(2, $3)`,
      [auroraId, kit.clock.now(), fetchedSheets.requestsMax],
    );
    // A repeated request takes no further place; a different one does.
    await done(kit.admin, exportAuditTrail, { body: {} });
    const { status, body } = await kit.admin.call(exportAuditTrail, { body: { object: "limit" } });
    expect([status, body.code]).toEqual([429, "sheets_asked_too_many"]);
    await done(kit.stranger, exportAuditTrail, { body: {} });
    await kit.pass({ hours: 25 });
    await done(kit.admin, exportAuditTrail, { body: {} });
  });
});

describe("requesting sheets", () => {
  const rows = async (): Promise<{ kind: string }[]> =>
    (await kit.services.db.pool.query("SELECT kind FROM exports WHERE is_streamed ORDER BY kind")).rows;
  const entries = async (): Promise<number> =>
    (
      await kit.services.db.pool.query(
        "SELECT count(*)::int AS n FROM audit_entries WHERE action IN ('payin_report_requested', 'audit_trail_exported')",
      )
    ).rows[0].n;

  it("keeps the latest sheet for each person and set of filters", async () => {
    const makeCall = async (by = kit.admin, body = {}) => (await done(by, requestPayinReport, { body })).id;
    const first = await makeCall();
    await kit.pass({ minutes: 5 });
    expect(await makeCall()).toBe(first);
    expect(await makeCall(kit.analyst)).not.toBe(first);
    expect(await makeCall(kit.admin, { search: "luz" })).not.toBe(first);
    expect(await rows()).toHaveLength(3);
    const { rows: kept } = await kit.services.db.pool.query("SELECT created_at FROM exports WHERE id = $1", [
      first,
    ]);
    expect(kept).toEqual([{ created_at: kit.clock.now() }]);
  });

  it("stops at thirty per person and hour, all kinds and concurrent requests included, and leaves no more entries", async () => {
    const per = fetchedSheets.requestsPerHourMax;
    const makeCall = (n: number, by = kit.admin) =>
      by.call(n % 2 ? requestPayinReport : exportAuditTrail, {
        body: n % 2 ? { search: `luz ${n}` } : {},
      });
    const answers = await Promise.all(Array.from({ length: per + 5 }, (_, n) => makeCall(n)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill("sheets_asked_in_an_hour"));
    expect(refused[0]?.body.message).toBe(
      "Você já pediu 30 planilhas na última hora. Baixe uma das que já pediu ou espere para pedir outra.",
    );
    expect(await entries()).toBe(per);
    expect((await rows()).length).toBeLessThanOrEqual(per / 2 + 6);
    // A colleague is not limited, and neither is the same person an hour later.
    expect((await makeCall(1, kit.analyst)).status).toBe(200);
    await kit.pass({ hours: 1 });
    expect((await makeCall(0)).status).toBe(200);
  });
});
