/** The words a validation is asked and answered in. Apart from its rules, which bring every bank there is to whoever imports them. */
export const validationTypes = ["BASIC", "MICRO_DEPOSIT"] as const;
export type ValidationType = (typeof validationTypes)[number];

/** How the micro deposit went; none as long as it is on its way. */
export const microDepositStatuses = ["TRANSFERRED", "FAILED", "RETURNED"] as const;
export type MicroDepositStatus = (typeof microDepositStatuses)[number];
