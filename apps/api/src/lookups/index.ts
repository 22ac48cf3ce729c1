/** What other features may ask about whom payments go to. */
export { askAboutBillets, registerOf, registerOnWire } from "./ask-billets.ts";
export { noCharges, type ReadCharges, readCharges } from "./ask-codes.ts";
export { askForDraft } from "./ask-for-draft.ts";
export { knownHolder } from "./ask-keys.ts";
export { lookupFindings } from "./findings.ts";
export { type BilletLookup, billetLookups, giveTokensBack } from "./store.ts";
