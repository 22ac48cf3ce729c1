import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import {
  centavos,
  date,
  id,
  instant,
  listMetadata,
  pageFromOne,
  positiveCentavos,
  rangeQuery,
} from "./wire.ts";

export const statementEntryTypes = [
  "EXPIRED_DEPOSIT",
  "DEPOSIT",
  "REFUND",
  "WITHDRAW",
  "PENDING_DEPOSIT",
  "DEPOSIT_REFUND",
  "PENDING_DEPOSIT_REFUND",
  "CANCELLED_DEPOSIT_REFUND",
  "BATCH",
  "BLOCKED",
  "BLOCKED_REFUND",
  "UNLOCKED",
  "FEE",
] as const;
export type StatementEntryType = (typeof statementEntryTypes)[number];

/** The other party of a Pix or TED (STM-018). */
export const counterpart = z.object({
  name: z.string(),
  bank: z.string().nullable(),
  agency: z.string().nullable(),
  account: z.string().nullable(),
  account_digit: z.string().nullable(),
  account_type: z.string().nullable(),
  document: z.string().nullable(),
});

export const statementEntry = z.object({
  id: z.string(),
  date,
  type: z.enum(statementEntryTypes),
  description: z.string(),
  /** Signed: positive is incoming, negative outgoing. */
  value: centavos,
  balance: centavos,
  complement: z.object({
    timestamp: instant.nullable(),
    bank: z.string().nullable(),
    isTed: z.boolean(),
    isPix: z.boolean(),
    payer: counterpart.optional(),
    receiver: counterpart.optional(),
    batch_id: id.optional(),
    end_to_end_id: z.string().optional(),
    transfer_id: id.optional(),
    message: z.string().optional(),
  }),
});
export type StatementEntry = z.infer<typeof statementEntry>;

const balanceAt = z.object({ date, value: centavos });

export const readStatement = contract({
  id: "readStatement",
  base: "payments",
  method: "GET",
  path: "/statement",
  summary: "Extrato do período, do mais novo ao mais antigo",
  policy: everyProfile,
  query: rangeQuery.extend({ page: pageFromOne }),
  response: z.object({
    entries: z.array(statementEntry),
    afterBalance: balanceAt,
    prevBalance: balanceAt,
    /** Sums of the whole period, which satisfy opening + in − out = closing. */
    totals: z.object({ in: centavos, out: centavos }),
    metadata: listMetadata,
  }),
});

export const readBalance = contract({
  id: "readBalance",
  base: "payments",
  method: "GET",
  path: "/statement/balance",
  summary: "Saldo disponível e valor aguardando recebimento",
  policy: everyProfile,
  response: z.object({ value: centavos, waiting_value: centavos }),
});

export const depositBalance = contract({
  id: "depositBalance",
  base: "payments",
  method: "POST",
  path: "/statement/deposit",
  summary: "Dizer para onde enviar este valor: a conta da empresa e, com chave Pix, o código para pagar",
  policy: everyProfile,
  body: z.object({ value: positiveCentavos }),
  response: z.object({
    value: centavos,
    bank: z.string(),
    agency: z.string(),
    account: z.string(),
    account_digit: z.string(),
    name: z.string(),
    cpf_cnpj: z.string(),
    /** The key with its value; null while no key is registered. */
    pix_key: z.string().nullable(),
    pix_qrcode_emv_payload: z.string().nullable(),
  }),
});

export const withdrawBalance = contract({
  id: "withdrawBalance",
  base: "payments",
  method: "POST",
  path: "/app/statement/withdraw",
  summary: "Resgatar saldo para a conta da empresa",
  policy: { ...adminOrOperator, permission: "balance_withdrawal" },
  idempotent: true,
  stepUp: true,
  body: z.object({ value: positiveCentavos }),
  response: z.object({
    /** The id of its payment, or of the request while it waits for approval. */
    id,
    value: centavos,
    /** The moment of sending: a TED outside its hours leaves on the next business day. */
    execute_at: instant.nullable(),
    awaits_approval: z.boolean().optional(),
  }),
});
