/** Failed payments of a batch that are sent again. */
export interface Correction {
  batchId: string;
  payments: readonly CorrectedPayment[];
}

export interface CorrectedPayment {
  id: string;
  value: number;
  /** Who gets it, as `receiver_id` distinguishes receivers. */
  payee: string;
  /** To another key, account, document or code than the one it failed for. */
  redirects: boolean;
}
