/** Status of a charge: payable, paid, or cancelled by its payee. */
export const pixChargeStatuses = ["ACTIVE", "PAID", "REMOVED"] as const;
export type PixChargeStatus = (typeof pixChargeStatuses)[number];
