import { nameOwnInstitution } from "@malote/domain/own-institution";

/** Institution of this installation, as the server put it into the page: `99999593 593 Mesa Pagamentos IP`. */
export function readInstitution(): void {
  const { institution = "" } = document.documentElement.dataset;
  const [, ispb, code, name] = /^(\d{8}) (\d{3}) (.+)$/.exec(institution) ?? [];
  // The development server of the screens puts none there.
  if (ispb && code && name) nameOwnInstitution({ ispb, code, name });
}
