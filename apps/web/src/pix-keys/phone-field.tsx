import type { MaskitoOptions, MaskitoPreprocessor } from "@maskito/core";
import { useMaskito } from "@maskito/react";
import { TextField, type TextFieldProps } from "../ui/text-field.tsx";

const nationalLength = 11;

/** A pasted number may carry its country code; it replaces the present text. */
const takeWholeNumbers: MaskitoPreprocessor = ({ elementState, data }) => {
  const digits = data.replace(/\D/g, "");
  if (digits.length < nationalLength) return { elementState, data: digits };
  const national = digits.length > nationalLength && digits.startsWith("55") ? digits.slice(2) : digits;
  return { elementState: { value: "", selection: [0, 0] }, data: national };
};

/** PIX-021: formats as `(99) 99999-9999`. */
const options: MaskitoOptions = {
  mask: [..."(##) #####-####"].map((sign) => (sign === "#" ? /\d/ : sign)),
  preprocessors: [takeWholeNumbers],
};

interface PhoneFieldProps extends Omit<TextFieldProps, "value" | "onChange" | "ref"> {
  value: string;
  onChange: (typed: string) => void;
}

export function PhoneField({ value, onChange, ...rest }: PhoneFieldProps) {
  const ref = useMaskito({ options });
  return (
    <TextField
      {...rest}
      ref={ref}
      type="tel"
      inputMode="tel"
      autoComplete="off"
      placeholder="(11) 98765-4321"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
