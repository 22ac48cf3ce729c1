/**
 * Limits failed tries (decision 0028). A try counts before its check and is forgiven if it was right, so that
 * concurrent tries cannot all pass the limit. Unknown accounts count like known ones, so the answer does not reveal
 * which accounts exist. Each kind of try counts separately, and known places have their own allowance: strangers use up
 * only the strangers' allowance, and lock out neither a user nor an office.
 */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { ErrorCode } from "@malote/contracts/errors";
import { dayMs, minuteMs } from "@malote/domain/durations";
import { AppError } from "../platform/app-error.ts";
import { realTime } from "../platform/auth/real-time.ts";
import type { AnyTx, Database } from "../platform/db/database.ts";
import { lockHash } from "../platform/db/locks.ts";
import type { Services } from "../platform/services.ts";
import { uuidv7 } from "../platform/uuid.ts";
import {
  findNthFailure,
  insertFailure,
  listSeen,
  markSeen,
  removeFailure,
  removeOldFailures,
} from "./throttle-store.ts";

const windowMinutes = 15;
const dayMinutes = 24 * 60;
/** Days for which a place counts as known after a sign-in. */
const knownDays = 90;

interface Bounds {
  /** Limit per name, from all places. */
  account?: number;
  /** Limit per name and day. */
  accountDay?: number;
  /** Limit per network. An office shares one network, so this limit is higher. */
  address?: number;
  /** Limit per name from a place where the user signed in before, independent of other places. */
  knownPlace?: number;
  /** Limit per account from all its known places together, because each sign-in from a new browser adds a place. */
  knownPlaces?: number;
  /** The same limit per day. */
  knownPlacesDay?: number;
}

/**
 * Limits by kind of try. Tries of signed-in users count per session (password) or per user (code), so that strangers
 * cannot use them up.
 */
const tryBounds = {
  person: { account: 10, address: 100, knownPlace: 10, knownPlaces: 30 },
  /**
   * Three of a million codes are valid at a time: ten tries every quarter of an hour, every day, would guess one within
   * months.
   */
  code: { account: 10, accountDay: 100, address: 100, knownPlace: 10, knownPlaces: 30, knownPlacesDay: 100 },
  machine: { account: 10, address: 100, knownPlace: 10 },
  "own-account": { account: 10 },
  "factor-code": { account: 10, accountDay: 100 },
  "password-link": { address: 100 },
  /** Look-ups of keys, codes and boletos by one user or credential; they always count. */
  "look-up": { account: 100 },
  /** Requests from a known place of the user have their own limit, independent of strangers' requests. */
  "forgot-password": { account: 10, address: 30, knownPlace: 10 },
  "checkout-token": { address: 100 },
  /** Limit per link and network, so that other payers' tries do not count. */
  "checkout-charge": { account: 10, address: 100 },
  /** Refused cards: of one payer, and of all payers of the link. */
  "checkout-card": { account: 5 },
  "checkout-cards": { account: 30 },
} as const satisfies Record<string, Bounds>;
export type TryKind = keyof typeof tryBounds;

export interface Try {
  id: string;
  subjects: string[];
  at: Date;
}

/** Returns the subject per session: a stolen token uses up its own allowance, not the user's in other sessions. */
export const ownAccountOf = ({ id, sessionId }: { id: string; sessionId?: string | undefined }): string =>
  `${id} ${sessionId ?? ""}`;

/** Place of a caller: the network, and the browser by the name it got at an earlier sign-in. */
export interface Place {
  address: string;
  device?: string | undefined;
}

/** Hashes a subject without storing the name, because the list of failures must not reveal who our customers are. */
const subjectOf = (kind: string, name: string) =>
  createHash("sha256").update(`${kind} ${name}`).digest("base64url");

