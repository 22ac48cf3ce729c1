import { foldText } from "./fold-text.ts";

/** Returns a name as one line with single spaces, the form that entries, pasted texts and sheets agree on. */
export function normalisePersonName(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]/gu, " ")
    .trim()
    .replace(/\s+/g, " ");
}

/** Returns whether a name has at least two words (ACC-006). */
export function isFullName(text: string): boolean {
  return normalisePersonName(text).split(" ").length >= 2;
}

const smallWords = /\b(ltda|me|mei|epp|eireli|s\/?a|cia|de|da|do|das|dos|e)\b/g;
const wordsOf = (name: string): string[] =>
  foldText(name)
    .replace(smallWords, " ")
    .match(/[a-z0-9]+/g) ?? [];

/** Returns whether two names may belong to one person or company: every word of the shorter is in the longer. */
export function isLikeName(one: string, other: string): boolean {
  const [short = [], long = []] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length);
  return short.length > 0 && short.every((word) => long.includes(word));
}
