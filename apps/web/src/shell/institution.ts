import { nameOwnInstitution } from "@malote/domain/own-institution";

/** Which institution this installation is, where the server put it: `99999593 593 Mesa Pagamentos IP`. */
export function readInstitution(): void {
  const { institution = "" } = document.documentElement.dataset;
  const [, ispb, code, name] = /^(\d{8}) (\d{3}) (.+)$/.exec(institution) ?? [];
  // The development server of the screens puts none there.
  if (ispb && code && name) nameOwnInstitution({ ispb, code, name });
}
