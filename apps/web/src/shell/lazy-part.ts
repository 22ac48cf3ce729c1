import { type ComponentType, lazy } from "react";
import { loadPart } from "./load-part.ts";

/** React's `lazy` with a timeout, for everything that opens above a page: a dialog, a menu, a form. */
// biome-ignore lint/suspicious/noExplicitAny: a component of any properties, as React's own type says
export const lazyPart = <C extends ComponentType<any>>(load: () => Promise<{ default: C }>) =>
  lazy(() => loadPart(load));
