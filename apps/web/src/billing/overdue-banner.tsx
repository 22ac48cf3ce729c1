import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { pathOf } from "../shell/routes.ts";
import { buttonClass } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { isWarnedQuery, useMaySeeOverdueInvoices } from "./api.ts";

/** SHL-045, SHL-046. No other part of the page waits for it. */
export function OverdueBanner() {
  const shows = useMaySeeOverdueInvoices();
  const isThere = useLocation({ select: ({ pathname }) => pathname === pathOf("BillingPage") });
  const isWarned = useQuery({ ...isWarnedQuery, enabled: shows });
  if (!shows || !isWarned.data) return null;
  return (
    <div className="no-print">
      <Notice
        tone="red"
        action={
          isThere ? null : (
            <Link to={pathOf("BillingPage")} className={buttonClass({ size: "sm" })}>
              Ver faturas
            </Link>
          )
        }
      >
        Você está com faturas em atraso... Veja suas faturas e regularize, evitando bloqueios.
      </Notice>
    </div>
  );
}
