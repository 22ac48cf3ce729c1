import { readSession } from "./session.ts";

/**
 * Stores text that survives a reload and an expired session, in this tab alone. It is bound to its person, so another
 * person who signs in next in the same tab never sees it.
 */
interface Kept<Value> {
  owner: string;
  value: Value;
}

const ownerNow = () => {
  const session = readSession();
  return session ? `${session.sub} ${session.company.id}` : "";
};

export function keep<Value>(key: string, value: Value): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ owner: ownerNow(), value } satisfies Kept<Value>));
  } catch {
    // A full or forbidden storage loses only this convenience.
  }
}

export function readKept<Value>(key: string): Value | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as Kept<Value> | null;
    return kept && kept.owner === ownerNow() ? kept.value : undefined;
  } catch {
    return undefined;
  }
}

export const forgetKept = (key: string): void => sessionStorage.removeItem(key);

/** True when anything is stored under a key with this prefix. */
export const isAnyKept = (start: string): boolean =>
  Object.keys(sessionStorage).some((key) => key.startsWith(start));
