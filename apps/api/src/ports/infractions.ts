/**
 * What Malote asks of the provider, which takes reports of fraud about a Pix to the central bank's system, and what
 * it receives back. One interface, an adapter per provider.
 */

import type { Readable } from "node:stream";
import { finalOpinions, situationTypes } from "@malote/domain/infraction";
import * as z from "zod";
import { outsideInstant } from "./instant.ts";

export interface InfractionAnswer {
  /** The provider's id of the infraction. An answer to one that has one already changes nothing. */
  infractionId: string;
  /** `delayed`: no answer came in time, and the money goes back. */
  analysis: "accepted" | "rejected" | "delayed";
  description: string | null;
  attachment: { name: string; type: string; bytes: number; read(): Readable } | null;
}

export interface InfractionProvider {
  /** Resolves when it was taken; rejects when that is unknown: send it again. Never called inside a transaction. */
  answer(answer: InfractionAnswer): Promise<void>;
}

/** A zero character is valid JSON and no text for PostgreSQL. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());

const event = {
  infractionId: text(200).min(1),
  /** The Pix it is about. */
  endToEndId: text(100).min(1),
  /** When it happened there, as an ISO instant. */
  at: outsideInstant,
};

/** Validates an event: a provider is outside, and its types are promises. */
export const infractionEvent = z.discriminatedUnion("kind", [
  z.object({
    ...event,
    kind: z.literal("reported"),
    situation: z.enum(situationTypes).catch("unknown"),
    description: text(2_000).nullable(),
  }),
  /** The company answered it by e-mail: it waits for the opinion, and cannot be answered here. */
  z.object({ ...event, kind: z.literal("contested_by_email") }),
  z.object({ ...event, kind: z.literal("opinion"), opinion: z.enum(finalOpinions) }),
]);
export type InfractionEvent = z.output<typeof infractionEvent>;

/**
 * The product's event handler. Resolves once it is applied; rejecting makes the provider deliver again. An event may
 * come twice, and never before the one that reported the infraction was received.
 */
export type InfractionEventHandler = (event: InfractionEvent) => Promise<void>;
