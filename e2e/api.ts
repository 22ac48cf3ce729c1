/** Calls the product as another program does: over HTTP, typed by the contracts. */
import { randomUUID } from "node:crypto";
import {
  type BodyOf,
  bases,
  type Contract,
  type ParamsOf,
  type QueryOf,
  type ResponseOf,
} from "@malote/contracts/contract";
import { authorize, tokenMinutes } from "@malote/contracts/session";

/** Password of every demo person; `npm start` prints it. */
export const demoPassword = "Malote-2026!";

export interface CallInput<C extends Contract> {
  params?: ParamsOf<C>;
  query?: QueryOf<C>;
  body?: BodyOf<C> | FormData;
  /** Idempotency key; generated when left out for calls that need one. */
  key?: string;
  requestId?: string;
}

export interface Answer<C extends Contract> {
  status: number;
  /** Bytes of the answer, for comparing replays. */
  text: string;
  headers: Headers;
  /** Body of a successful call. */
  done: ResponseOf<C> | undefined;
  /** Code of the refusal, if any. */
  code: string | undefined;
}

/** One request, one answer; rejects when no answer came. */
export async function send<const C extends Contract>(
  url: string,
  token: string | undefined,
  contract: C,
  input: CallInput<C> = {},
): Promise<Answer<C>> {
  const params = (input.params ?? {}) as Record<string, string>;
  const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams((input.query ?? {}) as Record<string, string>).toString();
  const isForm = input.body instanceof FormData;
  const headers = new Headers();
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (input.requestId) headers.set("x-request-id", input.requestId);
  if (contract.idempotent) headers.set("idempotency-key", input.key ?? randomUUID());
  if (input.body !== undefined && !isForm) headers.set("content-type", "application/json");
  const answer = await fetch(url + bases[contract.base] + path + (search && `?${search}`), {
    method: contract.method,
    headers,
    body: input.body === undefined ? null : isForm ? (input.body as FormData) : JSON.stringify(input.body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.startsWith("application/json") ?? false;
  const body: unknown = isJson ? JSON.parse(text) : undefined;
  return {
    status: answer.status,
    text,
    headers: answer.headers,
    done: answer.ok ? (body as ResponseOf<C>) : undefined,
    code: answer.ok ? undefined : (body as { code?: string } | undefined)?.code,
  };
}

export async function signIn(url: string, email: string): Promise<string> {
  const answer = await send(url, undefined, authorize, {
    body: { grant_type: "password", email, password: demoPassword },
  });
  if (!answer.done || !("access_token" in answer.done)) throw new Error(`${email}: ${answer.text}`);
  return answer.done.access_token;
}

/** Early enough that no screen opened with the token renews it too. */
const renewedAfterMs = (tokenMinutes / 2) * 60_000;

/** Returns a token that is renewed for a person who stays longer than one token is valid. */
export function keepSignedIn(signInNow: () => Promise<string>): () => Promise<string> {
  let token: string | undefined;
  let since = 0;
  return async () => {
    if (token === undefined || performance.now() - since > renewedAfterMs) {
      since = performance.now();
      token = await signInNow();
    }
    return token;
  };
}

/** Signs a person in and throws on every refusal, for tests that only need the result. */
export async function actAs(url: string, email: string) {
  const token = keepSignedIn(() => signIn(url, email));
  await token();
  return async <const C extends Contract>(contract: C, input: CallInput<C> = {}): Promise<ResponseOf<C>> => {
    const answer = await send(url, await token(), contract, input);
    if (answer.done === undefined) throw new Error(`${contract.id}: ${answer.status} ${answer.text}`);
    return answer.done;
  };
}
