/**
 * Fields of a transfer that people and sheets enter. A new one is a line of the type and a line of the table, from
 * which calls, marks and corrections take its names.
 */

/** Destination of money, by Pix key or by account, as entered. Empty text and null mean the same. */
export type Destination = {
  name: string | null;
  taxId: string | null;
  email: string | null;
  bankIspb: string | null;
  agency: string | null;
  agencyDigit: string | null;
  account: string | null;
  accountDigit: string | null;
  accountType: string | null;
  pixKeyType: string | null;
  pixKey: string | null;
};

/**
 * A transfer as a person or a sheet entered it. Empty text and null mean the same, so that rows can be used unchanged.
 */
export type TransferDraft = Destination & {
  /** The document that the key's owner must have. */
  pixKeyValidation: string | null;
  value: number | null;
  /** `YYYY-MM-DD`, or invalid text, which is shown and refused. Null means today. */
  paymentDate: string | null;
  pixDescription: string | null;
  integrationId: string | null;
};

/** Wire name of each field, and its name for people, as the form shows it. */
const transferFields = {
  name: { wire: "name", text: "nome" },
  taxId: { wire: "cpf_cnpj", text: "CPF ou CNPJ" },
  email: { wire: "email", text: "e-mail" },
  bankIspb: { wire: "bank_id", text: "banco" },
  agency: { wire: "agency", text: "agência" },
  agencyDigit: { wire: "agency_digit", text: "dígito da agência" },
  account: { wire: "account", text: "conta" },
  accountDigit: { wire: "account_digit", text: "dígito da conta" },
  accountType: { wire: "account_type", text: "tipo de conta" },
  pixKey: { wire: "pix_key", text: "chave Pix" },
  pixKeyType: { wire: "pix_key_type", text: "tipo de chave Pix" },
  pixKeyValidation: { wire: "pix_key_validation", text: "CPF ou CNPJ do dono da chave" },
  value: { wire: "value", text: "valor" },
  paymentDate: { wire: "payment_date", text: "data" },
  pixDescription: { wire: "pix_description", text: "descrição" },
  integrationId: { wire: "integration_id", text: "ID de integração" },
} as const satisfies Record<keyof TransferDraft, { wire: string; text: string }>;

const entries = Object.entries(transferFields) as [keyof TransferDraft, { wire: string; text: string }][];

/** Draft fields by their wire names. */
export const transferFieldOf: Readonly<Record<string, keyof TransferDraft>> = Object.fromEntries(
  entries.map(([field, { wire }]) => [wire, field]),
);

/** Portuguese names of the fields, by their wire names. */
export const transferFieldNames: Readonly<Record<string, string>> = Object.fromEntries(
  entries.map(([, { wire, text }]) => [wire, text]),
);
