/** Names of requests and people on screens and in e-mails. */
import type { RequestKind } from "@malote/domain/controls";
import { countOfMany } from "./payloads.ts";

/** Name of each kind of request, on screens and in e-mails. */
export const kindNames: Readonly<Record<RequestKind, string>> = {
  CORRECTION: "Correção de um pagamento",
  WITHDRAWAL: "Resgate",
  PAYIN_REFUND: "Devolução de um recebimento",
  INFRACTION: "Devolução por contestação",
  WITHDRAWAL_ACCOUNT: "Troca da conta para saque",
  POLICY: "Mudança dos controles",
};

/** Returns the name of a request, with the number of payments when it sends many again. */
export function requestTitle({ kind, payload }: { kind: RequestKind; payload: unknown }): string {
  const count = kind === "CORRECTION" ? countOfMany(payload) : undefined;
  if (count === undefined) return kindNames[kind];
  return count === 1 ? "Nova tentativa de 1 pagamento" : `Nova tentativa de ${count} pagamentos`;
}

/** Adds the e-mail to a name: people choose their names, so only the address identifies them. */
export const withEmail = (name: string, email: string | null) => (email ? `${name} (${email})` : name);
