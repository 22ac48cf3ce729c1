/** ContaCerta: validation of bank accounts and Pix keys (VAL), and the settings and company calls on its own API. */
import { accountTypes } from "@malote/domain/bank-account";
import { validationHistoryPageSize } from "@malote/domain/limits";
import { pixKeyTypes } from "@malote/domain/pix-key";
import {
  suggestedFields,
  validationChecks,
  validationErrorCodes,
  validationFields,
} from "@malote/domain/validation-texts";
import { microDepositStatuses, validationTypes } from "@malote/domain/validation-types";
import * as z from "zod";
import { changeCompany, listBanks, readCompany, readUserSettings } from "./company.ts";
import { contract } from "./contract.ts";
import { type Policy, profiles } from "./policy.ts";
import { readTwoFactorSecret, setTwoFactor } from "./session.ts";
import { byId, date, id, instant, listMetadata, pageFromZero } from "./wire.ts";

const everyProfile = {
  access: "session",
  applications: ["validation"],
  profiles,
  machine: true,
} as const satisfies Policy;
const anyPerson = { ...everyProfile, machine: false } as const satisfies Policy;
const adminPerson = { ...anyPerson, profiles: ["admin"] } as const satisfies Policy;

const text = (max: number) => z.string().max(max).nullish();

/** An account with `bank_code` or `bank_ispb`, or a key (VAL-012). The domain checks the rules, not this shape. */
export const dataToValidate = z.object({
  name: text(255),
  cpf_cnpj: text(25),
  bank_code: text(10),
  bank_ispb: text(8),
  agency: text(30),
  agency_digit: text(10),
  account: text(30),
  account_digit: text(10),
  account_type: z.enum(accountTypes).nullish(),
  pix_key: text(255),
  /** When omitted, the type is derived from the key, where the key has one meaning only. */
  pix_key_type: z.enum(pixKeyTypes).nullish(),
  pix_key_validation: z.object({ cpf_cnpj: text(25) }).nullish(),
});
export type DataInput = z.infer<typeof dataToValidate>;

/** An error of a validation (VAL-016). A text suggestion applies to the field of its error. */
export const validationError = z.object({
  code: z.enum(validationErrorCodes),
  field: z.enum(validationFields),
  message: z.string(),
  suggestion: z.union([z.string(), z.partialRecord(z.enum(suggestedFields), z.string())]).optional(),
});
export type ValidationErrorOnWire = z.infer<typeof validationError>;

/** One validation and its result (VAL-015). */
export const validation = z.object({
  id,
  type: z.enum(validationTypes),
  valid: z.boolean().nullable(),
  errors: z.array(validationError),
  /** The performed and the omitted checks of valid data; empty while pending, and when there is an error. */
  checked: z.array(z.enum(validationChecks)),
  not_checked: z.array(z.enum(validationChecks)),
  data: z.object({
    name: z.string().nullable(),
    cpf_cnpj: z.string().nullable(),
    agency: z.string().nullable(),
    agency_digit: z.string().nullable(),
    account: z.string().nullable(),
    account_digit: z.string().nullable(),
    account_type: z.string().nullable(),
    pix_key: z.string().nullable(),
    pix_key_type: z.enum(pixKeyTypes).nullable(),
    pix_key_validation: z.object({ cpf_cnpj: z.string() }).nullable(),
  }),
  bank_code: z.string().nullable(),
  bank_ispb: z.string().nullable(),
  micro_deposit_status: z.enum(microDepositStatuses).nullable(),
  validated_at: instant.nullable(),
  created_at: instant,
  receipt_url: z.string().nullable(),
  bank_receipt_url: z.string().nullable(),
});
export type Validation = z.infer<typeof validation>;

/** A micro deposit moves a centavo of the company's balance, so the call must be idempotent. */
export const createValidation = contract({
  id: "createValidation",
  base: "contacerta",
  method: "POST",
  path: "/app/validation",
  summary: "Validar uma conta bancária ou chave Pix, pela análise básica ou por microdepósito",
  policy: { ...everyProfile, profiles: ["admin", "operator"], permission: "contacerta_validation" },
  idempotent: true,
  query: z.object({ type: z.enum(validationTypes) }),
  body: dataToValidate,
  response: z.object({ id }),
});

export const readValidation = contract({
  id: "readValidation",
  base: "contacerta",
  method: "GET",
  path: "/app/validation/:id",
  summary: "Uma validação",
  policy: everyProfile,
  params: byId,
  response: validation,
});

/**
 * Only in the payments application, for people who also have ContaCerta; a company's system uses ContaCerta's own
 * calls.
 */
const fromPayments = {
  access: "session",
  applications: ["payments"],
  profiles: ["admin", "operator"],
  machine: false,
  permission: "contacerta_validation",
} as const satisfies Policy;

