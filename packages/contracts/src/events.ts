/**
 * What happens in Malote, as events that subscribers act on (decision 0046). A version's schema never loses or changes a field:
 * another meaning is another version. An event names its object; whatever has to be true when it is handled is read then.
 */
import * as z from "zod";

/** Each is about one object, whose row is locked by whoever emits it: the order of an object's events is the order of its changes. */
interface EventDefinition {
  object: "batch" | "payin" | "payment";
  version: number;
  payload: z.ZodObject;
}

const ofBatch = { object: "batch", version: 1, payload: z.object({}) } as const;
/** As it was then: it may be changed, or another one's by now. */
const batchThen = { name: z.string(), payments: z.int(), amount: z.int() };
const person = z.object({ id: z.uuid(), name: z.string() });
const outcome = {
  object: "payment",
  version: 1,
  payload: z.object({ batchId: z.uuid(), amount: z.int().positive() }),
} as const;

export const eventCatalogue = {
  /** Waits for other people's consent. `checks`: what is unusual in it, in sentences. */
  "batch.approval_requested": {
    object: "batch",
    version: 1,
    payload: z.object({ ...batchThen, by: person, checks: z.array(z.string()) }),
  },
  /** A draft again, because somebody did not consent. */
  "batch.rejected": {
    object: "batch",
    version: 1,
    payload: z.object({
      ...batchThen,
      by: person,
      reason: z.string().nullable(),
      createdBy: z.uuid().nullable(),
    }),
  },
  /** A draft again by itself: it waited for money, and could not be paid as it is. `people`: who made, closed and approved it. */
  "batch.sent_back": {
    object: "batch",
    version: 1,
    payload: z.object({ ...batchThen, reason: z.string(), people: z.array(z.uuid()) }),
  },
  /** Its money is set aside and its payments are on their way. */
  "batch.released": ofBatch,
  /** Taken off its schedule as a whole, its money is back. */
  "batch.cancelled": ofBatch,
  /** Each of its payments has an outcome, failures counted; again after one was corrected. */
  "batch.settled": ofBatch,
  /** The money arrived. */
  "payment.settled": outcome,
  /** The money did not leave, and waits in its batch. */
  "payment.failed": outcome,
  /** One more payment of what was paid already. `canGoBack`: by a refund, without asking who paid for an account. */
  "payin.doubled": {
    object: "payin",
    version: 1,
    payload: z.object({
      amount: z.int().positive(),
      canGoBack: z.boolean(),
      payer: z.string().nullable(),
      charge: z.string().nullable(),
    }),
  },
} as const satisfies Record<string, EventDefinition>;

export type EventType = keyof typeof eventCatalogue;
export type PayloadOf<T extends EventType> = z.output<(typeof eventCatalogue)[T]["payload"]>;
