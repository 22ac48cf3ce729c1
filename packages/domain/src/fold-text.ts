const accents = /[\u0300-\u036f]/g;
const blanks = /\s+/g;

/** `Itaú` becomes `Itau`. */
export function removeAccents(text: string): string {
  return text.normalize("NFD").replace(accents, "");
}

/** The form in which two texts are compared: lower case, no accents, single spaces. */
export function foldText(text: string): string {
  return removeAccents(text).toLowerCase().replace(blanks, " ").trim();
}
