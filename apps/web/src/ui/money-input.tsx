import { parseBrl } from "@malote/domain/money";
import { type ChangeEvent, useRef, useState } from "react";
import { plainMoney } from "./format.ts";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface MoneyInputProps extends Omit<TextFieldProps, "value" | "onChange" | "defaultValue"> {
  /** Whole centavos; null while the field is empty or unreadable. */
  value: number | null;
  onChange: (cents: number | null) => void;
}

const unreadableText = "Não foi possível ler este valor. Escreva como 1.234,56";

/**
 * Free text while the person types, formatted figures when they leave. A mask that inserts separators would turn a
 * typed `1234.56` into a hundred times as much; this field reads the whole text instead.
 */
export function MoneyInput({ value, onChange, onBlur, onFocus, error, ...rest }: MoneyInputProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const shown = typed ?? (value === null ? "" : plainMoney(value));
  const isUnreadable = value === null && shown.trim() !== "";
  return (
    <TextField
      placeholder="R$ 0,00"
      {...rest}
      // The field is not empty, so a message that asks for an amount would not help.
      error={error && isUnreadable ? unreadableText : error}
      ref={field}
      inputMode="decimal"
      autoComplete="off"
      className="num"
      value={shown}
      onFocus={(event) => {
        setTyped(shown);
        event.currentTarget.select();
        onFocus?.(event);
      }}
      onChange={(event: ChangeEvent<HTMLInputElement>) => {
        const text = event.currentTarget.value.replace(/[^\d.,R$\s]/g, "");
        setTyped(text);
        onChange(readMoney(text));
      }}
      onBlur={(event) => {
        // Text that cannot be read stays, so that it can be corrected instead of typed again.
        if (typed !== null && (readMoney(typed) !== null || typed.trim() === "")) setTyped(null);
        onBlur?.(event);
      }}
    />
  );
}

/** Ambiguous text is no amount; a negative one is never a payment. */
function readMoney(text: string): number | null {
  // A comma just typed, or centavos without a leading zero, count as readable while typing.
  const amount = parseBrl(text.replace(/[.,]\s*$/, "").replace(/^(\s*(?:R\$)?\s*),/, "$10,"));
  return amount === undefined || amount < 0 ? null : amount;
}
