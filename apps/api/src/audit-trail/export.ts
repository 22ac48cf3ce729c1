/** The audit trail as a sheet. Each row includes its hash link, so that it can be compared with a backup's. */
import type { AuditTrailFilters } from "@malote/contracts/audit-trail";
import { auditObjects } from "@malote/domain/audit-trail";
import type { StreamedKind } from "../exports/index.ts";
import { readNames } from "../identities/index.ts";
import { readBatchNames } from "../payouts/index.ts";
import { type EntryRow, findEntries } from "./store.ts";
import { actionText, batchesIn, changesOf, factsOfEntry, momentText, objectOf, peopleIn } from "./words.ts";

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
    factsOfEntry(row)
      .map(({ label, value }) => `${label}: ${value}`)
      .join("; "),
    row.request_id ?? "",
    row.hash,
  ];
}

export const auditTrailExport: StreamedKind<SheetRow, AuditTrailFilters> = {
  madeBy: "download",
  kind: "audit_trail",
  requested: "audit_trail_exported",
  name: "Trilha de auditoria",
  path: { base: "payments", below: "/app/audit_trail/exports" },
  headings,
  // Reads from the newest entry on: concurrent entries are newer and shift no row.
  async rowsAfter(tx, filters, last) {
    const cursor = last && ({ towards: "older", at: last.at, id: last.id } as const);
    const rows = await findEntries(tx, filters, cursor, rowsAtOnce);
    const [names, batches] = await Promise.all([
      readNames(tx, peopleIn(rows)),
      readBatchNames(tx, batchesIn(rows)),
    ]);
    return rows.map((row) => ({ ...row, names, batches }));
  },
  cellsOf: rowOf,
};
