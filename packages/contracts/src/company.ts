import { states } from "@malote/domain/address";
import { accountTypes } from "@malote/domain/bank-account";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOnly, adminPerson, anyPerson, everyProfile } from "./policy.ts";
import { transferMethods } from "./transfers.ts";
import { bank, centavos, done } from "./wire.ts";

const limitOfEachMethod = z.record(z.enum([...transferMethods, "BILLET"]), centavos);

export const readCompanySettings = contract({
  id: "readCompanySettings",
  base: "payments",
  method: "GET",
  path: "/companySettings",
  summary: "Configurações da empresa",
  policy: everyProfile,
  response: z.object({
    acceptContaCertaSuggestions: z.boolean(),
    validationAccount: z.boolean(),
    accountLimits: limitOfEachMethod,
    hasIntegrationId: z.boolean(),
    blockWithdrawForOperator: z.boolean(),
    showFinanceInfo: z.boolean(),
    hasBoletoCharge: z.boolean(),
    hasCardCharge: z.boolean(),
    uses_basic_validation: z.boolean(),
    uses_micro_deposit: z.boolean(),
    replyToEmail: z.string().nullable(),
    /** True when the company e-mails the receipt to payees with an e-mail address as soon as the money arrives. */
    emailsPayees: z.boolean(),
    hasApiAccess: z.boolean(),
    apiAccessToken: z.string().nullable(),
    publicEntityNeedsCaixa: z.boolean(),
    /** True when the controls in force let operators correct failed payments. */
    operatorsMayCorrect: z.boolean(),
    operatorsMayGiveBack: z.boolean(),
    /** True when the controls in force demand another approver for any amount. */
    asksForApprovals: z.boolean(),
    /** True when the controls name the caller as an approver in addition to the admins. */
    approvesBatches: z.boolean(),
  }),
});
export type CompanySettings = z.infer<typeof readCompanySettings.response>;

export const changeCompanySettings = contract({
  id: "changeCompanySettings",
  base: "payments",
  method: "PUT",
  path: "/companySettings",
  summary: "Alterar configurações da empresa",
  /** The reply-to address of the company's e-mails and its contact. A machine credential may not change them. */
  policy: { ...adminOnly, machine: false },
  /** Changes only the fields that are sent (SET-013, SET-018). */
  body: z
    .object({
      accept_contacerta_suggestions: z.boolean(),
      reply_to_email: z.string().trim().max(255),
      emails_payees: z.boolean(),
    })
    .partial()
    .refine((body) => Object.keys(body).length > 0),
  // The original contract answers with text (SET-013).
  transport: "text",
  response: z.string(),
});

export const readUserSettings = contract({
  id: "readUserSettings",
  base: "payments",
  method: "GET",
  path: "/app/settings",
  summary: "Configurações do usuário",
  policy: { ...anyPerson, withoutTwoFactor: true },
  response: z.object({ hasTwoFactorEnabled: z.boolean(), isTwoFactorEnforced: z.boolean() }),
});

export const listBanks = contract({
  id: "listBanks",
  base: "payments",
  method: "GET",
  path: "/bank",
  summary: "Bancos",
  policy: everyProfile,
  query: z.object({ pix: z.enum(["true", "false"]).optional(), all: z.enum(["true", "false"]).optional() }),
  response: z.object({ data: z.array(bank) }),
});

/** The id of a bank is its ISPB (SET-027). */
const bankId = z.object({ id: z.string().regex(/^\d{8}$/) });

export const readBank = contract({
  id: "readBank",
  base: "payments",
  method: "GET",
  path: "/bank/:id",
  summary: "Um banco, pelo ISPB",
  policy: everyProfile,
  params: bankId,
  response: bank,
});

/** Serves the picture behind each bank's `image` (SET-024). */
export const readBankImage = contract({
  id: "readBankImage",
  base: "payments",
  method: "GET",
  path: "/bank/:id/image",
  summary: "A imagem de um banco (SVG)",
  // Browsers fetch pictures of a page without a token.
  policy: { access: "public" },
  params: bankId,
  transport: "file",
  response: z.any(),
});

