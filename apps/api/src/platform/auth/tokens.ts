/**
 * Signed tokens. The algorithm is fixed, a token can name only one of our own keys, and each kind of token has its own
 * audience, so that one kind is never accepted in place of another.
 */

import type { KeyObject } from "node:crypto";
import { rememberedDays, type TokenContent, tokenContent, tokenMinutes } from "@malote/contracts/session";
import { decodeProtectedHeader, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import { AppError } from "../app-error.ts";
import type { Clock } from "../clock.ts";
import { uuidv7 } from "../uuid.ts";
import { realTime } from "./real-time.ts";
import type { Secrets } from "./secrets.ts";

const algorithm = "EdDSA";
const issuer = "malote";
const bearerAudience = "malote-api";
const challengeAudience = "malote-second-factor";
const rememberedAudience = "malote-remembered-browser";
/** Maximum length of a token; our tokens have about 1,500 characters, and longer texts are refused unread. */
const tokenLengthMax = 8_000;
/** Size of the cache of verified tokens: verification takes longer than everything else before a call. */
const verifiedMax = 4_000;
/** Minutes between the password and the code of the authenticator app. */
const challengeMinutes = 5;

/** Proof that the password was right, valid until the code is given. A changed password or factor invalidates it. */
const challengeContent = z.object({
  sub: z.uuid(),
  company: z.uuid(),
  version: z.int(),
  jti: z.uuid(),
});
export type Challenge = z.infer<typeof challengeContent>;

/**
 * Proof that this browser gave the code of the second factor some days ago. It grants no access alone: sign-in still
 * requires the password. A changed password or factor invalidates it.
 */
const rememberedContent = challengeContent.extend({ device: z.string() });
export type Remembered = z.infer<typeof rememberedContent>;

/** Content of a bearer token, without the fields that signing adds. */
export type BearerClaims = Omit<TokenContent, "iat" | "exp">;

export interface Tokens {
  sign(claims: BearerClaims): Promise<string>;
  /** Returns the content of a valid bearer token of ours; refuses any other with `not_authenticated`. */
  read(token: string): Promise<TokenContent>;
  signChallenge(challenge: Omit<Challenge, "jti">): Promise<string>;
  readChallenge(token: string): Promise<Challenge | undefined>;
  signRemembered(remembered: Omit<Remembered, "jti">): Promise<string>;
  readRemembered(token: string): Promise<Remembered | undefined>;
}

/**
 * Returns the key id that a text names, which only selects among our own keys. A text that is no token has none, and no
 * key verifies it.
 */
function keyIdIn(token: string): string | undefined {
  try {
    return decodeProtectedHeader(token).kid;
  } catch {
    return undefined;
  }
}

export function openTokens({ secrets, clock }: { secrets: Secrets; clock: Clock }): Tokens {
  const time = realTime(clock);
  const seconds = () => Math.floor(time.now().getTime() / 1000);

  function sign(claims: Record<string, unknown>, audience: string, minutes: number): Promise<string> {
    const now = seconds();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: secrets.keyId })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt(now)
      .setExpirationTime(now + minutes * 60)
      .sign(secrets.signingKey);
  }

  async function verify(token: string, audience: string): Promise<unknown> {
    if (token.length > tokenLengthMax) return undefined;
    for (const key of secrets.verifyingKeysOf(keyIdIn(token))) {
      const payload = await verifyWith(key, token, audience);
      if (payload) return payload;
    }
    return undefined;
  }

  async function verifyWith(key: KeyObject, token: string, audience: string): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [algorithm],
        issuer,
        audience,
        typ: "JWT",
        requiredClaims: ["sub", "jti", "iat", "exp"],
        currentDate: time.now(),
      });
      return payload;
    } catch {
      // The caller does not learn why a token is invalid and could not repair it.
      return undefined;
    }
  }

  /** Cache in order of insertion. A verified content never changes; its validity is checked at each use. */
  const verified = new Map<string, TokenContent>();
  function remember(token: string, content: TokenContent): void {
    if (verified.size >= verifiedMax) for (const oldest of verified.keys().take(1)) verified.delete(oldest);
    verified.set(token, content);
  }

  return {
    sign: (claims) => sign(claims, bearerAudience, tokenMinutes),
    async read(token) {
      const known = verified.get(token);
      if (known && known.exp > seconds()) return known;
      const content = tokenContent.safeParse(await verify(token, bearerAudience));
      if (!content.success) throw new AppError("not_authenticated");
      remember(token, content.data);
      return content.data;
    },
    signChallenge: (challenge) => sign({ ...challenge, jti: uuidv7() }, challengeAudience, challengeMinutes),
    async readChallenge(token) {
      return challengeContent.safeParse(await verify(token, challengeAudience)).data;
    },
    signRemembered: (remembered) =>
      sign({ ...remembered, jti: uuidv7() }, rememberedAudience, rememberedDays * 24 * 60),
    async readRemembered(token) {
      return rememberedContent.safeParse(await verify(token, rememberedAudience)).data;
    },
  };
}