/** Validates an account of a draft without leaving it, as `createValidation` does. */
export const validateDraftAccount = contract({
  ...createValidation,
  id: "validateDraftAccount",
  base: "payments",
  // Has its own path, because an idempotency key counts once for each method and path, whatever the base.
  path: "/app/account-validation",
  summary:
    "Validar na ContaCerta, por microdepósito, uma conta de um rascunho, para quem tem os dois aplicativos",
  policy: fromPayments,
  // The basic check asks the rule that proposed the digits.
  query: z.object({ type: z.literal("MICRO_DEPOSIT") }),
});

export const readDraftAccountValidation = contract({
  ...readValidation,
  id: "readDraftAccountValidation",
  base: "payments",
  path: "/app/account-validation/:id",
  summary: "O resultado da validação de uma conta de um rascunho",
  policy: fromPayments,
});

const yesOrNo = z.enum(["true", "false"]).optional();

/** Lists validations (VAL-028, VAL-029). Documents of people are masked. */
export const listValidations = contract({
  id: "listValidations",
  base: "contacerta",
  method: "GET",
  path: "/app/validation",
  summary: "Validações feitas, da mais nova à mais antiga, com CPFs mascarados",
  policy: everyProfile,
  query: z.object({
    page: pageFromZero,
    itemsPerPage: z.coerce.number().int().min(1).max(100).default(validationHistoryPageSize),
    type: z.enum(validationTypes).optional(),
    searchTerm: z.string().trim().max(100).optional(),
    /** True for valid data, false for data with errors. */
    valid: yesOrNo,
    /** Filters micro deposits: with an outcome, or still pending. */
    microDepositValidated: yesOrNo,
    initialDate: date.optional(),
    endDate: date.optional(),
    /** `APP`: a person created it here. `API`: the company's own system did. */
    source: z.enum(["APP", "API"]).optional(),
  }),
  response: z.object({ data: z.array(validation), metadata: listMetadata }),
});

export const downloadValidationReceipt = contract({
  id: "downloadValidationReceipt",
  base: "contacerta",
  method: "GET",
  path: "/app/validation/:id/receipt",
  summary: "Baixar o comprovante de um microdepósito (PDF)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});

export const downloadValidationBankReceipt = contract({
  id: "downloadValidationBankReceipt",
  base: "contacerta",
  method: "GET",
  path: "/app/validation/:id/bankReceipt",
  summary: "Baixar o comprovante do banco de um microdepósito (PDF)",
  policy: everyProfile,
  params: byId,
  transport: "file",
  response: z.any(),
});

/** Lists the banks on the validation host (VAL-011). */
export const listValidationBanks = contract({
  ...listBanks,
  id: "listValidationBanks",
  base: "contacerta",
  summary: "Bancos, na ContaCerta",
  policy: everyProfile,
});

/** Reads the user's settings on the validation host (SET-022). */
export const readValidationUserSettings = contract({
  ...readUserSettings,
  id: "readValidationUserSettings",
  base: "contacerta",
  summary: "Configurações do usuário, na ContaCerta",
  policy: { ...anyPerson, withoutTwoFactor: true },
});

/** Reads the types of validation that the company uses (SET-023). */
export const readValidationCompanySettings = contract({
  id: "readValidationCompanySettings",
  base: "contacerta",
  method: "GET",
  path: "/app/settings/company",
  summary: "Tipos de validação que a empresa usa",
  policy: everyProfile,
  response: z.object({ uses_basic_validation: z.boolean(), uses_micro_deposit: z.boolean() }),
});

/** Reads the secret under the validation host's own path (FST-014). */
export const readValidationTwoFactorSecret = contract({
  ...readTwoFactorSecret,
  id: "readValidationTwoFactorSecret",
  base: "contacerta",
  summary: "Gerar o segredo da autenticação em 2 fatores, na ContaCerta",
  policy: { ...anyPerson, withoutTwoFactor: true },
});

export const setValidationTwoFactor = contract({
  ...setTwoFactor,
  id: "setValidationTwoFactor",
  base: "contacerta",
  summary: "Ativar ou desativar a autenticação em 2 fatores, na ContaCerta",
  policy: { ...anyPerson, withoutTwoFactor: true },
});

/** Reads the company's data on the validation host (COM-008). */
export const readValidationCompany = contract({
  ...readCompany,
  id: "readValidationCompany",
  base: "contacerta",
  path: "/app/company",
  summary: "Dados da empresa, na ContaCerta",
  policy: adminPerson,
});

/** Changes the company's data on the validation host (COM-008). The phone has digits only; empty or null removes it. */
export const changeValidationCompany = contract({
  ...changeCompany,
  id: "changeValidationCompany",
  base: "contacerta",
  path: "/app/company",
  summary: "Salvar os dados da empresa, na ContaCerta",
  policy: adminPerson,
  body: z.object({
    phone: z
      .string()
      .regex(/^\d{0,11}$/)
      .nullable(),
  }),
});
