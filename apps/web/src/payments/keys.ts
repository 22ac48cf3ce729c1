import { type QueryKey, useQueryClient } from "@tanstack/react-query";

/** Query keys of payments of every kind, so that a change of a batch invalidates them at once. */
export const paymentKeys = {
  ofBatch: (batchId: string) => ["payments", "of-batch", batchId] as const,
  page: (batchId: string, filters: object, page: number): QueryKey =>
    [...paymentKeys.ofBatch(batchId), "page", filters, page] as const,
  failed: (batchId: string): QueryKey => [...paymentKeys.ofBatch(batchId), "failed"] as const,
  /** Payments over all batches. */
  ofAll: ["payments", "of-all"] as const,
  list: (kind: "TRANSFER" | "BILLET", filters: object, page: number): QueryKey =>
    [...paymentKeys.ofAll, kind, "page", filters, page] as const,
  withReceipts: (kind: "TRANSFER" | "BILLET", filters: object): QueryKey =>
    [...paymentKeys.ofAll, kind, "receipts", filters] as const,
  blankslate: (kind: "TRANSFER" | "BILLET"): QueryKey => [...paymentKeys.ofAll, kind, "blankslate"] as const,
  anyOne: ["payments", "one"] as const,
  one: (id: string) => [...paymentKeys.anyOne, id] as const,
};

/** A change of one payment changes its batch's figures too. */
export function useRefreshPayments(batchId: string) {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([
      queryClient.invalidateQueries({ queryKey: paymentKeys.ofBatch(batchId) }),
      queryClient.invalidateQueries({ queryKey: paymentKeys.anyOne }),
      queryClient.invalidateQueries({ queryKey: paymentKeys.ofAll }),
      queryClient.invalidateQueries({ queryKey: ["batches"] }),
    ]);
}
