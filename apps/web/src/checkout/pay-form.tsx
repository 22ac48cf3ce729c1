import type { Checkout, CheckoutCharge } from "@malote/contracts/checkout";
import { type LinkMethod, linkMethodNames } from "@malote/domain/payment-link";
import { IconBarcode, IconCreditCard, IconLock, IconQrcode } from "@tabler/icons-react";
import { type FormEvent, useId, useRef, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { useKeyOfRequest } from "../shell/key-of-request.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { Button } from "../ui/button.tsx";
import { ErrorSummary } from "../ui/error-summary.tsx";
import { FocusedHeading } from "../ui/focused-heading.tsx";
import { formatMoney } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { TaxIdInput } from "../ui/tax-id-input.tsx";
import { TextField } from "../ui/text-field.tsx";
import { usePay } from "./api.ts";
import { CardFields } from "./card-fields.tsx";
import styles from "./checkout.module.css";
import {
  bodyOf,
  type CardForm,
  fieldIds,
  type PayerForm,
  type PaymentField,
  problemsOf,
} from "./payment-form.ts";

const icons: Readonly<Record<LinkMethod, typeof IconQrcode>> = {
  pix: IconQrcode,
  boleto: IconBarcode,
  credit_card: IconCreditCard,
};
const helps: Readonly<Record<LinkMethod, string>> = {
  pix: "Confirmado na hora",
  boleto: "Confirmado em até 1 dia útil",
  credit_card: "Confirmado na hora",
};

interface PayFormProps {
  token: string;
  checkout: Checkout;
  /** True when this replaces a charge, so that its heading takes the focus. */
  focused: boolean;
  payer: PayerForm;
  onPayer: (payer: PayerForm) => void;
  card: CardForm;
  onCard: (changed: Partial<CardForm>) => void;
  /** Undefined selects the first method. */
  chosen: LinkMethod | undefined;
  onChoose: (method: LinkMethod) => void;
  /** Called with the id of the charge before it is requested. */
  onSend: (chargeId: string) => void;
  /** Called once the charge exists; from now on its own query answers. */
  onSent: (charge: CheckoutCharge) => void;
}

/** Asks who pays, and by which method. */
export function PayForm(props: PayFormProps) {
  const { token, checkout, focused, payer, onPayer, card, onCard, chosen, onChoose, onSend, onSent } = props;
  const offered = checkout.payment_methods.toReversed();
  const method = offered.find((one) => one === chosen) ?? offered[0];
  const [attempt, setAttempt] = useState(0);
  const [refused, setRefused] = useState<string>();
  // Generated before sending: a retry after a lost answer is the same charge.
  const idOf = useKeyOfRequest();
  const cardsCalledOff = useRef(0);
  const pay = usePay(token);
  const paying = useOneAtATime();
  const headingId = useId();
  const Heading = focused ? FocusedHeading : "h2";
  if (!method) {
    return (
      <section className={`panel ${styles.panel}`}>
        <Notice tone="yellow" title="Este link não pode ser pago agora">
          Fale com {checkout.company.name} e peça outro.
        </Notice>
      </section>
    );
  }
  const problems = attempt > 0 ? problemsOf(method, payer, card) : {};

  function submit(event: FormEvent) {
    event.preventDefault();
    setRefused(undefined);
    setAttempt((before) => before + 1);
    if (!method || Object.keys(problemsOf(method, payer, card)).length > 0 || !paying.begin()) return;
    // A Pix or boleto names its payer, so a corrected payer needs a new charge. A card keeps its charge, so
    // that a payer cannot pay twice while an answer is missing.
    const id = idOf(method === "credit_card" ? [method, cardsCalledOff.current] : [method, payer]);
    onSend(id);
    pay.mutate(bodyOf(id, method, payer, card), {
      onSuccess: onSent,
      onError: (error) => {
        // The sale is cancelled for good, so the next charge is a new one.
        if (error instanceof CallError && error.code === "checkout_card_changed") cardsCalledOff.current += 1;
        setRefused(errorSentence(error, "Tente de novo."));
      },
      onSettled: paying.end,
    });
  }
  return (
    <form
      className={`panel ${styles.panel} ${styles.form}`}
      onSubmit={submit}
      noValidate
      aria-labelledby={headingId}
    >
      <Heading id={headingId}>Como você quer pagar?</Heading>
      <ErrorSummary
        attempt={attempt}
        problems={Object.entries(problems).map(([field, message]) => ({
          fieldId: fieldIds[field as PaymentField],
          message,
        }))}
      />
      <fieldset className={styles.methods}>
        <legend className="sr-only">Forma de pagamento</legend>
        {offered.map((one) => {
          const Icon = icons[one];
          return (
            <label key={one} className={styles.method}>
              <input
                type="radio"
                name="method"
                checked={one === method}
                disabled={pay.isPending}
                onChange={() => onChoose(one)}
              />
              <Icon size={22} stroke={1.6} aria-hidden />
              <span className={styles.words}>
                <strong>{linkMethodNames[one]}</strong>
                <span className="small muted">{helps[one]}</span>
              </span>
            </label>
          );
        })}
      </fieldset>
      <TextField
        id={fieldIds.name}
        label="Nome completo"
        name="name"
        autoComplete="name"
        maxLength={120}
        value={payer.name}
        error={problems.name}
        onChange={(event) => onPayer({ ...payer, name: event.currentTarget.value })}
      />
      <TaxIdInput
        id={fieldIds.taxId}
        label="CPF ou CNPJ"
        value={payer.taxId}
        error={problems.taxId}
        onChange={(taxId) => onPayer({ ...payer, taxId })}
      />
      {method === "credit_card" ? (
        <CardFields
          card={card}
          problems={problems}
          amount={checkout.amount}
          installmentsMax={checkout.max_installments}
          onChange={onCard}
        />
      ) : null}
      {refused ? (
        <Notice tone="red" title="Não foi possível continuar" alert>
          {refused}
        </Notice>
      ) : null}
      <Button type="submit" look="primary" busy={pay.isPending} className={styles.go ?? ""}>
        {method === "credit_card"
          ? `Pagar ${formatMoney(checkout.amount)}`
          : `Gerar ${linkMethodNames[method]}`}
      </Button>
      <p className={`small faint ${styles.safe}`}>
        <IconLock size={14} aria-hidden />
        Seus dados viajam cifrados e servem só a este pagamento.
      </p>
    </form>
  );
}
