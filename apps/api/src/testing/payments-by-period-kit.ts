/** Payments of a period, over all batches. */
import { type Boleto, listAllBoletos } from "@malote/contracts/boletos";
import { type ListedTransfer, listAllTransfers } from "@malote/contracts/transfers";
import type { Person } from "./app.ts";
import type { PaymentsKit } from "./payments-kit.ts";

export const november = { initialDate: "2026-11-01", endDate: "2026-11-30" };

export function periodCalls(kit: () => PaymentsKit) {
  /** Lists the transfers by their value, which names each payment in these tests. */
  const transfers = async (query: object = {}, by: Person = kit().admin) => {
    const { status, body } = await by.call(listAllTransfers, { query: { ...november, page: "0", ...query } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return {
      values: body.data.map(({ value }) => value),
      total: body.metadata.pagination.totalItems,
      data: body.data as ListedTransfer[],
    };
  };

  const boletos = async (query: object = {}, by: Person = kit().admin) => {
    const { status, body } = await by.call(listAllBoletos, { query: { ...november, page: "0", ...query } });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return {
      values: body.data.map(({ value }) => value),
      total: body.metadata.pagination.totalItems,
      data: body.data as Boleto[],
    };
  };

  return { transfers, boletos };
}
