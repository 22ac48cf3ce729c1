/** A hundred thousand payments as a sheet, in both forms, with the rare mistake of a real one. */
import { buildWorkbook, columnName, worksheet } from "@malote/sheet-reader/testing-workbook";

export const rowCount = 100_000;
/** One row in this many has an unreadable amount. */
const wrongEvery = 100;
export const headings = [
  "Nome ou Razão Social",
  "CPF ou CNPJ",
  "Email (opcional)",
  "Banco",
  "Agência",
  "Dígito da agência",
  "Conta",
  "Dígito da conta",
  "Tipo de Conta (Corrente ou Poupança)",
  "Valor",
  "ID integração (opcional)",
  "Data de agendamento (opcional)",
  "Descrição Pix (opcional)",
  "Centro de custo",
  "Filial",
];
const valueColumn = 9;

/** Nine digits and their check digits. */
function cpf(base: number): string {
  const digits = [...String(base % 1_000_000_000).padStart(9, "0")].map(Number);
  for (const length of [9, 10]) {
    const sum = digits.slice(0, length).reduce((total, digit, at) => total + digit * (length + 1 - at), 0);
    digits.push(((sum * 10) % 11) % 10);
  }
  return digits.join("");
}

function rowTexts(index: number): string[] {
  return [
    `Fornecedor José da Silva ${index}`,
    cpf(100_000_000 + index * 7_919),
    `p${index}@empresa.com.br`,
    "077",
    String(1_000 + (index % 9_000)),
    "1",
    String(100_000 + index),
    "7",
    "Conta corrente",
    index % wrongEvery === 0 ? "a combinar" : (1 + index * 1.37).toFixed(2),
    `ID-${index}`,
    "20/11/2026",
    `Nota ${index}`,
    "CC-1",
    "Matriz",
  ];
}

export function buildXlsx(): Buffer {
  const strings = new Map<string, number>();
  const shared = (text: string) => {
    const known = strings.get(text);
    if (known !== undefined) return known;
    strings.set(text, strings.size);
    return strings.size - 1;
  };
  const cell = (text: string, column: number, row: number) =>
    column === valueColumn && row > 1 && !text.startsWith("a")
      ? `<c r="${columnName(column)}${row}" s="1"><v>${text}</v></c>`
      : `<c r="${columnName(column)}${row}" s="2" t="s"><v>${shared(text)}</v></c>`;
  const row = (texts: string[], number: number) =>
    `<row r="${number}" spans="1:15">${texts.map((text, column) => cell(text, column, number)).join("")}</row>`;
  const rows = [row(headings, 1)];
  for (let index = 0; index < rowCount; index++) rows.push(row(rowTexts(index), index + 2));
  return buildWorkbook({
    strings: [...strings.keys()].map((text) => `<t>${text}</t>`),
    formats: ["0.00", "@"],
    sheets: [{ xml: worksheet(rows.join("")) }],
  });
}

export function buildCsv(): Buffer {
  const rows = [headings, ...Array.from({ length: rowCount }, (_, index) => rowTexts(index))];
  return Buffer.from(rows.map((texts) => texts.join(";")).join("\r\n"));
}
