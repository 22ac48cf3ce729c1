/** Outcome of a payment that the operator learned from the network. */
import { type OperatorOutcome, recordOperatorOutcome } from "../payments/index.ts";
import { findPaymentWithoutOutcome } from "../payouts/index.ts";
import { audit } from "../platform/audit.ts";
import type { Database } from "../platform/db/database.ts";
import type { Networks } from "./routes.ts";
import { type Answer, answer, usage, WrongCommand } from "./usage.ts";

const outcomes: readonly OperatorOutcome[] = ["paid", "failed"];

export async function setPaymentOutcome(
  db: Database,
  { rails }: Networks,
  [endToEndId = "", given = "", said = ""]: readonly string[],
  now: Date,
): Promise<Answer> {
  const outcome = outcomes.find((one) => one === given);
  const reason = said.trim();
  if (!outcome || reason === "") throw new WrongCommand(usage);
  const payment = await db.withSystem((tx) => findPaymentWithoutOutcome(tx, endToEndId));
  if (!payment)
    throw new WrongCommand(
      `Nenhum pagamento com o id ${endToEndId} foi entregue à rede e espera pelo resultado. Veja o id no comprovante ou nos detalhes do pagamento.`,
    );
  await db.withCompany(payment.company_id, async (tx) => {
    if (!(await recordOperatorOutcome(tx, payment, { endToEndId, outcome, main: rails.id, now })))
      throw new WrongCommand(
        `O resultado do pagamento ${endToEndId} já foi informado e será aplicado em alguns segundos.`,
      );
    await audit(tx, { actor: "operator", now }, "operator.payment_outcome", payment.id, { outcome, reason });
  });
  const became = outcome === "paid" ? "pago" : "não realizado";
  return answer(
    { ok: true, payment: payment.id },
    `Pagamento ${endToEndId} registrado como ${became}; será aplicado em alguns segundos.`,
  );
}
