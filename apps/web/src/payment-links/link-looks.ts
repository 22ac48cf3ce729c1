import { type LinkMethod, type LinkStatus, linkMethodNames } from "@malote/domain/payment-link";
import type { NamedLook } from "../ui/status-pill.tsx";

/** LNK-007: name and colour of each link status. */
export const statusLooks: Readonly<Record<LinkStatus, NamedLook>> = {
  active: { name: "Ativo", color: "blue", shape: "dot" },
  paid: { name: "Pago", color: "green", shape: "check" },
  expired: { name: "Expirado", color: "grey", shape: "dash" },
};

/** Payment methods of a link, as `Pix, Boleto`. */
export const methodsText = (methods: readonly LinkMethod[]): string =>
  methods.map((method) => linkMethodNames[method]).join(", ");

export const copied = "Link de Pagamento copiado!";
