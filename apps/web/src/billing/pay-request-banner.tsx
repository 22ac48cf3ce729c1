import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { pathOf } from "../shell/routes.ts";
import { buttonClass } from "../ui/button.tsx";
import { counted, formatDate, formatMoney } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { payRequestQuery, useShowsFinance } from "./api.ts";
import { competenceOf } from "./invoice-looks.ts";

/** BAT-015: shown while the invoice of a closed month is due. */
export function PayRequestBanner() {
  const shows = useShowsFinance();
  const { data: invoice } = useQuery({ ...payRequestQuery, enabled: shows });
  if (!shows || !invoice) return null;
  return (
    <div className="no-print">
      <Notice
        tone="blue"
        title={`Faturamento de ${competenceOf(invoice)} fechado`}
        action={
          <Link to={pathOf("BillingPage")} className={buttonClass({ size: "sm" })}>
            Ver fatura
          </Link>
        }
      >
        {counted(invoice.amount_of_transfers, "pagamento", "pagamentos")}, {formatMoney(invoice.total)},{" "}
        {invoice.status === "open" ? "vence" : "venceu"} em {formatDate(invoice.due_date)}.
      </Notice>
    </div>
  );
}
