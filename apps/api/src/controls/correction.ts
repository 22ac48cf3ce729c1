/** Failed payments of a batch that are resent. */
export interface Correction {
  batchId: string;
  payments: readonly CorrectedPayment[];
}

export interface CorrectedPayment {
  id: string;
  value: number;
  /** Id of the receiver, from `receiver_id`. */
  payee: string;
  /** True when the key, account, tax id or code differs from that of the failed payment. */
  redirects: boolean;
}
