/** What the screen of a batch shows of its sheet; it arrives with the batch. */

import { lazyPart } from "../shell/lazy-part.ts";
export const SheetNotes = lazyPart(() => import("./sheet-notes.tsx"));
