import { type Base, bases } from "@malote/contracts/contract";

/** Addresses that the server put into the page: `payments=https://api.example/payments login=/entrada`. */
function movedBase(base: Base): string | undefined {
  const { apis = "" } = document.documentElement.dataset;
  const own = apis.split(" ").find((pair) => pair.startsWith(`${base}=`));
  return own?.slice(base.length + 1);
}

/** Address of an API (SES-035): the one of the environment, else its path on this origin. */
export const baseOf = (base: Base): string => movedBase(base) ?? bases[base];
