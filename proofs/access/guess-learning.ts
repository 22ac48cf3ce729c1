/** Information about existing accounts that a guesser can learn from an answer, its text or its time. */
import { authorize, forgotPassword } from "@malote/contracts/session";
import type { Passwords } from "../../apps/api/src/platform/auth/passwords.ts";
import { sessionKit } from "../../apps/api/src/session/kit.ts";
import { signInWithPassword } from "../../apps/api/src/session/sign-in.ts";
import type { Answer } from "../../apps/api/src/testing/answer.ts";
import { type Guessing, knownName, unknownName } from "./guessing.ts";

const windowMs = 15 * 60_000;
/** One more than the limit, so that the refusals of too many attempts are compared too. */
const asks = 11;

const calls = {
  signing_in: (email: string) => ({
    contract: authorize,
    body: { grant_type: "password", email, password: "Errada-2026!" },
  }),
  forgetting: (email: string) => ({ contract: forgotPassword, body: { email } }),
};

/**
 * Returns the differences between the answers for a known and an unknown name, each time. `plant` changes the answers
 * for the unknown one.
 */
export async function answersApart(
  { app, freshAddress }: Guessing,
  plant: (text: string) => string = (text) => text,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    app.clock.advance({ ms: windowMs });
    for (let asked = 1; asked <= asks; asked++) {
      const answerOf = async (email: string) => {
        const { contract, body } = call(email);
        return bare(await app.call(contract, { body }, { address: freshAddress() }));
      };
      const [known, unknown] = await Promise.all([answerOf(knownName), answerOf(unknownName)]);
      if (known !== plant(unknown))
        faults.push(`${name}, asked ${asked} times: ${known} and ${plant(unknown)}`);
    }
  }
  return faults;
}

/** Returns the parts of an answer that are equal for callers with equal answers. */
function bare({ status, headers, body }: Answer): string {
  const { requestId: _, ...rest } = body;
  const { date: __, "x-request-id": ___, ...shown } = headers;
  return JSON.stringify({ status, rest, shown });
}

/**
 * Returns the median ratio, over pairs, of the time a wrong password takes at a known name to the time at an unknown
 * one.
 */
export async function medianRatio(
  { app, freshAddress }: Guessing,
  passwords: Passwords,
  pairs: number,
): Promise<number> {
  const kit = { ...sessionKit(app.services), passwords };
  async function msOf(email: string): Promise<number> {
    const origin = { address: freshAddress(), requestId: "guess", now: app.clock.now() };
    const since = performance.now();
    const code = await signInWithPassword(kit, { email, password: "Errada-2026!" }, origin).then(
      () => "signed in",
      (error) => error.code,
    );
    if (code !== "wrong_credentials") throw new Error(`${email}: ${code}`);
    return performance.now() - since;
  }
  const known: number[] = [];
  const unknown: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    app.clock.advance({ ms: windowMs });
    known.push(await msOf(knownName));
    unknown.push(await msOf(unknownName));
  }
  return median(known) / median(unknown);
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
