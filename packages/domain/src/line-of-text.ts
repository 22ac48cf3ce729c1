/**
 * Returns the stored form of a single-line text: trimmed, null when empty, without characters that no one sees. They
 * reverse or split a name on the screen of who approves, and hide that two names are the same.
 */
export const textOrNull = (text: string | null): string | null =>
  text
    ?.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    // A NUL stays: no database holds it, and the call is refused.
    .replace(/(?!\0)[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .trim() || null;
