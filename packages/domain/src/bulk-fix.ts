/** Which fields one answer may correct for many payments. */

/** Fields of a payment, by their wire names, in which one answer can be right for every receiver. */
export const sharedFields = {
  TRANSFER: new Set(["account_type", "pix_key_type", "payment_date", "pix_description"]),
  BILLET: new Set(["payment_date", "description"]),
} as const satisfies Record<string, ReadonlySet<string>>;

/**
 * Whether one answer can be right for payments to different receivers. An account, a bank, a document, a key, a code or an
 * amount belongs to one of them: typed once for all, it would pay several people into one account.
 */
export const isSharedField = (field: string, type: keyof typeof sharedFields): boolean =>
  (sharedFields[type] as ReadonlySet<string>).has(field);
