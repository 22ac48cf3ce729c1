import { billetLine, billetLineMasks, readBilletCode } from "@malote/domain/billet-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { MaskitoOptions, MaskitoPreprocessor } from "@maskito/core";
import { useMaskito } from "@maskito/react";
import { systemNow } from "../ui/system-time.ts";
import { TextField, type TextFieldProps } from "../ui/text-field.tsx";

const barcodeLength = 44;
const slotsOf = (mask: string) => [...mask].map((sign) => (sign === "#" ? /\d/ : sign));
const slots = { SIMPLE: slotsOf(billetLineMasks.SIMPLE), COLLECTION: slotsOf(billetLineMasks.COLLECTION) };

/** A pasted code takes the place of what was there, and a pasted barcode becomes its line. */
const takeWholeCodes: MaskitoPreprocessor = ({ elementState, data }) => {
  const digits = data.replace(/\D/g, "");
  if (digits.length < barcodeLength) return { elementState, data: digits };
  const code = digits.length === barcodeLength && readBilletCode(digits, saoPauloDate(systemNow()));
  return { elementState: { value: "", selection: [0, 0] }, data: code ? billetLine(code.barcode) : digits };
};

/** BIL-010. */
const options: MaskitoOptions = {
  mask: ({ value }) => (value.startsWith("8") ? slots.COLLECTION : slots.SIMPLE),
  preprocessors: [takeWholeCodes],
};

interface BilletCodeFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "ref"> {
  value: string;
  onChange: (typed: string) => void;
}

/** The line as boletos print it, however it is typed, pasted or scanned. */
export function BilletCodeField({ value, onChange, ...rest }: BilletCodeFieldProps) {
  const ref = useMaskito({ options });
  return (
    <TextField
      {...rest}
      ref={ref}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
