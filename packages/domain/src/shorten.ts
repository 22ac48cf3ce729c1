const sign = "...";

/** Cuts after so many characters and says so with '...'. Whole characters, so that no accent or emoji is split. */
export function shorten(text: string, charactersMax: number): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  return characters.slice(0, charactersMax).join("").trimEnd() + sign;
}

/** Keeps both ends within the length, because a file's name is known by its start and its extension. */
export function shortenMiddle(text: string, charactersMax: number): string {
  const characters = [...text];
  if (characters.length <= charactersMax) return text;
  const kept = Math.max(charactersMax - sign.length, 2);
  const start = Math.ceil(kept / 2);
  return (
    characters.slice(0, start).join("") + sign + characters.slice(characters.length - (kept - start)).join("")
  );
}
