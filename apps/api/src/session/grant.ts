/** Sessions and their tokens. */
import { type Application, applications } from "@malote/contracts/policy";
import { applicationNames } from "@malote/contracts/profiles";
import { sessionHours, tokenMinutes } from "@malote/contracts/session";
import { hourMs } from "@malote/domain/durations";
import { AppError } from "../platform/app-error.ts";
import type { BearerClaims } from "../platform/auth/tokens.ts";
import type { Tx } from "../platform/db/database.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { type BearerFacts, findBearerOfUser } from "./bearer-store.ts";
import type { SessionKit } from "./kit.ts";
import { insertSession } from "./session-store.ts";

const named = (id: Application) => ({ id, name: applicationNames[id] });

export const granted = (token: string) => ({
  access_token: token,
  token_type: "Bearer" as const,
  expires_in: tokenMinutes * 60,
});

interface TokenPlace {
  kind: BearerClaims["kind"];
  sessionId: string;
  tokenId: string;
  application: Application;
}

/** SES-032: returns a token's claims about its bearer. */
export const claimsOf = (
  bearer: BearerFacts,
  { kind, sessionId, tokenId, application }: TokenPlace,
): BearerClaims => ({
  sub: bearer.id,
  sid: sessionId,
  jti: tokenId,
  kind,
  name: bearer.name,
  email: bearer.email,
  company: {
    id: bearer.company.id,
    name: bearer.company.name,
    cpfCnpj: bearer.company.taxId,
    acceptedContract: bearer.company.acceptedContract,
  },
  profile: bearer.profile,
  application: named(application),
  allowed_applications: applications.filter((id) => bearer.applications.includes(id)).map(named),
  feature_flags: bearer.featureFlags,
  permissions: bearer.permissions,
  two_factor: { enabled: bearer.twoFactorEnabled, enforced: bearer.twoFactorEnforced },
});

/** Returns the application for a sign-in that names none (SES-041): payments, or the user's first other one. */
const firstApplication = (allowed: readonly Application[]) => applications.find((id) => allowed.includes(id));

/** Opens a session and returns its first token. Refuses when the user has changed since the identity was proven. */
export async function startSession(
  tx: Tx,
  kit: SessionKit,
  user: {
    id: string;
    sessionVersion: number;
    application?: Application;
    expiresAt?: Date;
    /** Time of the last confirmed identity; by default the present, for a sign-in with all proofs. */
    confirmedAt?: Date | null;
  },
): Promise<string> {
  const bearer = await findBearerOfUser(tx, user.id);
  // The password or role changed during this sign-in.
  if (bearer?.sessionVersion !== user.sessionVersion) throw new AppError("not_authenticated");
  const application = user.application ?? firstApplication(bearer.applications);
  if (!application) throw new AppError("forbidden");

  const startedAt = kit.time.now();
  const session = {
    id: uuidv7(startedAt.getTime()),
    userId: user.id,
    sessionVersion: user.sessionVersion,
    tokenId: uuidv7(startedAt.getTime()),
    startedAt,
    confirmedAt: user.confirmedAt === undefined ? startedAt : user.confirmedAt,
    expiresAt: user.expiresAt ?? new Date(startedAt.getTime() + sessionHours * hourMs),
  };
  await insertSession(tx, session);
  return kit.tokens.sign(
    claimsOf(bearer, { kind: "user", sessionId: session.id, tokenId: session.tokenId, application }),
  );
}
