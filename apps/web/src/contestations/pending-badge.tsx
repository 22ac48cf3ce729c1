import { readPendingInfractions } from "@malote/contracts/contestations";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { may, useSession } from "../shell/session.ts";
import { CountBadge } from "../ui/count-badge.tsx";
import { counted } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { pendingInfractionsQuery } from "./api.ts";

/** Number of infractions that wait for an answer (SHL-031), in the payments application (SHL-032). */
export function PendingBadge() {
  const session = useSession();
  const { data, error } = useQuery({
    ...pendingInfractionsQuery,
    enabled: may(readPendingInfractions, session),
  });
  useEffect(() => {
    if (error) toast.bad("Ops! Ocorreu um erro ao buscar as infrações pendentes.");
  }, [error]);
  // MED-023: a stale number is hidden.
  const quantity = error ? 0 : (data?.quantity ?? 0);
  return (
    <CountBadge count={quantity} words={counted(quantity, "infração pendente", "infrações pendentes")} />
  );
}
