import type { Checkout } from "@malote/contracts/checkout";
import type { LinkMethod } from "@malote/domain/payment-link";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { CallError, errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { BrandMark } from "../ui/brand-mark.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { formatDate, formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { checkoutQuery } from "./api.ts";
import { ChargeFace } from "./charge-face.tsx";
import styles from "./checkout.module.css";
import { Closed } from "./closed.tsx";
import { CompanyMark } from "./company-mark.tsx";
import { useOwnCharge } from "./own-charge.ts";
import { PayForm } from "./pay-form.tsx";
import { emptyCard, emptyPayer } from "./payment-form.ts";

/** Page of a payment link. A payer has no account, and sees only this one payment. */
export function CheckoutPage({ token }: { token: string }) {
  const checkout = useQuery(checkoutQuery(token));
  const brand = useBrand();
  const title = checkout.data ? `${checkout.data.name} · ${checkout.data.company.name}` : "Pagamento";
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={styles.page}>
      <main className={styles.main}>
        <CheckoutStates token={token} checkout={checkout} />
      </main>
      <footer className={`${styles.foot} no-print`}>
        <span className="small faint">Pagamento processado por</span>
        <BrandMark brandId={brand.id} name={brand.name} />
      </footer>
    </div>
  );
}

interface CheckoutStatesProps {
  token: string;
  checkout: ReturnType<typeof useQuery<Checkout>>;
}

function CheckoutStates({ token, checkout }: CheckoutStatesProps) {
  const { error } = checkout;
  // A link that was deleted while it was open takes no further payment.
  const isGone = error instanceof CallError && error.status === 404;
  if (checkout.data && !isGone) return <CheckoutForm token={token} checkout={checkout.data} />;
  if (checkout.isPending) {
    return (
      <LoadingState label="Abrindo o pagamento">
        <div className={styles.columns}>
          <Bone height={180} />
          <Bone height={420} />
        </div>
      </LoadingState>
    );
  }
  if (isGone) {
    return (
      <Lonely>
        <EmptyState drawing="search" headingLevel="h1" title="Link de pagamento não encontrado">
          <p>{errorSentence(error)}</p>
        </EmptyState>
      </Lonely>
    );
  }
  return (
    <Lonely>
      <FailedQuery title="Não foi possível abrir este pagamento" query={checkout} />
    </Lonely>
  );
}

const Lonely = ({ children }: { children: ReactNode }) => (
  <div className={`panel ${styles.lonely}`}>{children}</div>
);

function CheckoutForm({ token, checkout }: { token: string; checkout: Checkout }) {
  const own = useOwnCharge(token);
  // Kept while the person looks at another payment method or a card is refused, and never beyond the page.
  const [payer, setPayer] = useState(emptyPayer);
  const [card, setCard] = useState(emptyCard);
  const [chosen, setChosen] = useState<LinkMethod>();
  const [wasActive] = useState(checkout.status === "active");
  const [isBack, setBack] = useState(false);
  return (
    <div className={styles.columns}>
      <Summary token={token} checkout={checkout} />
      {/* After the link ended without an answer to the sent charge, that charge shows whether it paid the link. */}
      {own.id && (own.isShown || checkout.status !== "active") ? (
        <ChargeFace
          token={token}
          chargeId={own.id}
          checkout={checkout}
          onLeave={() => {
            setBack(true);
            own.forget();
          }}
        />
      ) : checkout.status === "active" ? (
        <PayForm
          token={token}
          checkout={checkout}
          focused={isBack}
          payer={payer}
          onPayer={setPayer}
          card={card}
          onCard={(changed) => setCard((before) => ({ ...before, ...changed }))}
          chosen={chosen}
          onChoose={setChosen}
          onSend={own.remember}
          onSent={(charge) => {
            // An earlier boleto of the same payer keeps its own id.
            if (charge.id !== own.id) own.remember(charge.id);
            // The security code is typed again for each attempt.
            setCard({ ...card, securityCode: "" });
            own.show();
          }}
        />
      ) : (
        <Closed status={checkout.status} checkout={checkout} focused={wasActive} />
      )}
    </div>
  );
}

/** Payee, purpose and amount, shown in every state of the page. */
function Summary({ token, checkout }: { token: string; checkout: Checkout }) {
  const { company, name, description, amount, expires_at, status } = checkout;
  return (
    <section className={`${styles.summary} no-print`} aria-label="O que está sendo pago">
      <CompanyMark token={token} company={company} />
      <div className={styles.what}>
        <h1>{name}</h1>
        {description ? <p className="muted">{description}</p> : null}
      </div>
      <p className={styles.amount}>{formatMoney(amount)}</p>
      {status === "active" ? <p className="small muted">Pague até {formatDate(expires_at)}</p> : null}
    </section>
  );
}
