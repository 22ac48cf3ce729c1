/** The institution that whoever runs Malote is: what payments leave from, and what transfers to never leave the house. */

/** Its name stands under no brand's: people of every brand read it. */
export interface OwnInstitution {
  ispb: string;
  code: string;
  name: string;
}

/** Nobody's, for the sandbox. Code 593 is another institution's in the public list; in the sandbox it is ours. */
export const inventedInstitution: OwnInstitution = {
  ispb: "99999593",
  code: "593",
  name: "Mesa Pagamentos IP",
};

let own = inventedInstitution;

/** Asked each time and never kept in a constant: a module may be loaded before the installation has said who it is. */
export const ownInstitution = (): OwnInstitution => own;

/**
 * Said once by whatever starts: the process, a thread of it, the page in a browser. An installation is one institution, so the rules
 * that ask for it deep inside (TED or within the house, whose account a receipt names) are not handed it from call to call.
 */
export function nameOwnInstitution(institution: OwnInstitution): void {
  own = institution;
}
