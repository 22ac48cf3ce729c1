/** The audit trail for a company's admins: filters, changes from old to new values, and the sheet. */
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AuditEntry,
  downloadAuditTrail,
  exportAuditTrail,
  listAuditActors,
  listAuditTrail,
  readAuditTrailExport,
} from "@malote/contracts/audit-trail";
import { renameBatch } from "@malote/contracts/batches";
import { authorize } from "@malote/contracts/session";
import { type AuditAction, auditActions } from "@malote/domain/audit-trail";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeCompanyOptions } from "../operator/company-options.ts";
import { audit } from "../platform/audit.ts";
import { auditTrailCalls, aurora, done, listTrail, type Query } from "../testing/audit-trail-kit.ts";
import { auroraId, draft, openPayments, type PaymentsKit, pix } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { fetchEntries } = auditTrailCalls(() => kit);

describe("the audit trail", () => {
  const calls = [
    [listAuditTrail, {}],
    [listAuditActors, {}],
    [exportAuditTrail, { body: {} }],
    [readAuditTrailExport, { params: { id: randomUUID() } }],
    [downloadAuditTrail, { params: { id: randomUUID() } }],
  ] as const;

  it.each(calls.map(([call, input]) => [call.id, call, input] as const))(
    "refuses callers without a session, operators, analysts and credentials: %s",
    async (_id, call, input) => {
      expect((await kit.call(call, input)).status).toBe(401);
      for (const person of [kit.operator, kit.analyst]) {
        const { status, body } = await person.call(call, input);
        expect([status, body.code]).toEqual([403, "forbidden"]);
      }
      const { clientId: client_id, clientSecret: client_secret } = aurora.credential;
      const signedIn = await kit.call(authorize, {
        body: { grant_type: "client_credentials", client_id, client_secret },
      });
      expect((await kit.call(call, input, { token: signedIn.body.access_token })).status).toBe(403);
    },
  );

  it("refuses invalid filters and cursors", async () => {
    const wrong: Query[] = [
      { actor_id: "helena" },
      { action: "batch_eaten" },
      { object: "cheese" },
      { from: "2026-02-30" },
      { until: "ontem" },
      { subject_id: "0198f000" },
      { page_cursor: "older_1" },
    ];
    for (const query of wrong) {
      const { status, body } = await listTrail(kit.admin, query);
      expect([query, status, body.code]).toEqual([query, 400, "invalid_request"]);
    }
    expect((await kit.admin.call(exportAuditTrail, { body: { object: "cheese" } })).status).toBe(400);
    for (const call of [readAuditTrailExport, downloadAuditTrail])
      expect((await kit.admin.call(call, { params: { id: randomUUID() } })).status).toBe(404);
  });

  it("does not find entries, people and sheets of another company", async () => {
    const { id } = await draft(kit.admin, [pix(10_00)]);
    const sheet = await done(kit.admin, exportAuditTrail, { body: {} });
    expect(await fetchEntries({ subject_id: id }, kit.stranger)).toEqual([]);
    for (const call of [readAuditTrailExport, downloadAuditTrail])
      expect((await kit.stranger.call(call, { params: { id: sheet.id } })).status).toBe(404);
    const theirs = await fetchEntries({}, kit.stranger);
    expect(theirs.map(({ actor }) => actor.name)).not.toContain("Helena Prado");
    const { data } = await done(kit.stranger, listAuditActors);
    const helena = aurora.users.find(({ profile }) => profile === "admin");
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(helena?.id);
    expect(await fetchEntries({ actor_id: helena?.id ?? "" }, kit.stranger)).toEqual([]);
  });
});

