/** Closes months and reads invoices in tests. */
import { listInvoices } from "@malote/contracts/billing";
import { closeMonths, listCompaniesToCharge } from "../billing/index.ts";
import type { Config } from "../platform/config.ts";
import { type PaymentsKit, paidFor, pix } from "./payments-kit.ts";

/** The sandbox's price in centavos. */
export const price = 49;

export const fails = "chave.pix15@exemplo.com.br";

export function billingCalls(kit: () => PaymentsKit) {
  /** Does one turn of the worker. */
  async function turn(config: Partial<Config> = {}): Promise<void> {
    const services = { ...kit().services, config: { ...kit().services.config, ...config } };
    for (const companyId of await listCompaniesToCharge(services)) await closeMonths(services, { companyId });
  }

  const history = async (by = kit().admin) => (await by.call(listInvoices)).body.data;

  const months = async () =>
    (await history()).map((one) => [one.billing_period_start, one.amount_of_transfers]);

  const at = async (instant: string) => {
    await kit().passUntil(instant);
    await turn();
  };

  /** Pays these transfers at an instant and returns the batch. */
  async function payAt(instant: string, transfers = [pix(1_00)]): Promise<string> {
    await kit().passUntil(instant);
    const id = await paidFor(kit(), transfers);
    await kit().drainJobs();
    await kit().pass({ seconds: 1 });
    return id;
  }

  return { turn, history, months, at, payAt };
}
