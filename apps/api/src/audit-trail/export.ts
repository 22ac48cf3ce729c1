/** The trail as a sheet, made as the payins' is. Each row carries its link, so that it can be compared with a backup's. */
import type {
  AuditTrailFilters,
  downloadAuditTrail,
  exportAuditTrail,
  readAuditTrailExport,
} from "@malote/contracts/audit-trail";
import { auditObjects } from "@malote/domain/audit-trail";
import { saoPauloDate } from "@malote/domain/calendar";
import { noteReport } from "../company/index.ts";
import { findReport, insertReport, linkOf } from "../payins/index.ts";
import { sendSheet } from "../payouts/index.ts";
import { audit } from "../platform/audit.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Call } from "../platform/http/serve.ts";
import type { Parts } from "../platform/parts.ts";
import { batchNamesOf, type EntryRow, findEntries, namesOf } from "./store.ts";
import { actionText, batchesIn, changesOf, factsOf, momentText, objectOf, peopleIn } from "./words.ts";

const rowsAtOnce = 1_000;
const headings = [
  "Nº",
  "Data",
  "Quem",
  "Tipo",
  "Ação",
  "Objeto",
  "ID do objeto",
  "O que mudou",
  "Detalhes",
  "ID da requisição",
  "Elo (SHA-256)",
];
const kindNames = { user: "Pessoa", machine: "Credencial de API", system: "Sistema" } as const;

interface SheetRow extends EntryRow {
  names: ReadonlyMap<string, string>;
  batches: ReadonlyMap<string, string>;
}

function rowOf(row: SheetRow): string[] {
  const object = objectOf(row.action);
  const changes = changesOf(row, row.names).map(
    ({ label, from, to }) => `${label}: ${from ?? "nada"} → ${to ?? "nada"}`,
  );
  return [
    String(row.seq),
    momentText(row.at),
    row.actor_name,
    kindNames[row.actor_kind],
    actionText(row.action),
    object ? [auditObjects[object], row.batches.get(row.subject_id ?? "")].filter(Boolean).join(" ") : "",
    row.subject_id ?? "",
    changes.join("; "),
    factsOf(row)
      .map(({ label, value }) => `${label}: ${value}`)
      .join("; "),
    row.request_id ?? "",
    row.hash,
  ];
}

export async function request(tx: Tx, call: Call<typeof exportAuditTrail>) {
  const id = await insertReport(tx, "audit_trail", call.body, call);
  await audit(tx, call, "audit_trail_exported", id, call.body);
  await noteReport(tx, call);
  return { id };
}

const fileNameOf = (at: Date) => `Trilha de auditoria ${saoPauloDate(at)}.csv`;

export async function state(tx: Tx, { params }: Call<typeof readAuditTrailExport>) {
  const report = await findReport(tx, "audit_trail", params.id);
  return {
    link: linkOf("payments", "/app/audit_trail/exports", report),
    filename: fileNameOf(report.created_at),
  };
}

export const download = (parts: Parts, call: Call<typeof downloadAuditTrail>) =>
  sendSheet<SheetRow>(parts, call, async () => {
    const { actor, params } = call;
    const report = await parts.db.readCompany(actor.companyId, (tx) =>
      findReport(tx, "audit_trail", params.id),
    );
    return {
      fileName: fileNameOf(report.created_at),
      headings,
      // From the newest on: what is written meanwhile is newer, and shifts nothing.
      async readAfter(tx, last) {
        const cursor = last && ({ towards: "older", at: last.at, id: last.id } as const);
        const rows = await findEntries(tx, report.filters as AuditTrailFilters, cursor, rowsAtOnce);
        const [names, batches] = await Promise.all([
          namesOf(tx, peopleIn(rows)),
          batchNamesOf(tx, batchesIn(rows)),
        ]);
        return rows.map((row) => ({ ...row, names, batches }));
      },
      cellsOf: rowOf,
    };
  });
