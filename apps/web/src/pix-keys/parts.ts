import { lazyPart } from "../shell/lazy-part.ts";

/** What other features show of keys. Only for files that load when they are opened. */

export { AccountChoice } from "./account-choice.tsx";
export { KeyChoice } from "./key-choice.tsx";
export { KeyPill } from "./key-pill.tsx";
export { keyText } from "./key-text.ts";

export const PixKeyDialog = lazyPart(() => import("./pix-key-dialog.tsx"));
