/**
 * Receivers and keys that make a payment of this network fail on purpose; all other payments succeed. They are the
 * numbers that a public Brazilian provider documents for its own sandbox, so that known test sheets work here too.
 */

import { bankBarcode, formatBoletoLine } from "@malote/domain/boleto-code";
import { cents } from "@malote/domain/money";
import { ownInstitution } from "@malote/domain/own-institution";

export interface MagicValue {
  value: string;
  kind: string;
  outcome: string;
}

/** Receivers by bank data: a CPF and a CNPJ for each reason. */
const refusedReceivers: readonly (readonly [cpf: string, cnpj: string | null, reason: string])[] = [
  ["784.933.530-94", "98.702.951/0001-07", "Conta não encontrada."],
  ["827.188.890-04", "65.142.521/0001-29", "Conta do recebedor não existe ou foi encerrada."],
  ["962.348.940-46", "63.071.277/0001-25", "Conta bloqueada."],
  ["926.942.600-98", "85.654.686/0001-97", "Conta corrente ou poupança encerrada."],
  ["113.190.500-85", "55.008.244/0001-02", "Conta do recebedor sem limite para crédito."],
  ["780.562.600-64", "66.165.355/0001-49", "Crédito para este recebedor não permitido."],
  [
    "907.046.230-30",
    "47.095.043/0001-61",
    "Conta corrente não encontrada. Recebedor possui somente conta poupança.",
  ],
  ["210.578.740-19", null, "CPF/CNPJ do recebedor diverge do titular da conta."],
];

/** Receivers whose TED settles and is returned by the receiving bank on the next business day. */
const returningReceivers = ["614.207.385-26", "58.204.617/0001-09"] as const;
export const returnReason = "TED devolvida pelo banco de destino: agência ou conta inválida.";

const keyEndings: Readonly<Record<string, string>> = {
  "15": "Chave PIX não encontrada.",
  "16": "Não é possível realizar PIX para conta salário.",
  "25": "Após algumas tentativas não conseguimos enviar a transferência ao banco de destino.",
  "35": "CPF/CNPJ informado para pagamento diverge com o CPF/CNPJ do titular da chave.",
};

/**
 * Pix keys whose last two digits decide the outcome. A document has no free last digits, so documents are listed below
 * in pairs.
 */
const keyPatterns = {
  CHAVE_ALEATORIA: /^3718a543-bd10-4488-8b6b-f71aef2898(\d\d)$/,
  EMAIL: /^chave\.pix(\d\d)@/,
  TELEFONE: /^(?:\+55)?119123412(\d\d)$/,
} as const;

const documentKeys: readonly (readonly [cpf: string, cnpj: string, ending: string])[] = [
  ["784.933.530-94", "98.702.951/0001-07", "15"],
  ["827.188.890-04", "65.142.521/0001-29", "16"],
  ["962.348.940-46", "63.071.277/0001-25", "25"],
];

/** Boletos whose free field (ten nines, thirteen zeros, two digits) decides the outcome by its last two digits. */
const boletoEndings: Readonly<Record<string, string>> = {
  "15": "Boleto não registrado.",
  "16": "Boleto já pago.",
  "25": "Após algumas tentativas não conseguimos pagar o boleto.",
};
const returningBoletoEnding = "35";
export const boletoReturnReason = "Pagamento devolvido pelo banco que emitiu o boleto.";
const boletoPattern = /^\d{19}9{10}0{13}(\d\d)$/;

/** Returns a magic boleto of R$ 10 without a due date. */
const magicBoleto = (ending: string) =>
  bankBarcode({
    bankCode: ownInstitution().code,
    dueDate: null,
    value: cents(10_00),
    freeField: `${"9".repeat(10)}${"0".repeat(13)}${ending}`,
  });

const bare = (document: string) => document.replaceAll(/[./-]/g, "");

const reasonByReceiver = new Map(
  refusedReceivers.flatMap(([cpf, cnpj, reason]) => [
    [bare(cpf), reason] as const,
    ...(cnpj ? [[bare(cnpj), reason] as const] : []),
  ]),
);
const returning: ReadonlySet<string> = new Set(returningReceivers.map(bare));
const endingByDocumentKey = new Map(
  documentKeys.flatMap(([cpf, cnpj, ending]) => [
    [bare(cpf), ending] as const,
    [bare(cnpj), ending] as const,
  ]),
);

/** Returns the reason why a payment to this receiver is refused; undefined when it is accepted. */
export function refusalOfReceiver(taxId: string): string | undefined {
  return reasonByReceiver.get(taxId);
}

/** Returns the two digits that decide the outcome of a key; undefined for a key that is not documented. */
export function keyCase(keyType: string | null, key: string): string | undefined {
  const pattern = keyPatterns[keyType as keyof typeof keyPatterns];
  return pattern ? pattern.exec(key)?.[1] : endingByDocumentKey.get(key);
}

/** Returns the reason why a payment to this key is refused; undefined when it is accepted. */
export const refusalOfPixKey = (keyType: string | null, key: string): string | undefined =>
  keyEndings[keyCase(keyType, key) ?? ""];

/** Returns the two digits that decide the outcome of a boleto; undefined for a boleto that is not documented. */
export const boletoCase = (barcode: string): string | undefined => boletoPattern.exec(barcode)?.[1];

/** Returns the reason why this boleto cannot be paid; undefined when it can. */
export function refusalOfBoleto(barcode: string): string | undefined {
  return boletoEndings[boletoCase(barcode) ?? ""];
}

/** Returns true when the boleto is paid and the issuing bank returns the money on the next business day. */
export function sendsBoletoBack(barcode: string): boolean {
  return boletoCase(barcode) === returningBoletoEnding;
}

export function sendsTedBack(taxId: string): boolean {
  return returning.has(taxId);
}

/** Returns all magic values: the simulator shows them and the tests iterate over them. */
export const magicValues = (): readonly MagicValue[] => [
  ...refusedReceivers.flatMap(([cpf, cnpj, outcome]) => [
    { kind: "CPF do recebedor (dados bancários)", value: cpf, outcome },
    ...(cnpj ? [{ kind: "CNPJ do recebedor (dados bancários)", value: cnpj, outcome }] : []),
  ]),
  ...returningReceivers.map((value) => ({
    kind: value.includes("/") ? "CNPJ do recebedor (TED)" : "CPF do recebedor (TED)",
    value,
    outcome: `É paga e volta no dia útil seguinte. ${returnReason}`,
  })),
  ...Object.entries(keyEndings).flatMap(([ending, outcome]) => [
    { kind: "Chave aleatória", value: `3718a543-bd10-4488-8b6b-f71aef2898${ending}`, outcome },
    { kind: "Chave e-mail", value: `chave.pix${ending}@exemplo.com.br`, outcome },
    { kind: "Chave telefone", value: `(11) 91234-12${ending}`, outcome },
  ]),
  ...Object.entries(boletoEndings).map(([ending, outcome]) => ({
    kind: "Boleto (linha digitável)",
    value: formatBoletoLine(magicBoleto(ending)),
    outcome,
  })),
  {
    kind: "Boleto (linha digitável)",
    value: formatBoletoLine(magicBoleto(returningBoletoEnding)),
    outcome: `É pago e volta no dia útil seguinte. ${boletoReturnReason}`,
  },
  ...documentKeys.flatMap(([cpf, cnpj, ending]) => [
    { kind: "Chave CPF", value: cpf, outcome: keyEndings[ending] ?? "" },
    { kind: "Chave CNPJ", value: cnpj, outcome: keyEndings[ending] ?? "" },
  ]),
];
