import type { Command } from "./feature.ts";

/** `importac` finds `importação`, in any case and with any accents. */
export function plainText(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Every typed word must match; lines that start with the text come first. */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const wanted = plainText(text.trim());
  if (!wanted) return [...commands];
  const words = wanted.split(/\s+/);
  const matching = commands.filter(({ label, words: more = "" }) => {
    const haystack = plainText(`${label} ${more}`);
    return words.every((word) => haystack.includes(word));
  });
  const startsFirst = (command: Command) => (plainText(command.label).startsWith(wanted) ? 0 : 1);
  return matching.sort((a, b) => startsFirst(a) - startsFirst(b));
}
