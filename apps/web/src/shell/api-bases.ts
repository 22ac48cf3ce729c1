import { type Base, bases } from "@malote/contracts/contract";

/** Where the server put the installation's own addresses: `payments=https://api.example/payments login=/entrada`. */
function movedBase(base: Base): string | undefined {
  const { apis = "" } = document.documentElement.dataset;
  const own = apis.split(" ").find((pair) => pair.startsWith(`${base}=`));
  return own?.slice(base.length + 1);
}

/** Where an API is called (SES-035): at the address the environment gives it, else at its path of this origin. */
export const baseOf = (base: Base): string => movedBase(base) ?? bases[base];
