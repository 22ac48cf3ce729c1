/** Second-factor code of a call, checked only where the action needs one. */
import type { Contract } from "@malote/contracts/contract";
import type { FastifyRequest } from "fastify";
import type { Actor } from "../auth/actor.ts";

type CheckedCode = { is: "wrong" } | { is: "good"; step: number };
export type CodeOfCall = { is: "none" } | { is: "unread" } | CheckedCode;

/** Function that checks a code; a wrong one counts as a failed try. */
export type ReadCode = (actor: Actor, code: string, address: string) => Promise<CheckedCode>;

/** Error of an action that needs the code before it was checked. */
export class CodeUnread extends Error {}

/**
 * Runs an action that may need the code. A try is counted in a separate transaction, for which the action's must not
 * wait. So the action starts without the code; if it needs the code, its transaction rolls back, the code is checked,
 * and the action runs again.
 */
export async function runWithCode<T>(
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
