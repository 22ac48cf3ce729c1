const accents = /[\u0300-\u036f]/g;
const blanks = /\s+/g;

/** Returns the text without accents: `Itaú` becomes `Itau`. */
export function removeAccents(text: string): string {
  return text.normalize("NFD").replace(accents, "");
}

/** Returns the form for comparing texts: lower case, no accents, single spaces. */
export function foldText(text: string): string {
  return removeAccents(text).toLowerCase().replace(blanks, " ").trim();
}
