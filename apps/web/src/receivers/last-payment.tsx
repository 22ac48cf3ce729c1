import type { Receiver } from "@malote/contracts/receivers";
import { formatDate } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";

interface LastPaymentProps {
  receiver: Receiver;
  /** In a list: one line below the status; only screen readers get its label. */
  short?: boolean;
}

/** Date and amount of the last payment that arrived at this receiver; empty when none did. */
export function LastPayment({ receiver: { last_payment: last }, short = false }: LastPaymentProps) {
  return last ? (
    <p className="small muted" title={short ? "Último pagamento" : undefined}>
      <span className={short ? "sr-only" : undefined}>Último pagamento </span>
      {formatDate(last.at)} · <MoneyText cents={last.value} />
    </p>
  ) : null;
}
