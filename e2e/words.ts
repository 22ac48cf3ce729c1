/** Checks the language of all texts for people, spoken ones included: Brazilian Portuguese and nothing else. */
import { expect, type Page } from "@playwright/test";
import { englishWords } from "../scripts/steps/english-words.mjs";

/** Fails for each English text of the page, seen or read aloud. */
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
