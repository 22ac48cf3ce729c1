import type { SheetField } from "@malote/contracts/import";

/** Fields that a column can hold, in the order of a payment's form. */
export const sheetFieldNames: Readonly<Record<SheetField, string>> = {
  name: "Nome ou razão social",
  taxId: "CPF ou CNPJ",
  value: "Valor",
  paymentDate: "Data do pagamento",
  pixKeyType: "Tipo de chave Pix",
  pixKey: "Chave Pix",
  pixKeyValidation: "CPF ou CNPJ do dono da chave",
  bank: "Banco",
  agency: "Agência",
  agencyDigit: "Dígito da agência",
  account: "Conta",
  accountDigit: "Dígito da conta",
  accountType: "Tipo de conta",
  pixDescription: "Descrição Pix",
  email: "E-mail",
  integrationId: "ID de integração",
  barcode: "Linha digitável ou código de barras",
  description: "Descrição do boleto",
};
