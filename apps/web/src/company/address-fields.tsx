import type { CompanyData } from "@malote/contracts/company";
import { formatPostalCode, type State, states } from "@malote/domain/address";
import { Select } from "../ui/select.tsx";
import { TextField } from "../ui/text-field.tsx";

type Address = NonNullable<CompanyData["address"]>;
/** Address as typed. */
export type AddressForm = Record<keyof Address, string>;

export const addressFormOf = (address: Address | null): AddressForm => ({
  street: address?.street ?? "",
  number: address?.number ?? "",
  complement: address?.complement ?? "",
  district: address?.district ?? "",
  city: address?.city ?? "",
  state: address?.state ?? "SP",
  postal_code: formatPostalCode(address?.postal_code ?? ""),
});

const needed = ["street", "number", "district", "city", "postal_code"] as const;
const digitsOf = (text: string) => text.replace(/\D/g, "");
const isEmpty = (form: AddressForm) => needed.every((field) => form[field].trim() === "");

/** An empty form is no address; a partly filled one has to be completed. */
export function addressProblem(form: AddressForm): string | undefined {
  if (isEmpty(form)) return undefined;
  if (needed.some((field) => form[field].trim() === ""))
    return "Complete o endereço: rua, número, bairro, cidade e CEP";
  return digitsOf(form.postal_code).length === 8 ? undefined : "O CEP tem 8 números";
}

export function addressIn(form: AddressForm): Address | null {
  if (isEmpty(form)) return null;
  return {
    street: form.street.trim(),
    number: form.number.trim(),
    complement: form.complement.trim() || null,
    district: form.district.trim(),
    city: form.city.trim(),
    state: form.state as State,
    postal_code: digitsOf(form.postal_code),
  };
}

interface AddressFieldsProps {
  form: AddressForm;
  problem: string | undefined;
  onChange: (changed: Partial<AddressForm>) => void;
}

export function AddressFields({ form, problem, onChange }: AddressFieldsProps) {
  const field = (name: keyof Address, label: string, maxLength: number) => (
    <TextField
      label={label}
      maxLength={maxLength}
      value={form[name]}
      onChange={(event) => onChange({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <>
      <TextField
        id="cep"
        label="CEP"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={9}
        placeholder="00000-000"
        value={form.postal_code}
        error={problem}
        onChange={(event) => onChange({ postal_code: event.currentTarget.value })}
      />
      {field("street", "Rua ou avenida", 100)}
      {field("number", "Número", 20)}
      {field("complement", "Complemento (opcional)", 60)}
      {field("district", "Bairro", 60)}
      {field("city", "Cidade", 60)}
      <Select
        label="Estado"
        data={states.map((state) => ({ value: state, label: state }))}
        value={form.state}
        onChange={(state) => onChange({ state })}
      />
    </>
  );
}
