import { SupportLink } from "../shell/support-link.tsx";

/** COM-029: whom to ask, below the table. */
export function BillingHelp() {
  return (
    <p className="muted">
      Dúvidas sobre uma fatura? <SupportLink>Fale com o suporte</SupportLink>.
    </p>
  );
}