export const listAccountTypes = contract({
  id: "listAccountTypes",
  base: "payments",
  method: "GET",
  path: "/bank/:id/accountTypes",
  summary: "Tipos de conta que um banco aceita",
  policy: everyProfile,
  params: bankId,
  response: z.object({ data: z.array(z.enum(accountTypes)) }),
});

const bankCode = z.string().regex(/^\d{3}$/);

export const readDefaultPaymentMethod = contract({
  id: "readDefaultPaymentMethod",
  base: "payments",
  method: "GET",
  path: "/app/settings/paymentMethod",
  summary: "Como se paga uma conta do banco deste código quando não há chave Pix",
  policy: everyProfile,
  query: z.object({ bankCode }),
  response: z.object({ payment_method: z.enum(transferMethods) }),
});

export const readBankByCode = contract({
  id: "readBankByCode",
  base: "payments",
  method: "GET",
  path: "/bank/code/:code",
  summary: "O banco de um código, como o que abre um boleto",
  policy: everyProfile,
  params: z.object({ code: bankCode }),
  response: bank,
});

/** Boletos to consumers must show the address (Lei 12.039/2009); its town goes into Pix codes. */
export const companyAddress = z.object({
  street: z.string().trim().min(1).max(100),
  number: z.string().trim().min(1).max(20),
  complement: z.string().trim().max(60).nullable(),
  district: z.string().trim().min(1).max(60),
  city: z.string().trim().min(1).max(60),
  state: z.enum(states),
  postal_code: z.string().regex(/^\d{8}$/),
});

const companyData = z.object({
  name: z.string(),
  cpfCnpj: z.string(),
  /** National digits: area code and number. */
  phone: z.string().nullable(),
  address: companyAddress.nullable(),
  /** The path of the logo, which is new for every upload; null while there is none. */
  logo: z.string().nullable(),
  /** `blocked`: the installation's operator blocked the company, and no payment leaves it (SHL-046). */
  status: z.enum(["active", "blocked"]),
});
export type CompanyData = z.infer<typeof companyData>;

/** Reads the company's own data (COM-007). */
export const readCompany = contract({
  id: "readCompany",
  base: "payments",
  method: "GET",
  path: "/company",
  summary: "Dados da empresa",
  policy: adminPerson,
  response: companyData,
});

/** Changes the company's data (COM-007), except name and CNPJ, which follow the contract. */
export const changeCompany = contract({
  id: "changeCompany",
  base: "payments",
  method: "PUT",
  path: "/company",
  summary: "Salvar os dados da empresa",
  policy: adminPerson,
  /** An empty or null phone removes the phone. An omitted address stays. */
  body: z.object({ phone: z.string().max(30).nullable(), address: companyAddress.nullable().optional() }),
  response: companyData,
});

/** Uploads the logo as multipart (COM-006, COM-009). */
export const uploadLogo = contract({
  id: "uploadLogo",
  base: "payments",
  method: "POST",
  path: "/app/company/logo",
  summary: "Enviar a logo da empresa (multipart: file e fileName), PNG ou JPEG",
  policy: { ...adminOnly, machine: false },
  transport: "multipart",
  response: companyData,
});

export const readLogo = contract({
  id: "readLogo",
  base: "payments",
  method: "GET",
  path: "/app/company/logo",
  summary: "A logo da empresa",
  policy: adminPerson,
  transport: "file",
  response: z.any(),
});

/** Reads the maximum of one payment, by period and type (COM-035). */
export const readTransferLimits = contract({
  id: "readTransferLimits",
  base: "payments",
  method: "GET",
  path: "/app/transferValueSetting",
  summary: "Limites de pagamento da empresa, por período e tipo",
  policy: adminPerson,
  response: z.object({
    TRANSACTION: limitOfEachMethod,
    DAILY: limitOfEachMethod,
    NIGHTLY: limitOfEachMethod,
    WEEKEND: limitOfEachMethod,
  }),
});
export type TransferLimits = z.infer<typeof readTransferLimits.response>;

