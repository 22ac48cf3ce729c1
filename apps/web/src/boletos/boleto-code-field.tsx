import { boletoLine, boletoLineMasks, readBoletoCode } from "@malote/domain/boleto-code";
import { saoPauloDate } from "@malote/domain/calendar";
import type { MaskitoOptions, MaskitoPreprocessor } from "@maskito/core";
import { useMaskito } from "@maskito/react";
import { systemNow } from "../ui/system-time.ts";
import { TextField, type TextFieldProps } from "../ui/text-field.tsx";

const barcodeLength = 44;
const slotsOf = (mask: string) => [...mask].map((sign) => (sign === "#" ? /\d/ : sign));
const slots = { SIMPLE: slotsOf(boletoLineMasks.SIMPLE), COLLECTION: slotsOf(boletoLineMasks.COLLECTION) };

/** Pasting a code replaces the present text; a pasted barcode becomes its digitable line. */
const takeWholeCodes: MaskitoPreprocessor = ({ elementState, data }) => {
  const digits = data.replace(/\D/g, "");
  if (digits.length < barcodeLength) return { elementState, data: digits };
  const code = digits.length === barcodeLength && readBoletoCode(digits, saoPauloDate(systemNow()));
  return { elementState: { value: "", selection: [0, 0] }, data: code ? boletoLine(code.barcode) : digits };
};

/** BIL-010: the first digit chooses the mask. */
const options: MaskitoOptions = {
  mask: ({ value }) => (value.startsWith("8") ? slots.COLLECTION : slots.SIMPLE),
  preprocessors: [takeWholeCodes],
};

interface BoletoCodeFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "ref"> {
  value: string;
  onChange: (typed: string) => void;
}

/** Field for the digitable line, formatted as printed, whether typed, pasted or scanned. */
export function BoletoCodeField({ value, onChange, ...rest }: BoletoCodeFieldProps) {
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
