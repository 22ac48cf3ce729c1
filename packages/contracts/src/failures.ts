/** The failed payments of a batch in one place: the state of each, sent again or given back many at a time. */
import { failuresAtOnce } from "@malote/domain/limits";
import * as z from "zod";
import { batchTypes } from "./batches.ts";
import { confirmations } from "./checks.ts";
import { contract } from "./contract.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { byId, centavos, id } from "./wire.ts";

const failure = z.object({
  id,
  name: z.string().nullable(),
  /** The key, account or boleto it goes to, as one line. */
  to: z.string(),
  value: centavos,
  /** What the network said. */
  reason: z.string().nullable(),
  /** Those of the same receiver are given back together (TRF-047). */
  receiver_id: id,
  /** A correction of it was requested and waits for another person's approval. */
  waits_for_approval: z.boolean(),
  /** Why it cannot be sent again unchanged; null where no reason is known. */
  retry_problem: z.string().nullable(),
  /** What has to be confirmed before it is sent again unchanged, in words. */
  retry_checks: z.array(z.string()),
  /** Another one after each change of the payment. */
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
    /** In the order of the batch; `total` counts those beyond the page as well. */
    data: z.array(failure),
    total: z.object({ count: z.int(), value: centavos }),
    type: z.enum(batchTypes),
    retry: permitted.extend({
      /** A correction by this person takes effect only after another person's approval. */
      waits_for_approval: z.boolean(),
    }),
    give_back: permitted,
    /** The admins, by name: whom to ask about actions that the caller may not do. */
    ask: z.array(z.string()),
  }),
});
export type Failures = z.infer<typeof listFailures.response>;

const chosen = z.object({
  ids: z.array(id).min(1).max(failuresAtOnce),
  /** Of every one of `ids`, the version that was shown: one that changed since is refused. Screens always send it. */
  versions: z.record(id, z.string().max(40)).optional(),
});

const outcomes = z.object({
  /** One for each requested payment, and for those that went with them. */
  data: z.array(
    z.object({
      id,
      outcome: z.enum(["sent", "waits_for_approval", "given_back", "refused"]),
      /** Of a refused one: why, and what to do. */
      reason: z.string().nullable(),
    }),
  ),
  /** Centavos of those that were not refused. */
  value: centavos,
});
export type FailureOutcomes = z.infer<typeof outcomes>;

export const retryFailures = contract({
  id: "retryFailures",
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

export const giveBackFailures = contract({
  id: "giveBackFailures",
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
    /** The newest three; `count` is of all. */
    data: z.array(z.object({ id, name: z.string(), failed_count: z.int() })),
    count: z.int(),
  }),
});