const paymentAccount = z.object({
  id: z.string(),
  Bank: bank,
  isPix: z.boolean(),
  isProviderAccount: z.boolean(),
  key: z.string().nullable(),
  keyType: z.string().nullable(),
  agency: z.string(),
  account: z.string(),
  account_digit: z.string(),
  account_type: z.string(),
  operation_type: z.string().nullable(),
  cpfCnpj: z.string(),
  name: z.string(),
  bank_id: z.string(),
});

export const listPaymentAccounts = contract({
  id: "listPaymentAccounts",
  base: "payments",
  method: "GET",
  path: "/bankAccount/payment",
  summary: "Contas que recebem o saldo da empresa",
  policy: everyProfile,
  response: z.object({ data: z.array(paymentAccount) }),
});

const companyBankAccount = z.object({
  bank_id: z.string().max(8),
  agency: z.string().max(30),
  agency_digit: z.string().max(10).nullable(),
  account_type: z.enum(accountTypes),
  account: z.string().max(30),
  account_digit: z.string().max(10),
  name: z.string().max(255),
  cpfCnpj: z.string().max(25),
});

export const saveCompanyBankAccount = contract({
  id: "saveCompanyBankAccount",
  base: "payments",
  method: "PUT",
  path: "/companyBankAccount",
  summary: "Salvar a conta para saque, que é da própria empresa",
  policy: { ...adminOnly, machine: false },
  stepUp: true,
  body: companyBankAccount,
  /** True when the change waits for another person's approval under the company's controls. */
  response: done.extend({ awaits_approval: z.boolean().optional() }),
});

export const readCompanyBankAccount = contract({
  id: "readCompanyBankAccount",
  base: "payments",
  method: "GET",
  path: "/companyBankAccount",
  summary:
    "Ler uma conta da empresa: a de saque (WITHDRAW) ou a que ela tem aqui, para onde vai o seu Pix (PIX)",
  policy: everyProfile,
  query: z.object({ accountSource: z.enum(["WITHDRAW", "PIX"]).default("WITHDRAW") }),
  response: companyBankAccount.nullable(),
});

/** One-time actions of a user or a company, in one style (FST-024). */
export const checkpointIds = [
  "HAS_FILLED_FIRST_STEPS",
  "HAS_OPENED_RECEIVER_MANAGEMENT",
  "HAS_SEEN_RECEIVER_SEARCH_TOUR",
  "HAS_SEEN_LIMITS_TOUR",
  "HAS_ACCEPTED_PRIVACY_POLICY",
  "HAS_CLOSED_SECURITY_NOTICE",
  "HAS_CLOSED_CLAIMS_BANNER",
  "HAS_DOWNLOADED_RECEIPTS",
  "HAS_OPENED_PAYMENT",
  "HAS_SEEN_PAYOUT_REPORT_BUTTON",
  "HAS_CREATED_REPORT",
  "HAS_DOWNLOADED_REPORT",
  "HAS_CONFIRMED_BATCH_CANCEL",
  "HAS_USED_OLD_STATEMENT_REPORT",
  "HAS_DISMISSED_PIX_KEY_PROMPT",
  "HAS_CLICKED_PIX_KEY_PROMPT",
  "HAS_OPENED_PAYMENT_LINKS",
  "PAYIN_REFUNDED",
  "HAS_ACCEPTED_INFRACTION_TERMS",
] as const;
export type CheckpointId = (typeof checkpointIds)[number];

export const readCheckpoint = contract({
  id: "readCheckpoint",
  base: "payments",
  method: "GET",
  path: "/checkpoints/:id/exists",
  summary: "Dizer se um marco existe para o usuário ou para a empresa",
  policy: anyPerson,
  params: z.object({ id: z.enum(checkpointIds) }),
  query: z.object({ in_company: z.enum(["true", "false"]).optional() }),
  response: z.object({ exists: z.boolean() }),
});

export const createCheckpoint = contract({
  id: "createCheckpoint",
  base: "payments",
  method: "POST",
  path: "/checkpoints",
  summary: "Registrar um marco",
  policy: anyPerson,
  body: z.object({ location: z.enum(checkpointIds), metadata: z.record(z.string(), z.string()).optional() }),
  response: done,
});
