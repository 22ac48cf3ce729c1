import { readPendingInfractions } from "@malote/contracts/contestations";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { may, useSession } from "../shell/session.ts";
import { counted } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { pendingInfractionsQuery } from "./api.ts";
import styles from "./pending-badge.module.css";

const shownMax = 99;

/** How many infractions wait for an answer (SHL-031), in the payments application (SHL-032). */
export function PendingBadge() {
  const session = useSession();
  const { data, error } = useQuery({
    ...pendingInfractionsQuery,
    enabled: may(readPendingInfractions, session),
  });
  useEffect(() => {
    if (error) toast.bad("Ops! Ocorreu um erro ao buscar as infrações pendentes.");
  }, [error]);
  // MED-023: an old number would be a wrong one.
  const quantity = error ? 0 : (data?.quantity ?? 0);
  if (quantity === 0) return null;
  return (
    <span className={styles.badge}>
      <span aria-hidden>{quantity > shownMax ? `${shownMax}+` : quantity}</span>
      <span className="sr-only">, {counted(quantity, "infração pendente", "infrações pendentes")}</span>
    </span>
  );
}
