/**
 * The vocabulary of validations. Separate from their rules, which would add the list of all banks to each importer's
 * bundle.
 */
export const validationTypes = ["BASIC", "MICRO_DEPOSIT"] as const;
export type ValidationType = (typeof validationTypes)[number];

/** How the micro deposit went; none as long as it is on its way. */
export const microDepositStatuses = ["TRANSFERRED", "FAILED", "RETURNED"] as const;
export type MicroDepositStatus = (typeof microDepositStatuses)[number];
