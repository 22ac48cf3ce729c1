/** The status of a charge: it can be paid, was paid, or its payee cancelled it. */
export const pixChargeStatuses = ["ACTIVE", "PAID", "REMOVED"] as const;
export type PixChargeStatus = (typeof pixChargeStatuses)[number];
