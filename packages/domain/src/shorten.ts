const sign = "...";

/**
 * Cuts a text after that many characters and appends '...'. It counts whole characters, so that no accent or emoji is
 * split.
 */
export function shorten(text: string, charactersMax: number): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  return characters.slice(0, charactersMax).join("").trimEnd() + sign;
}

/** Shortens a text in its middle, because people recognise a file by the start and the extension of its name. */
export function shortenMiddle(text: string, charactersMax: number): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  const kept = Math.max(charactersMax - sign.length, 2);
  const start = Math.ceil(kept / 2);
  return (
    characters.slice(0, start).join("") + sign + characters.slice(characters.length - (kept - start)).join("")
  );
}
