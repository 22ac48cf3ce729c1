/** The status of a charge: it can be paid, was paid, or its payee took it back. */
export const pixChargeStatuses = ["ACTIVE", "PAID", "REMOVED"] as const;
export type PixChargeStatus = (typeof pixChargeStatuses)[number];
