/** The operator's own institution: payments leave from it, and transfers to it are internal. */

/** The name, which is neutral because people of every brand read it. */
export interface OwnInstitution {
  ispb: string;
  code: string;
  name: string;
}

/**
 * An invented institution for the sandbox. The public list assigns code 593 to another institution; in the sandbox it
 * is ours.
 */
export const inventedInstitution: OwnInstitution = {
  ispb: "99999593",
  code: "593",
  name: "Mesa Pagamentos IP",
};

let own = inventedInstitution;

/**
 * Returns the institution. Call it each time instead of storing it in a constant: a module may load before the
 * institution is set.
 */
export const ownInstitution = (): OwnInstitution => own;

/**
 * Sets the institution, once at the start of a process or of a page in the browser. An installation is one
 * institution, so rules that need it deep inside (TED or internal, whose account a receipt names) do not take it as a
 * parameter.
 */
export function nameOwnInstitution(institution: OwnInstitution): void {
  own = institution;
}
