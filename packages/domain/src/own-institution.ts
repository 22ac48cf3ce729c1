/** The operator's own institution: payments leave from it, and transfers to it are internal. */

/** Its name is shown under no brand's name: people of every brand read it. */
export interface OwnInstitution {
  ispb: string;
  code: string;
  name: string;
}

/**
 * An invented one, for the sandbox. Code 593 is another institution's in the public list; in the sandbox it is ours.
 */
export const inventedInstitution: OwnInstitution = {
  ispb: "99999593",
  code: "593",
  name: "Mesa Pagamentos IP",
};

let own = inventedInstitution;

/** Read each time and never kept in a constant: a module may be loaded before the institution is set. */
export const ownInstitution = (): OwnInstitution => own;

/**
 * Set once at the start of a process, of a worker thread, or of a page in the browser. An installation is one
 * institution, so the rules that need it deep inside (TED or internal, whose account a receipt names) do not get it
 * as a parameter.
 */
export function nameOwnInstitution(institution: OwnInstitution): void {
  own = institution;
}
