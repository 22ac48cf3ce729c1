/** Refusals of sheets whose columns are missing or ambiguous. */
import type { SheetField } from "@malote/contracts/import";
import { headingOf } from "./heading-words.ts";
import type { ReadHeadings } from "./read-columns.ts";
import { outsideModelText, SheetRefusal } from "./refusal.ts";
import type { SheetKind } from "./sheet-layout.ts";

export const isWhole = ({ columnOf, unclear, layout }: ReadHeadings) =>
  unclear === undefined && missingOf(layout.kind, columnOf).length === 0;

/** Fields that a payment must have. The account's cell may include the digit, and a boleto's code the value. */
const required: Record<SheetKind, readonly SheetField[]> = {
  transfer: ["name", "taxId", "bank", "agency", "account", "accountType", "value"],
  "transfer-pix": ["pixKey", "value"],
  billet: ["barcode"],
};

function missingOf(kind: SheetKind, columnOf: ReadHeadings["columnOf"]): string[] {
  return required[kind].filter((field) => columnOf[field] === undefined).map((field) => headingOf[field]);
}

const unclearWords: Partial<Record<SheetField, string>> = {
  value: "o valor",
  paymentDate: "a data do pagamento",
  pixKey: "a chave Pix",
  name: "o nome do recebedor",
  taxId: "o CPF ou CNPJ",
};

export function headingsRefusalOf({ columnOf, unclear, layout }: ReadHeadings): SheetRefusal {
  if (unclear !== undefined) {
    const names = layout.columns.filter(({ may_be }) => may_be === unclear).map(({ heading }) => heading);
    const listed = `${names.slice(0, -1).join(", ")} e ${names.at(-1)}`;
    const what = unclearWords[unclear] ?? headingOf[unclear].replace(" (opcional)", "");
    return new SheetRefusal(
      "sheet_unclear_columns",
      `A planilha tem ${names.length} colunas que podem ser ${what}: ${listed}. Escolha qual vale.`,
      [],
      layout,
    );
  }
  const missing = missingOf(layout.kind, columnOf);
  const which = missing.length === 1 ? "Falta a coluna" : "Faltam as colunas";
  return new SheetRefusal(
    "sheet_wrong_headings",
    `${outsideModelText} ${which}: ${missing.join(", ")}.`,
    missing,
    layout,
  );
}
