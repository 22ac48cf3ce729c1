/** Boletos sent for payment, for tests of their cancellation and refund. */
import { expect } from "vitest";
import { boletoDraft } from "./boletos.ts";
import { closing, type PaymentsKit } from "./payments-kit.ts";

export function paidBoletoCalls(kit: () => PaymentsKit) {
  async function paid(boletos: Parameters<typeof boletoDraft>[1], deposit = 1_000_00): Promise<string> {
    await kit().deposit(deposit);
    const { id } = await boletoDraft(kit().admin, boletos);
    const answer = await closing(kit().admin, id);
    expect(answer.body).toMatchObject({ is_batch_paid: true });
    return id;
  }

  const settle = async () => {
    await kit().pass({ seconds: 1 });
    await kit().pass({ seconds: 1 });
  };

  return { paid, settle };
}
