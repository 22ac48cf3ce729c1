/** The home page: pending work of the caller, outgoing money of the next days, and batches being paid. */

import { batchTypes } from "@malote/domain/batch-status";
import { requestKinds } from "@malote/domain/controls";
import { claimKinds } from "@malote/domain/own-pix-key";
import * as z from "zod";
import { contract } from "./contract.ts";
import { everyProfile } from "./policy.ts";
import { centavos, date, id, instant } from "./wire.ts";

const batch = { id, name: z.string(), type: z.enum(batchTypes), value: centavos };
/** The deadline of the task; null where there is none. */
const dueAt = { due_at: instant.nullable() };

/** One pending task, with all the facts to decide whether to do it now. */
export const workItem = z.discriminatedUnion("kind", [
  /** A batch that the caller may approve. */
  z.object({
    kind: z.literal("approve_batch"),
    ...batch,
    ...dueAt,
    payments_count: z.int(),
    created_by: z.string(),
  }),
  z.object({
    kind: z.literal("approve_request"),
    ...dueAt,
    id,
    request: z.enum(requestKinds),
    title: z.string(),
    amount: centavos.nullable(),
    requested_by: z.string(),
  }),
  /**
   * A closed batch that the balance does not cover. `missing` includes the batches before it in the queue for money.
   */
  z.object({
    kind: z.literal("fund_batch"),
    ...batch,
    ...dueAt,
    payments_count: z.int(),
    missing: centavos,
  }),
  z.object({ kind: z.literal("resolve_failures"), ...batch, ...dueAt, failed_count: z.int() }),
  /** A draft with payments whose day or hour has passed. `value` and `late_count` cover only those payments. */
  z.object({
    kind: z.literal("choose_dates"),
    ...batch,
    ...dueAt,
    late_count: z.int(),
    /** Number of payments that no other day helps: boletos past their last day, and expired Pix codes. */
    unpayable_count: z.int(),
    since: date.nullable(),
  }),
  z.object({
    kind: z.literal("answer_infraction"),
    ...dueAt,
    id,
    payer_name: z.string(),
    amount: centavos,
    received_at: instant.nullable(),
  }),
  /** A claim of another institution for a Pix key of the company. */
  z.object({ kind: z.literal("answer_claim"), ...dueAt, id, key: z.string(), claim: z.enum(claimKinds) }),
  z.object({
    kind: z.literal("pay_invoice"),
    ...dueAt,
    id,
    month: date,
    total: centavos,
    is_late: z.boolean(),
  }),
  /** The first steps of a new company, each with whether it is done. */
  z.object({
    kind: z.literal("first_steps"),
    ...dueAt,
    id,
    steps: z.object({
      withdrawal_account: z.boolean(),
      second_factor: z.boolean(),
      receiver: z.boolean(),
      batch: z.boolean(),
    }),
  }),
]);
export type WorkItem = z.infer<typeof workItem>;
export type WorkKind = WorkItem["kind"];

export const readHome = contract({
  id: "readHome",
  base: "payments",
  method: "GET",
  path: "/app/home",
  summary: "O que espera por quem pergunta, o que sai nos próximos dias e os lotes em pagamento",
  policy: { ...everyProfile, machine: false },
  response: z.object({
    /**
     * The nearest deadline comes first, with at most twenty items of each kind. `count` is the number of listed items.
     */
    work: z.array(workItem),
    count: z.int(),
    /** The seven days from today on: reserved or scheduled money, and batches that wait for money. */
    upcoming: z.array(z.object({ date, reserved: centavos, unfunded: centavos })),
    paying: z.array(
      z.object({ ...batch, payments_count: z.int(), paid_count: z.int(), failed_count: z.int() }),
    ),
  }),
});
export type Home = z.infer<typeof readHome.response>;

export const countWork = contract({
  id: "countWork",
  base: "payments",
  method: "GET",
  path: "/app/home/count",
  summary: "Quantas coisas esperam por quem pergunta",
  policy: { ...everyProfile, machine: false },
  response: z.object({ count: z.int() }),
});
