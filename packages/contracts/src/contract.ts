import type * as z from "zod";
import type { Policy } from "./policy.ts";

/**
 * Paths under which this server serves each API. Browsers use them unless MALOTE_API_BASES moves an API to its own
 * address (SES-035).
 */
export const bases = {
  login: "/api/login",
  payments: "/api/payments",
  contacerta: "/api/contacerta",
  cards: "/api/cards",
  simulator: "/api/simulator",
} as const;
export type Base = keyof typeof bases;

/**
 * Definition of one call, used by the server to parse, by the client for its types and by the OpenAPI file.
 * `idempotent` marks a call that moves money: it needs an Idempotency-Key and replays its first answer to the person or
 * credential that sent it first; any other sender of the company gets `idempotency_key_of_another` (422).
 */
export interface Contract {
  id: string;
  base: Base;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  summary: string;
  policy: Policy;
  idempotent?: true;
  /** A GET that starts work: it may refuse its parameters (422), and answers 429 above a limit. */
  counted?: true;
  /** A GET that continues an earlier answer: it fails with 409 when the data has changed. */
  continued?: true;
  /** True when an empty text in the query is a value and is sent. In other calls it means no filter. */
  sendsEmpty?: true;
  /** The company's controls may demand the code of the second factor, in the header `Second-Factor-Code`. */
  stepUp?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /**
   * `multipart` takes one file; `file` answers bytes, `text` plain text and `stream` events of this shape instead of
   * JSON.
   */
  transport?: "multipart" | "file" | "text" | "stream";
  response: z.ZodType;
  /** Maximum body size in bytes, where it exceeds the usual 1.5 million. */
  bodyBytesMax?: number;
}

/** Keeps the literal types and checks the shape, so a call without a policy does not compile. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}

export type ParamsOf<C extends Contract> = C["params"] extends z.ZodType ? z.input<C["params"]> : undefined;
export type QueryOf<C extends Contract> = C["query"] extends z.ZodType ? z.input<C["query"]> : undefined;
export type BodyOf<C extends Contract> = C["body"] extends z.ZodType ? z.input<C["body"]> : undefined;
export type ResponseOf<C extends Contract> = z.output<C["response"]>;
