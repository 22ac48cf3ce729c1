import { formatMoney } from "../ui/format.ts";

interface WhatApprovalDoesProps {
  /** Amount that leaves the balance, and the amount that the company returned before. Centavos. */
  amount: number;
  given: number;
  many?: boolean;
}

/** Explains an approval in plain words (ruling D13), also for a Pix that was returned before it was contested. */
export function WhatApprovalDoes({ amount, given, many = false }: WhatApprovalDoesProps) {
  const payers = many ? "aos pagadores" : "ao pagador";
  if (amount === 0) {
    return (
      <p>
        Aprovar é concordar que houve fraude. <strong>{formatMoney(given)}</strong> já foram devolvidos{" "}
        {payers}: nada mais sai do saldo.
      </p>
    );
  }
  return (
    <>
      <p>
        Aprovar é concordar que houve fraude: <strong>{formatMoney(amount)}</strong> saem do saldo e voltam{" "}
        {payers}.{given > 0 ? ` Outros ${formatMoney(given)} já foram devolvidos.` : null}
      </p>
      <p className="muted">
        O que o saldo não cobrir é devolvido com os valores que entrarem nos próximos 90 dias.
      </p>
    </>
  );
}
