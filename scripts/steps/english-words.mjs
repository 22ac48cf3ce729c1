/** The eye for English in texts for people, which are Brazilian Portuguese and nothing else (SES-001). */

/** Words an English text can hardly do without, and that Portuguese does not have; a code has none. */
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

/**
 * @param {string} text
 * @returns {string[]} its words that are English
 */
export function englishWords(text) {
  if (titles.includes(text.trim())) return [];
  return [...text.matchAll(english)].map(([word]) => word);
}
