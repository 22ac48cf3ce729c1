/**
 * Vocabulary of validations, separate from their rules, which would add the list of all banks to each importer's
 * bundle.
 */
export const validationTypes = ["BASIC", "MICRO_DEPOSIT"] as const;
export type ValidationType = (typeof validationTypes)[number];

/** Outcome of the micro deposit; none while it is under way. */
export const microDepositStatuses = ["TRANSFERRED", "FAILED", "RETURNED"] as const;
export type MicroDepositStatus = (typeof microDepositStatuses)[number];
