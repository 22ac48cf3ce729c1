import { lazyPart } from "../shell/lazy-part.ts";

/** Parts of keys that other features show. Only for files that load when they are opened. */

export { AccountChoice } from "./account-choice.tsx";
export { KeyChoice } from "./key-choice.tsx";
export { KeyPill } from "./key-pill.tsx";
export { keyText } from "./key-text.ts";

export const PixKeyDialog = lazyPart(() => import("./pix-key-dialog.tsx"));
