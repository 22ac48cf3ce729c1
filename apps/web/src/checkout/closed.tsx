import type { Checkout } from "@malote/contracts/checkout";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatDate } from "../ui/format.ts";
import styles from "./checkout.module.css";

interface ClosedProps {
  status: "paid" | "expired";
  checkout: Checkout;
  /** True when this replaces the payment form, so that its heading takes the focus. */
  focused: boolean;
}

/** Shown when the link no longer accepts payments. */
export function Closed({ status, checkout, focused }: ClosedProps) {
  const words =
    status === "paid"
      ? {
          title: "Este pagamento já foi feito",
          text: `${checkout.company.name} já recebeu por este link. Não é preciso pagar de novo.`,
        }
      : {
          title: "Este link venceu",
          text: `Ele podia ser pago até ${formatDate(checkout.expires_at)}. Peça outro a ${checkout.company.name}.`,
        };
  return (
    <section className={`panel ${styles.panel}`}>
      <EmptyState drawing={status === "paid" ? "money" : "lock"} title={words.title} focused={focused}>
        <p>{words.text}</p>
      </EmptyState>
    </section>
  );
}
