/** Position in the list, as an opaque text that the caller sends back unchanged. */

export interface Cursor {
  direction: "older" | "newer";
  at: string;
  id: string;
}

export const writeCursor = (
  direction: Cursor["direction"],
  { created_at, id }: { created_at: Date; id: string },
): string => Buffer.from(`${direction} ${created_at.toISOString()} ${id}`).toString("base64url");

const written =
  /^(older|newer) (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Parses a cursor; returns undefined for a text that no answer contained. */
export function readCursor(text: string): Cursor | undefined {
  const parts = written.exec(Buffer.from(text, "base64url").toString("latin1"));
  const [, direction, at, id] = parts ?? [];
  if (!direction || !at || !id || Number.isNaN(Date.parse(at))) return undefined;
  return { direction: direction as Cursor["direction"], at, id };
}