describe("the list of entries", () => {
  it("finds entries by person, action, object, subject and day, the newest first", async () => {
    const { id } = await draft(kit.operator, [pix(10_00)]);
    await kit.pass({ days: 2 });
    await done(kit.admin, renameBatch, { params: { id }, body: { name: "Folha de agosto" } });
    const { data: actors } = await done(kit.admin, listAuditActors);
    const idOf = (name: string) => actors.find((one: { name: string }) => one.name === name)?.id ?? "";

    const ofBatch = await fetchEntries({ subject_id: id });
    expect(ofBatch.map(({ action, actor }) => [action, actor.name])).toEqual([
      ["batch_renamed", "Helena Prado"],
      ["batch_created", "Rui Tavares"],
    ]);
    expect(ofBatch[0]).toMatchObject({
      object: "batch",
      subject_id: id,
      subject_name: "Folha de agosto",
      actor: { kind: "user" },
    });
    expect(ofBatch[0]?.seq).toBeGreaterThan(ofBatch[1]?.seq ?? 0);
    const actionsBy = async (query: Query) =>
      (await fetchEntries({ subject_id: id, ...query })).map(({ action }) => action);
    expect(await actionsBy({ actor_id: idOf("Rui Tavares") })).toEqual(["batch_created"]);
    expect(await actionsBy({ action: "batch_renamed" })).toEqual(["batch_renamed"]);
    expect(await actionsBy({ object: "limit" })).toEqual([]);
    expect(await actionsBy({ object: "batch", from: "2026-08-13" })).toEqual(["batch_renamed"]);
    expect(await actionsBy({ until: "2026-08-12" })).toEqual(["batch_created"]);
    expect(await actionsBy({ from: "2026-08-13", until: "2026-08-13" })).toEqual([]);
    const seen = await fetchEntries({ object: "session" });
    expect(new Set(seen.map(({ action }) => auditActions[action as AuditAction].object))).toEqual(
      new Set(["session"]),
    );
  });

  it("finds actions of Malote and of the installation's operator", async () => {
    await kit.services.db.withCompany(auroraId, async (tx) => {
      await changeCompanyOptions(tx, { permissions: ["platform_access", "payout_pix"] }, kit.clock.now());
      await audit(tx, { actor: "system", now: kit.clock.now() }, "sheet_file_removed", randomUUID());
    });
    const byOperator = await fetchEntries({ actor_id: "operator" });
    expect(byOperator.map(({ action }) => action)).toEqual(["operator.company_changed"]);
    expect(byOperator[0]?.changes).toEqual([
      { label: "Permissões", from: "Todas", to: "Usar a plataforma, Pagar por Pix" },
    ]);
    expect((await fetchEntries({ actor_id: "system" })).map(({ action }) => action)).toEqual([
      "sheet_file_removed",
    ]);
  });

  it("pages through each entry once, in both directions, while others are written", async () => {
    await kit.services.db.withCompany(auroraId, async (tx) => {
      for (let n = 0; n < 120; n++)
        await audit(tx, { actor: "system", now: kit.clock.now() }, "receivers_removed", `subject-${n}`);
    });
    const query = { action: "receivers_removed" };
    const first = (await listTrail(kit.admin, query)).body;
    await kit.services.db.withCompany(auroraId, (tx) =>
      audit(tx, { actor: "system", now: kit.clock.now() }, "receivers_removed", "written meanwhile"),
    );
    const second = (await listTrail(kit.admin, { ...query, page_cursor: first.meta.next })).body;
    const third = (await listTrail(kit.admin, { ...query, page_cursor: second.meta.next })).body;
    const subjects = [first, second, third].flatMap(({ items }) =>
      items.map(({ subject_id }: AuditEntry) => subject_id),
    );
    expect(first.meta.previous).toBeNull();
    expect(third.meta.next).toBeNull();
    expect(subjects).toHaveLength(120);
    expect(new Set(subjects).size).toBe(120);
    expect(subjects).not.toContain("written meanwhile");
    const back = (await listTrail(kit.admin, { ...query, page_cursor: third.meta.previous })).body;
    expect(back.items).toEqual(second.items);
  });
});

/**
 * The compiler refuses an action without a text; this test finds texts that no code writes any more, and writes past
 * `audit`.
 */
it("contains only actions that some code writes, all by the audit function", () => {
  const folder = join(import.meta.dirname, "..");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => ({ file: file.replaceAll("\\", "/"), text: readFileSync(join(folder, file), "utf8") }));
  const code = sources.map(({ text }) => text).join("\n");
  // The type system checks the parts of `approval_request_${status}`.
  const made = [...code.matchAll(/`([a-z_.]+)\$\{[^}]+\}(\w*)`/g)].map(([, start = "", end = ""]) => ({
    start,
    end,
  }));
  const isWritten = (action: string) =>
    code.includes(`"${action}"`) ||
    made.some(({ start, end }) => start.length > 4 && action.startsWith(start) && action.endsWith(end));
  expect(Object.keys(auditActions).filter((action) => !isWritten(action))).toEqual([]);
  const writers = sources.filter(({ text }) => text.includes("INSERT INTO audit_entries"));
  expect(writers.map(({ file }) => file).sort()).toEqual(["platform/audit.ts"]);
});
