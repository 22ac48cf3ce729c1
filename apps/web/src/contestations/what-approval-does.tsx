import { formatMoney } from "../ui/format.ts";

interface WhatApprovalDoesProps {
  /** What leaves the balance, and what the company gave back by itself before. Centavos. */
  amount: number;
  given: number;
  many?: boolean;
}

/** In plain words (decision 13), and true of a Pix that was given back before it was contested. */
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
