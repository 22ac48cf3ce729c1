/** Parts of validations that other features show. Only for files that load when they are opened. */
export { type DraftAccount, useDraftValidations } from "./draft-accounts.ts";
export { lookOf, messagesOf } from "./validation-texts.ts";
