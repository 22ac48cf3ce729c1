/** Pays batches and delivers the network's answers. */
import { batch, fetchStatuses, type PaymentsKit, paidFor } from "./payments-kit.ts";

export function sendingCalls(kit: () => PaymentsKit) {
  const released = (transfers: Parameters<typeof paidFor>[1], balance?: number) =>
    paidFor(kit(), transfers, balance);

  const statuses = (id: string) => fetchStatuses(kit().admin, id);

  const fetchTransfers = async (id: string) => (await batch(kit().admin, id)).transfers;

  return { released, statuses, fetchTransfers };
}
