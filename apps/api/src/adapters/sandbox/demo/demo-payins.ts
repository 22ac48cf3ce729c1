/** Charges that ended unpaid before the demonstration began; they show history without moving money. */
import { hourMs } from "@malote/domain/durations";
import { cents } from "@malote/domain/money";
import { insertPayin, type NewPayin } from "../../../payins/store.ts";
import type { Tx } from "../../../platform/db/database.ts";
import { uuidv7 } from "../../../platform/uuid.ts";

const ended: readonly (Pick<NewPayin, "status" | "payment_type" | "details"> & {
  hoursAgo: number;
  amount: number;
  payer: readonly [name: string, taxId: string];
})[] = [
  {
    status: "unauthorized",
    payment_type: "credit_card",
    details: { installments: 3, rejection_reason: "payer_limit_exceeded" },
    hoursAgo: 2,
    amount: 1_290_00,
    payer: ["Otávio Brandão Reis", "11144477735"],
  },
  {
    status: "expired",
    payment_type: "pix_dynamic_qrcode",
    details: { description: "Pedido 1048" },
    hoursAgo: 30,
    amount: 349_90,
    payer: ["Livraria Ponto e Vírgula Ltda", "11222333000181"],
  },
  {
    status: "canceled_by_user",
    payment_type: "boleto",
    details: { description: "Mensalidade" },
    hoursAgo: 50,
    amount: 820_00,
    payer: ["Clínica Vila Serena Ltda", "11222333000181"],
  },
];

export async function addPayins(tx: Tx, now: Date): Promise<void> {
  for (const { hoursAgo, amount, payer, ...payin } of ended) {
    const createdAt = new Date(now.getTime() - hoursAgo * hourMs);
    const id = uuidv7(createdAt.getTime());
    await insertPayin(tx, {
      ...payin,
      id,
      charge_id: id,
      amount: cents(amount),
      original_amount: cents(amount),
      payer_name: payer[0],
      payer_tax_id: payer[1],
      charged_at: createdAt,
      created_at: createdAt,
    });
  }
}
