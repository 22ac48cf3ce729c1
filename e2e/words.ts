/** The language of all texts for people, spoken ones included: Brazilian Portuguese and nothing else. */
import { expect, type Page } from "@playwright/test";

/** Words an English text can hardly do without, and that Portuguese does not have; the letters of a code are none. */
const english = new RegExp(
  `(?<![\\p{L}\\p{N}@./_-])(${[
    "the and is are was were not your you with from this that these of to has have been be by or if when than then which",
    "please click here sign account amount approve back batch cancel close company date delete draft edit error failed file",
    "invalid loading missing must cannot should name new next none open paid payment payments pending previous receipt refund",
    "required save search send sent settings sheet value wait waiting warning wrong yes",
    "undefined null NaN true false object",
  ]
    .join(" ")
    .split(" ")
    .join("|")})(?![\\p{L}\\p{N}@/_-]|\\.\\p{L})`,
  "giu",
);

/** A title that a requirement has word by word, with the name of an e-mail's own field in it (SET-016). */
const titles = ["Encaminhar respostas (Reply to)"];

/** The words of a text that are English. */
export function englishWords(text: string): string[] {
  if (titles.includes(text.trim())) return [];
  return [...text.matchAll(english)].map(([word]) => word);
}

/** Fails with each text of the page, seen or read aloud, that has English in it. */
export async function expectPortuguese(page: Page): Promise<void> {
  const texts = await page.evaluate(() => [
    // biome-ignore lint/performance/useDomNodeTextContent: only what is shown, and each line of it apart.
    ...document.body.innerText.split("\n"),
    ...["aria-label", "title", "placeholder", "alt", "aria-description"].flatMap((name) =>
      [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name) ?? ""),
    ),
    document.title,
  ]);
  expect(
    texts.filter((text) => englishWords(text).length > 0),
    "texts with English in them",
  ).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.lang)).toBe("pt-BR");
}
