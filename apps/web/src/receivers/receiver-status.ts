import type { Receiver, ReceiverStatus } from "@malote/contracts/receivers";
import type { NamedLook } from "../ui/status-pill.tsx";

/** Status of a receiver, by its last payment. */
export const statusLooks: Readonly<Record<ReceiverStatus, NamedLook>> = {
  CREATED: { name: "Ainda não pago", color: "grey", shape: "ring" },
  VERIFIED: { name: "Verificado", color: "green", shape: "check" },
  FAILED: { name: "Com falha", color: "red", shape: "dot" },
};

/** Value in the address bar for each status of the filter. */
export const filterWords = {
  "nao-pago": "CREATED",
  verificado: "VERIFIED",
  falha: "FAILED",
} as const satisfies Record<string, ReceiverStatus>;
export const filterWordNames = Object.keys(filterWords) as (keyof typeof filterWords)[];

/** Reason why the last payment did not arrive. */
export const failureOf = ({ status, status_description }: Receiver): string | null =>
  status === "FAILED" ? (status_description ?? "O último pagamento não chegou.") : null;
