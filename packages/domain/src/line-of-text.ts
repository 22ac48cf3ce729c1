/**
 * Returns the stored form of a single-line text: trimmed, null when empty, without invisible characters, which could
 * reverse or split a name on the approver's screen, or hide that two names are equal.
 */
export const textOrNull = (text: string | null): string | null =>
  text
    ?.replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    // A NUL stays: no database stores it, so the call is refused.
    .replace(/(?!\0)[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .trim() || null;
