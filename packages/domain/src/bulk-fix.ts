/** Fields that one answer may correct for many payments. */

/** Fields of a payment, by their wire names, where one answer can fit every receiver. */
export const sharedFields = {
  TRANSFER: new Set(["account_type", "pix_key_type", "payment_date", "pix_description"]),
  BILLET: new Set(["payment_date", "description"]),
} as const satisfies Record<string, ReadonlySet<string>>;

/**
 * Returns whether one answer can fit payments to different receivers. An account, a bank, a document, a key, a code or
 * an amount belongs to one receiver: entered once for all, it would pay several people into one account.
 */
export const isSharedField = (field: string, type: keyof typeof sharedFields): boolean =>
  (sharedFields[type] as ReadonlySet<string>).has(field);
