import * as z from "zod";
import { batchName } from "./batches.ts";
import { contract } from "./contract.ts";
import { adminOrOperator } from "./policy.ts";
import { transferInput } from "./transfers.ts";
import { byId, centavos, id } from "./wire.ts";

export const sheetKinds = ["transfer", "transfer-pix", "billet"] as const;
export type SheetKind = (typeof sheetKinds)[number];

export const sheetStates = ["uploaded", "reading", "imported", "refused", "cancelled"] as const;

/** What a column of a sheet can hold. */
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

/** One column as it was read. Without a field it was ignored. */
export const sheetColumn = z.object({
  /** Its place, counted from 0. */
  column: columnAt,
  heading: z.string(),
  field: z.enum(sheetFields).nullable(),
  /** What it might hold, where several columns might and a person has to choose. */
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
  /** Why it was refused: an error code of the catalogue with its data. */
  refusal: z
    .object({ code: z.string(), data: z.record(z.string(), z.unknown()).nullable(), message: z.string() })
    .nullable(),
  /** How its columns were read, or why they could not be; null before that. */
  columns: z.array(sheetColumn).nullable(),
  /** The person who chose the columns it was read by, now or for an earlier sheet with the same headings; they count as preparing it. */
  columns_chosen_by: z.string().nullable(),
  /** The row that adds up the others, which is no payment, beside what the payments add up to. */
  total: z.object({ sheet_row: z.int(), stated: centavos.nullable(), sum: centavos }).nullable(),
  /** What is wrong with rows, in words, and the number of rows. They are in the draft, marked. */
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

export const importBilletSheet = contract({
  id: "importBilletSheet",
  base: "payments",
  method: "POST",
  path: "/batch/billet/sheet",
  summary: "Enviar uma planilha de boletos (multipart: file e fileName) e criar o rascunho dela",
  policy: adminOrOperator,
  transport: "multipart",
  /** Answers at once as `reading`; follow it with readSheet. */
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
       * Which column holds which field; columns left out are recognised by their names. Remembered for sheets with
       * the same headings. A refused sheet, or one whose draft is still unchanged, is read again with it.
       */
      columns: z
        .array(z.object({ column: columnAt, field: z.enum(sheetFields).nullable() }))
        .min(1)
        .max(columnsMax)
        .optional(),
    }),
    z.object({
      /** The batch to make; a repeated id makes it once. */
      id: id.optional(),
      name: batchName,
      items: z.array(transferInput).min(1).max(10_000),
    }),
  ]),
  /** Ten thousand payments with all fields in ordinary lengths. */
  bodyBytesMax: 12_000_000,
  /** A sheet answers at once as `reading`; follow it with readSheet. */
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
