import { formatTaxId } from "@malote/domain/tax-id";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface TaxIdInputProps extends Omit<TextFieldProps, "value" | "onChange"> {
  value: string;
  /** Text as typed; the rules for CPF and CNPJ ignore separators and case. */
  onChange: (text: string) => void;
}

/** CPF or CNPJ (letters included). Separators are inserted on leaving or pasting, never while the person types. */
export function TaxIdInput({ value, onChange, onBlur, ...rest }: TaxIdInputProps) {
  return (
    <TextField
      {...rest}
      autoComplete="off"
      spellCheck={false}
      maxLength={24}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onPaste={(event) => {
        const pasted = formatTaxId(event.clipboardData.getData("text").trim());
        const whole =
          event.currentTarget.selectionStart === 0 && event.currentTarget.selectionEnd === value.length;
        if (!whole) return;
        event.preventDefault();
        onChange(pasted);
      }}
      onBlur={(event) => {
        const tidy = formatTaxId(value.trim());
        if (tidy !== value) onChange(tidy);
        onBlur?.(event);
      }}
    />
  );
}
