/** What other features show of keys. Only for files that load when they are opened. */
import { lazy } from "react";

export { AccountChoice } from "./account-choice.tsx";
export { KeyChoice } from "./key-choice.tsx";
export { KeyPill } from "./key-pill.tsx";
export { keyText } from "./key-text.ts";

export const PixKeyDialog = lazy(() => import("./pix-key-dialog.tsx"));
