import { cardBrand } from "@malote/domain/card";
import { useId } from "react";
import { TextField } from "../ui/text-field.tsx";
import styles from "./checkout.module.css";
import { type CardForm, fieldIds, installmentText, type PaymentProblems } from "./payment-form.ts";

interface CardFieldsProps {
  card: CardForm;
  problems: PaymentProblems;
  amount: number;
  installmentsMax: number;
  onChange: (changed: Partial<CardForm>) => void;
}

/** Groups as printed: American Express 4-6-5, all others by fours. */
function grouped(typed: string): string {
  const digits = typed.replace(/\D/g, "").slice(0, 19);
  const groups = /^3[47]/.test(digits)
    ? [digits.slice(0, 4), digits.slice(4, 10), digits.slice(10)]
    : (digits.match(/.{1,4}/g) ?? []);
  return groups.filter(Boolean).join(" ");
}

/** Inserts the slash while digits are added, and never while text is being erased. */
function withBar(text: string, before: string): string {
  return text.length > before.length && /^\d{2,}$/.test(text) ? `${text.slice(0, 2)}/${text.slice(2)}` : text;
}

export function CardFields({ card, problems, amount, installmentsMax, onChange }: CardFieldsProps) {
  const selectId = useId();
  const brand = cardBrand(card.number);
  return (
    <>
      <TextField
        id={fieldIds.number}
        label="Número do cartão"
        name="cardnumber"
        inputMode="numeric"
        autoComplete="cc-number"
        maxLength={23}
        className="num"
        value={card.number}
        error={problems.number}
        rightSection={brand ? <span className={`small ${styles.brand}`}>{brand}</span> : null}
        onChange={(event) => {
          const { value, selectionStart } = event.currentTarget;
          // Groups only while typing at the end, so that the cursor stays after a digit inserted in the
          // middle.
          onChange({ number: selectionStart === value.length ? grouped(value) : value });
        }}
        onBlur={() => onChange({ number: grouped(card.number) })}
      />
      <TextField
        id={fieldIds.holder}
        label="Nome impresso no cartão"
        name="ccname"
        autoComplete="cc-name"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={60}
        value={card.holder}
        error={problems.holder}
        onChange={(event) => onChange({ holder: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        <TextField
          id={fieldIds.expiry}
          label="Validade"
          name="cc-exp"
          placeholder="MM/AA"
          inputMode="numeric"
          autoComplete="cc-exp"
          maxLength={7}
          value={card.expiry}
          error={problems.expiry}
          onChange={(event) => onChange({ expiry: withBar(event.currentTarget.value, card.expiry) })}
        />
        <TextField
          id={fieldIds.securityCode}
          label="Código de segurança"
          name="cvc"
          placeholder={brand === "American Express" ? "4 números" : "3 números"}
          inputMode="numeric"
          autoComplete="cc-csc"
          maxLength={4}
          value={card.securityCode}
          error={problems.securityCode}
          onChange={(event) => onChange({ securityCode: event.currentTarget.value.replace(/\D/g, "") })}
        />
      </div>
      {installmentsMax > 1 ? (
        <div>
          <label className={styles.label} htmlFor={selectId}>
            Parcelas
          </label>
          <select
            id={selectId}
            className={styles.select}
            value={card.installments}
            onChange={(event) => onChange({ installments: Number(event.currentTarget.value) })}
          >
            {Array.from({ length: installmentsMax }, (_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the number is what the line is
              <option key={at} value={at + 1}>
                {installmentText(amount, at + 1)}
              </option>
            ))}
          </select>
        </div>
      ) : null}
    </>
  );
}
