/**
 * Port to the provider that submits fraud reports about a Pix to the central bank's system, and its events. One
 * interface, an adapter per provider.
 */

import type { Readable } from "node:stream";
import { finalOpinions, situationTypes } from "@malote/domain/infraction";
import * as z from "zod";
import type { Connection } from "./connection.ts";
import { outsideInstant } from "./instant.ts";

export interface InfractionAnswer {
  /** Provider's id of the infraction. A second answer to the same infraction is a no-op. */
  infractionId: string;
  /** `delayed`: no answer came in time, so the money is returned. */
  analysis: "accepted" | "rejected" | "delayed";
  description: string | null;
  attachment: { name: string; type: string; bytes: number; read(): Readable } | null;
}

export interface InfractionProvider extends Connection<InfractionEvent> {
  /**
   * Sends an answer. Resolves when the provider accepted it; rejects when that is unknown, so send it again. Never call
   * it inside a transaction.
   */
  answer(answer: InfractionAnswer): Promise<void>;
}

/** Excludes the zero character, which is valid JSON but not valid PostgreSQL text. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());

const event = {
  infractionId: text(200).min(1),
  /** End-to-end id of the contested Pix. */
  endToEndId: text(100).min(1),
  /** ISO instant at which the event happened. */
  at: outsideInstant,
};

/** Validates an event, because an external provider may break its types. */
export const infractionEvent = z.discriminatedUnion("kind", [
  z.object({
    ...event,
    kind: z.literal("reported"),
    situation: z.enum(situationTypes).catch("unknown"),
    description: text(2_000).nullable(),
  }),
  /** The company answered by e-mail: the infraction waits for the opinion and cannot be answered here. */
  z.object({ ...event, kind: z.literal("contested_by_email") }),
  z.object({ ...event, kind: z.literal("opinion"), opinion: z.enum(finalOpinions) }),
]);
export type InfractionEvent = z.output<typeof infractionEvent>;

/**
 * Event handler of the product. Resolves once the event is applied; a rejection makes the provider deliver it again. An
 * event may come twice, but never before the one that reported the infraction was received.
 */
export type InfractionEventHandler = (event: InfractionEvent) => Promise<void>;
