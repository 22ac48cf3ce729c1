/** ContaCerta: checking bank accounts and Pix keys (VAL), and what its users read of settings and company on its own API. */
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

/** VAL-012: an account with `bank_code` or `bank_ispb`, or a key. Rules are checked by the domain, not by this shape. */
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
  /** Omitted, it follows from the key, where the key has one meaning only. */
  pix_key_type: z.enum(pixKeyTypes).nullish(),
  pix_key_validation: z.object({ cpf_cnpj: text(25) }).nullish(),
});
export type DataInput = z.infer<typeof dataToValidate>;

/** VAL-016. A suggestion that is a text is for the field of its error. */
export const validationError = z.object({
  code: z.enum(validationErrorCodes),
  field: z.enum(validationFields),
  message: z.string(),
  suggestion: z.union([z.string(), z.partialRecord(z.enum(suggestedFields), z.string())]).optional(),
});
export type ValidationErrorOnWire = z.infer<typeof validationError>;

/** VAL-015: one validation and its result. */
export const validation = z.object({
  id,
  type: z.enum(validationTypes),
  valid: z.boolean().nullable(),
  errors: z.array(validationError),
  /** Of valid data: what was checked and what was not. Empty until then, and where something is wrong. */
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

/** A micro deposit moves a centavo of the company's balance, so a repeated call must be known as one. */
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

const yesOrNo = z.enum(["true", "false"]).optional();

/** VAL-028, VAL-029. The documents of people come masked. */
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
    /** Found right, or with errors. */
    valid: yesOrNo,
    /** Of micro deposits only: those with an outcome, or those still on their way. */
    microDepositValidated: yesOrNo,
    initialDate: date.optional(),
    endDate: date.optional(),
    /** Made by a person here, or by the company's own system. */
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

/** VAL-011: the banks, on the validation host. */
export const listValidationBanks = contract({
  ...listBanks,
  id: "listValidationBanks",
  base: "contacerta",
  summary: "Bancos, na ContaCerta",
  policy: everyProfile,
});

/** SET-022: the user's settings, on the validation host. */
export const readValidationUserSettings = contract({
  ...readUserSettings,
  id: "readValidationUserSettings",
  base: "contacerta",
  summary: "Configurações do usuário, na ContaCerta",
  policy: { ...anyPerson, withoutTwoFactor: true },
});

/** SET-023: which types of validation the company uses. */
export const readValidationCompanySettings = contract({
  id: "readValidationCompanySettings",
  base: "contacerta",
  method: "GET",
  path: "/app/settings/company",
  summary: "Tipos de validação que a empresa usa",
  policy: everyProfile,
  response: z.object({ uses_basic_validation: z.boolean(), uses_micro_deposit: z.boolean() }),
});

/** FST-014: the validation host has its own path. */
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

/** COM-008: the company's data, on the validation host. */
export const readValidationCompany = contract({
  ...readCompany,
  id: "readValidationCompany",
  base: "contacerta",
  path: "/app/company",
  summary: "Dados da empresa, na ContaCerta",
  policy: adminPerson,
});

/** COM-008: the phone as digits only, empty or null for none. */
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