/** Returns the network of an address: one IPv6 subscriber has 2^64 addresses. */
export function networkOf(address: string): string {
  const ofFour = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ofFour) return ofFour;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%")[0] ?? "").split("::");
  const first = head.split(":").filter(Boolean);
  const last = tail?.split(":").filter(Boolean) ?? [];
  const groups = [...first, ...Array<string>(Math.max(0, 8 - first.length - last.length)).fill("0"), ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Returns the places of a caller, the browser first, because people in an office share a network. */
const placesOf = (account: string, { address, device }: Place): string[] => [
  ...(device ? [subjectOf("device", `${account} ${device}`)] : []),
  subjectOf("place", `${account} ${networkOf(address)}`),
];

async function findKnownPlace(tx: AnyTx, places: readonly string[], now: Date): Promise<string | undefined> {
  const since = new Date(now.getTime() - knownDays * dayMs);
  const seen = await listSeen(tx, places, since);
  return places.find((place) => seen.includes(place));
}

interface CountedBy {
  subject: string;
  max: number;
  minutes: typeof windowMinutes | typeof dayMinutes;
}

const before = (now: Date, minutes: number) => new Date(now.getTime() - minutes * minuteMs);

async function readBounds(
  tx: AnyTx,
  account: string,
  place: Place,
  now: Date,
  kind: TryKind,
): Promise<CountedBy[]> {
  const bounds: Bounds = tryBounds[kind];
  const known =
    bounds.knownPlace === undefined ? undefined : await findKnownPlace(tx, placesOf(account, place), now);
  const counted = (subject: string, max: number | undefined, minutes: CountedBy["minutes"]): CountedBy[] =>
    max === undefined ? [] : [{ subject, max, minutes }];
  if (known !== undefined)
    return inOrder([
      ...counted(subjectOf(`${kind} at`, known), bounds.knownPlace, windowMinutes),
      ...counted(subjectOf(`${kind} known`, account), bounds.knownPlaces, windowMinutes),
      ...counted(subjectOf(`${kind} known day`, account), bounds.knownPlacesDay, dayMinutes),
    ]);
  return inOrder([
    ...counted(subjectOf(`${kind} account`, account), bounds.account, windowMinutes),
    ...counted(subjectOf(`${kind} day`, account), bounds.accountDay, dayMinutes),
    ...counted(subjectOf(`${kind} address`, networkOf(place.address)), bounds.address, windowMinutes),
  ]);
}

/** Sorts subjects, so that concurrent calls lock them in the same order. */
const inOrder = (bounds: CountedBy[]): CountedBy[] => bounds.sort((a, b) => (a.subject < b.subject ? -1 : 1));

/**
 * Begins a try. Refuses when the account, address or place has used up its tries: `too_many_tries`, or
 * `too_many_codes_today` for the daily limit.
 */
export async function beginTry(
  db: Pick<Database, "withSystem">,
  account: string,
  from: string | Place,
  now: Date,
  kind: TryKind = "person",
): Promise<Try> {
  const place = typeof from === "string" ? { address: from } : from;
  return db.withSystem(async (tx) => {
    const bounds = await readBounds(tx, account, place, now, kind);
    const begun: Try = { id: uuidv7(now.getTime()), subjects: bounds.map(({ subject }) => subject), at: now };
    await removeOldFailures(tx, [
      { minutes: windowMinutes, before: before(now, windowMinutes) },
      { minutes: dayMinutes, before: before(now, dayMinutes) },
    ]);
    for (const { subject, max, minutes } of bounds) {
      await lockHash(tx, subject);
      // Time of the failed try whose expiry permits the next one, when the limit is reached.
      const blockingFailure = await findNthFailure(tx, subject, before(now, minutes), max);
      if (blockingFailure) {
        const left = Math.max(
          1,
          Math.ceil((blockingFailure.getTime() - before(now, minutes).getTime()) / minuteMs),
        );
        if (minutes === dayMinutes)
          throw new AppError("too_many_codes_today", { minutes: left, hours: Math.ceil(left / 60) });
        throw new AppError("too_many_tries", { minutes: left });
      }
      await insertFailure(tx, { subject, at: now, id: begun.id, minutes });
    }
    return begun;
  });
}

/** Removes a try that was right from the count. */
export async function forgiveTry(tx: AnyTx, { id, subjects, at }: Try): Promise<void> {
  await removeFailure(tx, { id, subjects, at });
}

/** Stores the place of a successful sign-in as known. */
export async function rememberPlace(tx: AnyTx, account: string, place: Place, now: Date): Promise<void> {
  await markSeen(tx, placesOf(account, place), now);
}

/**
 * Awaits a check and forgives its try when the check itself failed, for example because too many others were waiting.
 */
export async function checkWithin<T>(db: Database, attempt: Try, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    await db.withSystem((tx) => forgiveTry(tx, attempt));
    throw error;
  }
}

/** Counts one use of what each user or credential may do so many times; throws `refusal` above the limit. */
export async function countUse(
  { db, clock }: Pick<Services, "db" | "clock">,
  { actor, request }: { actor: { id: string }; request: { ip: string } },
  kind: TryKind,
  refusal: ErrorCode,
): Promise<void> {
  try {
    await beginTry(db, actor.id, request.ip, realTime(clock).now(), kind);
  } catch (error) {
    if (error instanceof AppError && error.code === "too_many_tries") throw new AppError(refusal, error.data);
    throw error;
  }
}
