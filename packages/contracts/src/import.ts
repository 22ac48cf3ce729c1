import * as z from "zod";
import { batchName } from "./batches.ts";
import { contract } from "./contract.ts";
import { adminOrOperator } from "./policy.ts";
import { transferInput } from "./transfers.ts";
import { byId, centavos, id } from "./wire.ts";

export const sheetKinds = ["transfer", "transfer-pix", "billet"] as const;
export type SheetKind = (typeof sheetKinds)[number];

export const sheetStates = ["uploaded", "reading", "imported", "refused", "cancelled"] as const;

/** Fields that a column of a sheet can hold. */
export const sheetFields = [
  "name",
  "taxId",
  "email",
  "bank",
  "agency",
  "agencyDigit",
  "account",
  "accountDigit",
  "accountType",
  "value",
  "integrationId",
  "paymentDate",
  "pixDescription",
  "pixKeyType",
  "pixKey",
  "pixKeyValidation",
  "barcode",
  "description",
] as const;
export type SheetField = (typeof sheetFields)[number];

const columnsMax = 100;
const columnAt = z
  .int()
  .min(0)
  .max(columnsMax - 1);

/** One column as it was read. A column without a field is ignored. */
export const sheetColumn = z.object({
  /** The position of the column, counted from 0. */
  column: columnAt,
  heading: z.string(),
  field: z.enum(sheetFields).nullable(),
  /** The possible field, where several columns fit and a person has to choose. */
  may_be: z.enum(sheetFields).nullable(),
  sample: z.array(z.string()),
});
export type SheetColumn = z.infer<typeof sheetColumn>;

export const sheet = z.object({
  id,
  file_name: z.string(),
  state: z.enum(sheetStates),
  kind: z.enum(sheetKinds).nullable(),
  rows_read: z.int(),
  /** Known only when the file declares it; the progress bar works without it. */
  rows_total: z.int().nullable(),
  batch_id: id.nullable(),
  /** The reason of the refusal: an error code of the catalogue with its data. */
  refusal: z
    .object({ code: z.string(), data: z.record(z.string(), z.unknown()).nullable(), message: z.string() })
    .nullable(),
  /** The mapping of the columns, or the reason why it failed; null before that. */
  columns: z.array(sheetColumn).nullable(),
  /**
   * The person who chose the column mapping, for this sheet or for an earlier one with the same headings. They count as
   * a preparer.
   */
  columns_chosen_by: z.string().nullable(),
  /** A row with the total of the others, which is not a payment, beside the sum of the payments. */
  total: z.object({ sheet_row: z.int(), stated: centavos.nullable(), sum: centavos }).nullable(),
  /** Errors of rows in words, with the number of rows. The rows are in the draft and marked. */
  mistakes: z.array(z.object({ text: z.string(), count: z.int() })),
});
export type Sheet = z.infer<typeof sheet>;

export const uploadSheet = contract({
  id: "uploadSheet",
  base: "payments",
  method: "POST",
  path: "/batch/sheet/upload",
  summary: "Enviar uma planilha (multipart: file e fileName); ela fica guardada",
  policy: adminOrOperator,
  transport: "multipart",
  response: sheet,
});

export const importBoletoSheet = contract({
  id: "importBoletoSheet",
  base: "payments",
  method: "POST",
  path: "/batch/billet/sheet",
  summary: "Enviar uma planilha de boletos (multipart: file e fileName) e criar o rascunho dela",
  policy: adminOrOperator,
  transport: "multipart",
  /** The call answers at once with the status `reading`; `readSheet` reports the progress. */
  response: sheet,
});

export const importSheet = contract({
  id: "importSheet",
  base: "payments",
  method: "POST",
  path: "/batch/spreadsheet",
  summary: "Criar um rascunho de uma planilha enviada (sheet_id) ou de uma lista (items)",
  policy: adminOrOperator,
  body: z.union([
    z.object({
      sheet_id: id,
      /**
       * Maps columns to fields; omitted columns are recognised by their headings. The mapping is stored for sheets with
       * the same headings. A refused sheet, or one whose draft is still unchanged, is read again with it.
       */
      columns: z
        .array(z.object({ column: columnAt, field: z.enum(sheetFields).nullable() }))
        .min(1)
        .max(columnsMax)
        .optional(),
    }),
    z.object({
      /** The id of the new batch; a repeated id creates it once. */
      id: id.optional(),
      name: batchName,
      items: z.array(transferInput).min(1).max(10_000),
    }),
  ]),
  /** The size of ten thousand payments with all fields in ordinary lengths. */
  bodyBytesMax: 12_000_000,
  /** A sheet answers at once with the status `reading`; `readSheet` reports the progress. */
  response: sheet,
});

export const readSheet = contract({
  id: "readSheet",
  base: "payments",
  method: "GET",
  path: "/batch/sheet/:id",
  summary: "Andamento da leitura de uma planilha",
  policy: adminOrOperator,
  params: byId,
  response: sheet,
});

export const cancelSheet = contract({
  id: "cancelSheet",
  base: "payments",
  method: "POST",
  path: "/batch/sheet/:id/cancel",
  summary: "Cancelar a leitura de uma planilha",
  policy: adminOrOperator,
  params: byId,
  response: sheet,
});

export const downloadModelSheet = contract({
  id: "downloadModelSheet",
  base: "payments",
  method: "GET",
  path: "/batch/sheet/model/:kind",
  summary: "Baixar um modelo de planilha",
  policy: adminOrOperator,
  params: z.object({ kind: z.enum(sheetKinds) }),
  query: z.object({ format: z.enum(["xlsx", "csv"]).default("xlsx") }),
  transport: "file",
  response: z.any(),
});
