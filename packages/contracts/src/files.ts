/** Files that the caller requested, of every feature in one list. */
import * as z from "zod";
import { downloadAuditTrail } from "./audit-trail.ts";
import { downloadReceivableReport } from "./card-receivables.ts";
import { downloadInfractionExport } from "./contestations.ts";
import { contract } from "./contract.ts";
import { downloadPayinReport } from "./payins.ts";
import { everyProfile } from "./policy.ts";
import { downloadReceipts } from "./receipts.ts";
import { downloadReport } from "./reports.ts";
import { id, instant } from "./wire.ts";

/** The call that downloads each kind of file. Its policy decides who may download, and the screen calls it. */
export const fileDownloads = {
  payouts: downloadReport,
  statement_xlsx: downloadReport,
  statement_xlsx_v2: downloadReport,
  statement_csv: downloadReport,
  statement_ofx: downloadReport,
  statement_pdf: downloadReport,
  receipts: downloadReceipts,
  infractions: downloadInfractionExport,
  payins: downloadPayinReport,
  card_receivables: downloadReceivableReport,
  audit_trail: downloadAuditTrail,
} as const;
export const fileKindNames = Object.keys(fileDownloads) as (keyof typeof fileDownloads)[];
export type FileKindName = keyof typeof fileDownloads;

export const listFiles = contract({
  id: "listFiles",
  base: "payments",
  method: "GET",
  path: "/app/files",
  summary: "Os arquivos que quem pergunta pediu, o mais novo primeiro, no máximo vinte",
  policy: { ...everyProfile, machine: false },
  response: z.object({
    data: z.array(
      z.object({
        id,
        kind: z.enum(fileKindNames),
        /** The name under which the file is saved. */
        name: z.string(),
        state: z.enum(["making", "ready", "failed", "expired"]),
        /** Null for a file that is written while it is fetched. */
        rows_count: z.int().nullable(),
        requested_at: instant,
        expires_at: instant,
      }),
    ),
  }),
});
