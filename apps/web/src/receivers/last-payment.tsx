import type { Receiver } from "@malote/contracts/receivers";
import { formatDate } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";

/** When the last payment arrived at this receiver, and how much; nothing where none did. */
export function LastPayment({ receiver: { last_payment: last } }: { receiver: Receiver }) {
  return last ? (
    <p className="small muted">
      Último pagamento {formatDate(last.at)} · <MoneyText cents={last.value} />
    </p>
  ) : null;
}
