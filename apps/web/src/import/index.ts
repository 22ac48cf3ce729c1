/** Notes about the sheet for the batch's screen, loaded with the batch. */

import { lazyPart } from "../shell/lazy-part.ts";
export const SheetNotes = lazyPart(() => import("./sheet-notes.tsx"));
