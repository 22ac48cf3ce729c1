/** The code of the second factor that came with a call: checked only where the action needs one. */
import type { Contract } from "@malote/contracts/contract";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../auth/actor.ts";

type LookedAt = { is: "wrong" } | { is: "good"; step: number };
export type CodeOfCall = { is: "none" } | { is: "unread" } | LookedAt;

/** Checks a code; a wrong one counts as a wrong try. */
export type ReadCode = (actor: Actor, code: string, address: string) => Promise<LookedAt>;

/** Thrown by an action that needs the code before it was checked. */
export class CodeUnread extends Error {}

/**
 * A try is counted in a transaction of its own, for which the action's must not wait. So the action begins without
 * the code; where it needs the code, its transaction ends unwritten, the code is checked, and the action begins
 * again.
 */
export async function actingWithCode<T>(
  { stepUp }: Contract,
  call: { actor: Actor; request: FastifyRequest; givenCode: CodeOfCall },
  readCode: ReadCode | undefined,
  act: () => Promise<T>,
): Promise<T> {
  const { actor, request } = call;
  const code = request.headers["second-factor-code"];
  if (!stepUp || !readCode || typeof code !== "string" || actor.kind !== "user") return act();
  call.givenCode = { is: "unread" };
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof CodeUnread)) throw error;
    call.givenCode = await readCode(actor, code, request.ip);
    return act();
  }
}
