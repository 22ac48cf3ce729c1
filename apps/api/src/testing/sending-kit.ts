/** Pays batches and delivers the network's answers. */
import { batch, type PaymentsKit, paidFor, statusesOf } from "./payments-kit.ts";

export function sendingCalls(kit: () => PaymentsKit) {
  const released = (transfers: Parameters<typeof paidFor>[1], balance?: number) =>
    paidFor(kit(), transfers, balance);

  const statuses = (id: string) => statusesOf(kit().admin, id);

  const transfersOf = async (id: string) => (await batch(kit().admin, id)).transfers;

  return { released, statuses, transfersOf };
}
