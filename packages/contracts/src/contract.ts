import type * as z from "zod";
import type { Policy } from "./policy.ts";

/** Every API's base address on one origin. Each can be moved by configuration (SES-035). */
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
 * `idempotent` marks a call that moves money: it needs an Idempotency-Key and replays its first answer.
 */
export interface Contract {
  id: string;
  base: Base;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: `/${string}`;
  summary: string;
  policy: Policy;
  idempotent?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** `multipart` takes one file; `file` answers bytes instead of JSON. */
  transport?: "multipart" | "file";
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
