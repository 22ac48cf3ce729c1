import type { Checkout, CheckoutCharge } from "@malote/contracts/checkout";
import { IconCircleCheck } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { CallError } from "../shell/call.ts";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { FocusedHeading } from "../ui/focused-heading.tsx";
import { formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { chargeQuery, checkoutQuery } from "./api.ts";
import { BoletoFace } from "./boleto-face.tsx";
import styles from "./checkout.module.css";
import { Closed } from "./closed.tsx";
import { installmentText } from "./payment-form.ts";
import { PixFace } from "./pix-face.tsx";

interface ChargeFaceProps {
  token: string;
  chargeId: string;
  checkout: Checkout;
  /** Returns to the choice of a payment method. */
  onLeave: () => void;
}

/** Shows this person's charge until it is paid. */
export function ChargeFace({ token, chargeId, checkout, onLeave }: ChargeFaceProps) {
  const charge = useQuery(chargeQuery(token, chargeId));
  const queryClient = useQueryClient();
  const state = charge.data?.state;
  const isGone = charge.error instanceof CallError && charge.error.status === 404;

  // Another payer may have paid, so the link's own state is read again.
  useEffect(() => {
    if (state === "ended" || state === "paid")
      void queryClient.invalidateQueries({ queryKey: checkoutQuery(token).queryKey, exact: true });
  }, [state, queryClient, token]);
  // The charge never reached the server, or the link no longer exists.
  useEffect(() => {
    if (isGone) onLeave();
  }, [isGone, onLeave]);

  if (charge.data) {
    return (
      <div className={styles.charge}>
        {charge.isError && !isGone ? (
          <FailedNotice title="Não foi possível saber se o pagamento chegou" query={charge} />
        ) : null}
        <Face charge={charge.data} checkout={checkout} onLeave={onLeave} />
      </div>
    );
  }
  if (charge.isError && !isGone) {
    return (
      <section className={`panel ${styles.panel}`}>
        <FailedQuery title="Não foi possível ler este pagamento" query={charge} />
      </section>
    );
  }
  return (
    <LoadingState label="Lendo o pagamento">
      <Bone height={420} />
    </LoadingState>
  );
}

interface FaceProps {
  charge: CheckoutCharge;
  checkout: Checkout;
  onLeave: () => void;
}

function Face({ charge, checkout, onLeave }: FaceProps) {
  switch (charge.state) {
    case "paid":
      return <Paid charge={charge} checkout={checkout} />;
    case "refused":
      return <Refused charge={charge} onLeave={onLeave} />;
    case "ended":
      if (checkout.status !== "active")
        return <Closed status={checkout.status} checkout={checkout} focused />;
      return (
        <Message
          title={charge.payment_method === "pix" ? "Este QR Code venceu" : "Esta cobrança não vale mais"}
          action={
            <Button look="primary" onClick={onLeave}>
              Pagar de novo
            </Button>
          }
        >
          Nada foi cobrado. Escolha outra vez como quer pagar.
        </Message>
      );
    case "preparing":
      return (
        <section className={`panel ${styles.panel} ${styles.preparing}`} role="status">
          <span className={styles.spinner} aria-hidden />
          <FocusedHeading>Estamos falando com o banco</FocusedHeading>
          <p className="muted">Leva alguns segundos. Você pode deixar esta página aberta.</p>
        </section>
      );
    case "waiting": {
      const other =
        checkout.status === "active" ? (
          <Button look="quiet" onClick={onLeave}>
            Pagar de outro jeito
          </Button>
        ) : null;
      if (charge.pix) return <PixFace pix={charge.pix} other={other} />;
      if (charge.boleto) return <BoletoFace boleto={charge.boleto} amount={charge.amount} other={other} />;
      throw new Error(`charge ${charge.id} waits for nothing`);
    }
  }
}

function Paid({ charge, checkout }: Pick<FaceProps, "charge" | "checkout">) {
  const { card } = charge;
  return (
    <section className={`panel ${styles.panel} ${styles.paid}`} role="status">
      <IconCircleCheck size={64} stroke={1.4} aria-hidden />
      <FocusedHeading>Pagamento confirmado</FocusedHeading>
      <p>
        {checkout.company.name} recebeu {formatMoney(charge.amount)} por {checkout.name}.
      </p>
      {card ? (
        <p className="muted">
          Cartão de crédito, {installmentText(charge.amount, card.installments)}
          {card.authorization_code ? `. Autorização ${card.authorization_code}` : ""}
        </p>
      ) : null}
      <p className="small muted">Obrigado! Você já pode fechar esta página.</p>
    </section>
  );
}

const refusals = {
  check_card:
    "O banco não reconheceu os dados do cartão. Confira o número, a validade e o código de segurança.",
  other_card: "O banco do cartão não autorizou esta compra. Use outro cartão ou outra forma de pagamento.",
  try_later: "O banco do cartão não respondeu. Aguarde alguns minutos e tente de novo.",
} as const;

function Refused({ charge, onLeave }: Pick<FaceProps, "charge" | "onLeave">) {
  return (
    <Message
      title="O cartão não foi aceito"
      action={
        <Button look="primary" onClick={onLeave}>
          Tentar de novo
        </Button>
      }
    >
      {refusals[charge.card?.advice ?? "other_card"]} Nada foi cobrado.
    </Message>
  );
}

function Message({ title, action, children }: { title: string; action: ReactNode; children: ReactNode }) {
  return (
    <section className={`panel ${styles.panel}`} role="alert">
      <EmptyState drawing="lock" title={title} action={action} focused>
        <p>{children}</p>
      </EmptyState>
    </section>
  );
}
