/** Detection of English in texts for people, which are Brazilian Portuguese only (SES-001). */

/** Words that nearly every English text has and Portuguese does not; a code has none. */
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

/** A title that a requirement fixes word for word contains an English field name of an e-mail (SET-016). */
const titles = ["Encaminhar respostas (Reply to)"];

/**
 * @param {string} text
 * @returns {string[]} its words that are English
 */
export function englishWords(text) {
  if (titles.includes(text.trim())) return [];
  return [...text.matchAll(english)].map(([word]) => word);
}
