/**
 * Returns the stored form of a single-line text: trimmed, null when empty, without characters that show nothing or that
 * no font knows (private use, noncharacters), which could reverse or split a name on the approver's screen, or hide that
 * two names are equal.
 */
export const textOrNull = (text: string | null): string | null =>
  text
    ?.replace(/[\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/gu, "")
    // A NUL stays: no database stores it, so the call is refused.
    .replace(/(?!\0)[\p{Cc}\p{Zl}\p{Zp}]/gu, " ")
    .trim() || null;
