/** The checks before payment: findings about a batch, and their confirmations. */
import { batchStatuses } from "@malote/domain/batch";
import { checkKinds } from "@malote/domain/checks";
import { paymentStatuses } from "@malote/domain/payment-status";
import * as z from "zod";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { byId, centavos, date, id, instant } from "./wire.ts";

const checkKind = z.enum(checkKinds);

/** Confirms one kind of findings in the state that the person read; changed findings have another fingerprint. */
export const confirmation = z.object({ kind: checkKind, fingerprint: z.string().max(100) });
export const confirmations = z.array(confirmation).max(checkKinds.length);

const finding = z.object({
  payment: z.object({
    id,
    name: z.string().nullable(),
    value: centavos.nullable(),
    payment_date: date.nullable(),
  }),
  /** The payment that the finding compares with. */
  other: z
    .object({
      id,
      batch_id: id,
      batch_name: z.string(),
      batch_status: z.enum(batchStatuses),
      status: z.enum(paymentStatuses),
      value: centavos,
      date,
      person: z.string(),
    })
    .nullable(),
  text: z.string(),
});

export const check = z.object({
  kind: checkKind,
  /** `tick`: must be confirmed before the batch proceeds. `block`: must be corrected. `note`: is only shown. */
  severity: z.enum(["block", "tick", "note"]),
  title: z.string(),
  /** The number of findings; `findings` holds the first ones. */
  count: z.int(),
  value: centavos,
  fingerprint: z.string(),
  confirmed: z.object({ by: z.string(), at: instant }).nullable(),
  findings: z.array(finding),
  /** Cursor for `readCheckFindings`; null when `findings` holds all. */
  next: z.string().nullable(),
});
export type Check = z.infer<typeof check>;

const payment = z.object({ id, name: z.string().nullable(), value: centavos });

export const batchChecks = z.object({
  revision: z.int(),
  data: z.array(check),
  /** Confirmations that the batch needs before it is closed, approved or sent to approval. */
  missing: z.array(confirmation.extend({ count: z.int() })),
  /** The summary that an approver reads first. */
  summary: z.object({
    count: z.int(),
    value: centavos,
    by_method: z.array(z.object({ payment_method: z.string(), count: z.int(), value: centavos })),
    /** Findings of a severity above `note`. */
    alerts: z.int(),
    new_receivers: z.int(),
    largest: z.array(payment),
  }),
});
export type BatchChecks = z.infer<typeof batchChecks>;

export const readBatchChecks = contract({
  id: "readBatchChecks",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/checks",
  summary: "Conferências antes de pagar: o que chama atenção no lote e o que falta confirmar",
  policy: everyProfile,
  params: byId,
  response: batchChecks,
});

export const readCheckFindings = contract({
  id: "readCheckFindings",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/checks/:kind/findings",
  summary:
    "Tudo o que uma conferência do lote encontrou, de 100 em 100; um cursor de antes de uma mudança é recusado com checks_changed",
  policy: everyProfile,
  continued: true,
  params: z.object({ id, kind: checkKind }),
  query: z.object({
    page_cursor: z
      .string()
      .max(110)
      .regex(/^\d{1,7}\../)
      .optional(),
  }),
  response: z.object({
    kind: checkKind,
    count: z.int(),
    /** The fingerprint that a confirmation names; null where none is needed. */
    fingerprint: z.string().nullable(),
    data: z.array(finding),
    meta: z.object({ next: z.string().nullable() }),
  }),
});
export type CheckFindings = z.infer<typeof readCheckFindings.response>;

export const confirmBatchChecks = contract({
  id: "confirmBatchChecks",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/checks/confirm",
  summary: "Confirmar conferências do lote: fica registrado quem confirmou e quando",
  policy: adminOrOperator,
  params: byId,
  body: z.object({ confirmations: confirmations.min(1) }),
  response: batchChecks,
});
