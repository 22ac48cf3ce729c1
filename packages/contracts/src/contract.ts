import type * as z from "zod";
import type { Policy } from "./policy.ts";

/**
 * Where this server answers each API. Browsers call it there unless MALOTE_API_BASES moved an API to an address of
 * its own (SES-035).
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
 * One call, described once. The server parses by it, the client types by it, the OpenAPI file prints it.
 * `idempotent` marks a call that moves money: it needs an Idempotency-Key and replays its first answer, to the person or
 * credential that sent it first; another one of the company is refused with `idempotency_key_of_another` (422).
 */
export interface Contract {
  id: string;
  base: Base;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  summary: string;
  policy: Policy;
  idempotent?: true;
  /** A GET that starts work: it may refuse its parameters (422), and above a limit it answers 429. */
  counted?: true;
  /** A GET that continues an earlier answer: it refuses with 409 once the data changed since. */
  continued?: true;
  /** An empty text in the query is a value of its own, and is sent. Of other calls it is a filter without a value. */
  sendsEmpty?: true;
  /** The company's controls may demand the code of the second factor, in the header `Second-Factor-Code`. */
  stepUp?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** `multipart` takes one file; `file` answers bytes instead of JSON, `text` one plain text, `stream` events of this shape. */
  transport?: "multipart" | "file" | "text" | "stream";
  response: z.ZodType;
  /** Bytes of a body larger than the usual bound of one and a half million. */
  bodyBytesMax?: number;
}

/** Keeps the literal types and checks the shape: a call without a policy does not compile. */
export function contract<const C extends Contract>(definition: C): C {
  return definition;
}

export type ParamsOf<C extends Contract> = C["params"] extends z.ZodType ? z.input<C["params"]> : undefined;
export type QueryOf<C extends Contract> = C["query"] extends z.ZodType ? z.input<C["query"]> : undefined;
export type BodyOf<C extends Contract> = C["body"] extends z.ZodType ? z.input<C["body"]> : undefined;
export type ResponseOf<C extends Contract> = z.output<C["response"]>;
