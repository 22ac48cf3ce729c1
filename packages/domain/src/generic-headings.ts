/** Headings of a sheet that name no content. */
import { foldText } from "./fold-text.ts";

/** `A`, `1`, `Coluna 3`, `Column2`, `Campo`, and a cell without a text. */
const generic = /^(coluna|column|col|campo|field)?[ _.-]*([a-z]|\d{1,3})?$/;

/**
 * Returns true when no heading describes its column: two such sheets may hold different data under the same headings,
 * so a person's assignment for one does not apply to the other.
 */
export const areGenericHeadings = (headings: readonly string[]): boolean =>
  headings.every((heading) => generic.test(foldText(heading)));
