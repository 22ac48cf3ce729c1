/** Failed payments of a batch: their state, and bulk calls that send them again or return their money. */
import { batchTypes } from "@malote/domain/batch-status";
import { failuresAtOnce } from "@malote/domain/limits";
import * as z from "zod";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { byId, centavos, id } from "./wire.ts";

const failure = z.object({
  id,
  name: z.string().nullable(),
  /** The destination as one line: key, account or boleto. */
  to: z.string(),
  value: centavos,
  /** The network's reason. */
  reason: z.string().nullable(),
  /** Failed payments of the same receiver are returned together (TRF-047). */
  receiver_id: id,
  /** True when a requested correction waits for another person's approval. */
  waits_for_approval: z.boolean(),
  /** The reason why it cannot be resent unchanged; null where no reason is known. */
  retry_problem: z.string().nullable(),
  /** Findings to confirm before it is resent unchanged, in words. */
  retry_checks: z.array(z.string()),
  /** Changes with every change of the payment. */
  version: z.string(),
});
export type Failure = z.infer<typeof failure>;

const permitted = z.object({
  allowed: z.boolean(),
  why_not: z.string().nullable(),
});

export const listFailures = contract({
  id: "listFailures",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/failures",
  summary: "Pagamentos com falha de um lote, e o que quem pergunta pode fazer com eles",
  policy: everyProfile,
  params: byId,
  response: z.object({
    /** Payments in the order of the batch; `total` covers all of them, not only the page. */
    data: z.array(failure),
    total: z.object({ count: z.int(), value: centavos }),
    type: z.enum(batchTypes),
    retry: permitted.extend({
      /** True when a correction by this person needs another person's approval. */
      waits_for_approval: z.boolean(),
    }),
    give_back: permitted,
    /** Names of the admins, whom the caller can ask for actions that they may not do. */
    ask: z.array(z.string()),
  }),
});
export type Failures = z.infer<typeof listFailures.response>;

const chosen = z.object({
  ids: z.array(id).min(1).max(failuresAtOnce),
  /** The displayed version of each of `ids`; a payment that changed meanwhile is refused. Screens always send it. */
  versions: z.record(id, z.string().max(40)).optional(),
});

const outcomes = z.object({
  /** One result for each requested payment and for each payment returned together with it. */
  data: z.array(
    z.object({
      id,
      outcome: z.enum(["sent", "waits_for_approval", "given_back", "refused"]),
      /** The reason of a refusal, and what to do about it. */
      reason: z.string().nullable(),
    }),
  ),
  /** Sum of the payments that were not refused, in centavos. */
  value: centavos,
});
export type FailureOutcomes = z.infer<typeof outcomes>;

export const resendFailures = contract({
  id: "resendFailures",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/failures/retry",
  summary: "Tentar de novo os pagamentos com falha escolhidos, como estão",
  policy: adminOrOperator,
  idempotent: true,
  stepUp: true,
  params: byId,
  body: chosen.extend({ confirmations: confirmations.optional() }),
  response: outcomes,
});

export const returnFailures = contract({
  id: "returnFailures",
  base: "payments",
  method: "POST",
  path: "/app/batch/:id/failures/giveBack",
  summary: "Devolver ao saldo o valor dos pagamentos com falha escolhidos",
  policy: adminOrOperator,
  idempotent: true,
  params: byId,
  body: chosen,
  response: outcomes,
});

export const listFailureNotices = contract({
  id: "listFailureNotices",
  base: "payments",
  method: "GET",
  path: "/app/failureNotices",
  summary: "Lotes com falhas por resolver que quem pergunta criou ou aprovou",
  policy: everyProfile,
  response: z.object({
    /** The newest three; `count` covers all. */
    data: z.array(z.object({ id, name: z.string(), failed_count: z.int() })),
    count: z.int(),
  }),
});
