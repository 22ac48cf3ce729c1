/**
 * Bounds wrong tries (decision 0028). A try counts before it is checked and is forgiven when it was right, so that
 * many at once cannot all pass the limit. An unknown account is counted like any other, so the answer does not reveal
 * which accounts exist. Each kind of try is counted by itself, and known places have an allowance of their own:
 * strangers use up only the strangers' allowance, and lock out neither a person nor an office.
 */
import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { dayMs } from "@malote/domain/durations";
import { sql } from "kysely";
import { AppError } from "../platform/app-error.ts";
import type { AnyTx, Database } from "../platform/db/database.ts";
import { lockTries } from "../platform/db/locks.ts";
import { uuidv7 } from "../platform/uuid.ts";

const windowMinutes = 15;
const dayMinutes = 24 * 60;
/** How long a place counts as known after a sign-in there. */
const knownDays = 90;

interface Bounds {
  /** Wrong tries at one name, from wherever they come. */
  account?: number;
  /** And within a day. */
  accountDay?: number;
  /** Wrong tries from one network. An office shares one, so it gets more. */
  address?: number;
  /** Where the person signed in before: so many wrong tries at their name from that place, whatever others do. */
  knownPlace?: number;
  /** At the account from all its known places together: each sign-in from a new browser makes one more of them. */
  knownPlaces?: number;
  /** And within a day. */
  knownPlacesDay?: number;
}

/**
 * What is tried. What a signed-in person proves about themselves is out of strangers' reach: of a password only their session
 * counts, of a code the person.
 */
const tryBounds = {
  person: { account: 10, address: 100, knownPlace: 10, knownPlaces: 30 },
  /** A code has a million values and three of them are good: ten each quarter of an hour, every day, would find one within months. */
  code: { account: 10, accountDay: 100, address: 100, knownPlace: 10, knownPlaces: 30, knownPlacesDay: 100 },
  machine: { account: 10, address: 100, knownPlace: 10 },
  "own-account": { account: 10 },
  "factor-code": { account: 10, accountDay: 100 },
  "password-link": { address: 100 },
  /** Look-ups of keys, codes and boletos by one person or credential; never forgiven. */
  "look-up": { account: 100 },
  /** Asked by the person from where they signed in before, whatever strangers ask in their name. */
  "forgot-password": { account: 10, address: 30, knownPlace: 10 },
  "checkout-token": { address: 100 },
  /** One link and one network: those of other payers do not count. */
  "checkout-charge": { account: 10, address: 100 },
  /** Refused cards: of one payer, and of all who try cards on the link. */
  "checkout-card": { account: 5 },
  "checkout-cards": { account: 30 },
} as const satisfies Record<string, Bounds>;
export type TryKind = keyof typeof tryBounds;

export interface Try {
  id: string;
  subjects: string[];
  at: Date;
}

/** Counted by session: a stolen token uses up its own allowance, and not the person's elsewhere. */
export const ownAccountOf = ({ id, sessionId }: { id: string; sessionId?: string | undefined }): string =>
  `${id} ${sessionId ?? ""}`;

/** The place of a caller: their network, and the browser by the name it was given at an earlier sign-in. */
export interface Place {
  address: string;
  device?: string | undefined;
}

/** A hash without a name: the list of failures must not reveal who our customers are. */
const subjectOf = (kind: string, name: string) =>
  createHash("sha256").update(`${kind} ${name}`).digest("base64url");

/** One IPv6 subscriber has 2^64 addresses. */
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

/** The browser first: people of one office share a network. */
const placesOf = (account: string, { address, device }: Place): string[] => [
  ...(device ? [subjectOf("device", `${account} ${device}`)] : []),
  subjectOf("place", `${account} ${networkOf(address)}`),
];

async function knownPlace(tx: AnyTx, places: readonly string[], now: Date): Promise<string | undefined> {
  const since = new Date(now.getTime() - knownDays * dayMs);
  const { rows } = await sql<{ subject: string }>`
    SELECT subject FROM sign_in_places WHERE subject = ANY(${[...places]}) AND seen_at > ${since}
  `.execute(tx);
  return places.find((place) => rows.some(({ subject }) => subject === place));
}

interface CountedBy {
  subject: string;
  max: number;
  minutes: typeof windowMinutes | typeof dayMinutes;
}

const before = (now: Date, minutes: number) => new Date(now.getTime() - minutes * 60_000);

async function readBounds(
  tx: AnyTx,
  account: string,
  place: Place,
  now: Date,
  kind: TryKind,
): Promise<CountedBy[]> {
  const bounds: Bounds = tryBounds[kind];
  const known =
    bounds.knownPlace === undefined ? undefined : await knownPlace(tx, placesOf(account, place), now);
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

/** Two calls lock the same subjects in the same order. */
const inOrder = (bounds: CountedBy[]): CountedBy[] => bounds.sort((a, b) => (a.subject < b.subject ? -1 : 1));

/** Refuses when the account, the address or the place used up its tries: `too_many_tries`, or of a day `too_many_codes_today`. */
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
    await sql`
      DELETE FROM sign_in_failures WHERE (window_minutes = ${windowMinutes} AND failed_at <= ${before(now, windowMinutes)})
        OR (window_minutes = ${dayMinutes} AND failed_at <= ${before(now, dayMinutes)})
    `.execute(tx);
    for (const { subject, max, minutes } of bounds) {
      await lockTries(tx, subject);
      // The try whose end makes room for the next one, when there is no room now.
      const { rows } = await sql<{ failed_at: Date }>`
        SELECT failed_at FROM sign_in_failures WHERE subject = ${subject} AND failed_at > ${before(now, minutes)}
        ORDER BY failed_at DESC OFFSET ${max - 1} LIMIT 1
      `.execute(tx);
      const inTheWay = rows[0]?.failed_at;
      if (inTheWay) {
        const left = Math.max(1, Math.ceil((inTheWay.getTime() - before(now, minutes).getTime()) / 60_000));
        if (minutes === dayMinutes)
          throw new AppError("too_many_codes_today", { minutes: left, hours: Math.ceil(left / 60) });
        throw new AppError("too_many_tries", { minutes: left });
      }
      await sql`
        INSERT INTO sign_in_failures (subject, failed_at, id, window_minutes)
        VALUES (${subject}, ${now}, ${begun.id}, ${minutes})
      `.execute(tx);
    }
    return begun;
  });
}

/** The try was right: it does not count. */
export async function forgiveTry(tx: AnyTx, { id, subjects, at }: Try): Promise<void> {
  await sql`SELECT forgive_try(${id}, ${subjects}, ${at})`.execute(tx);
}

/** Remembers the place of a successful sign-in as known. */
export async function rememberPlace(tx: AnyTx, account: string, place: Place, now: Date): Promise<void> {
  await sql`SELECT remember_places(${placesOf(account, place)}, ${now})`.execute(tx);
}

/** A check that could not be made, because too many others were waiting, was no wrong try. */
export async function checkWithin<T>(db: Database, attempt: Try, check: Promise<T>): Promise<T> {
  try {
    return await check;
  } catch (error) {
    await db.withSystem((tx) => forgiveTry(tx, attempt));
    throw error;
  }
}
