import type { PixKeyStatus } from "@malote/domain/own-pix-key";
import { type NamedLook, type PillShape, StatusPill } from "../ui/status-pill.tsx";

const yellow = (name: string, shape: PillShape = "dot"): NamedLook => ({ name, color: "yellow", shape });

/** Status pill of a key (PIX-010 to PIX-013). */
export const statusLooks: Readonly<Record<PixKeyStatus, NamedLook>> = {
  PENDING: yellow("Vinculando chave", "spinner"),
  PENDING_REMOVAL: yellow("Removendo chave", "spinner"),
  REGISTERED: { name: "Chave vinculada", color: "blue", shape: "check" },
  ERROR: { name: "Chave não vinculada", color: "red", shape: "dot" },
  REMOVED: { name: "Removida", color: "red", shape: "dot" },
  VALIDATING: yellow("Validação pendente"),
  WAITING_CLAIM: yellow("Reivindicação pendente"),
  WAITING_PORTABILITY: yellow("Portabilidade pendente"),
  CLAIM_REQUESTED: yellow("Reivindicação solicitada"),
  PORTABILITY_REQUESTED: yellow("Portabilidade solicitada"),
  PORTABILITY_IN_PROGRESS: yellow("Portabilidade em andamento"),
  CLAIM_IN_PROGRESS: yellow("Reivindicação em andamento"),
  WAITING_CLAIM_APPROVAL: yellow("Aguardando reivindicação"),
  WAITING_PORTABILITY_APPROVAL: yellow("Aguardando portabilidade"),
};

export function KeyPill({ status }: { status: PixKeyStatus }) {
  const { name, ...look } = statusLooks[status];
  return <StatusPill {...look}>{name}</StatusPill>;
}
