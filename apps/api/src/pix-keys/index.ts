/** What other features and the worker may ask of Pix keys. */
export { askAgain, askDirectory } from "./ask.ts";
export { answerLateClaims } from "./claim.ts";
export { sendPixKeyCode } from "./codes.ts";
export { hearDirectory } from "./hear.ts";
export { codeToPay } from "./present.ts";
export { companiesPayableBy, listPixKeys, type PixKeyRow, wakePixKeys } from "./store.ts";
