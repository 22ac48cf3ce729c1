/** Address of a company, printed on its boletos (Lei 12.039/2009); its town is in its Pix codes. */
export const states = [
  "AC",
  "AL",
  "AP",
  "AM",
  "BA",
  "CE",
  "DF",
  "ES",
  "GO",
  "MA",
  "MT",
  "MS",
  "MG",
  "PA",
  "PB",
  "PR",
  "PE",
  "PI",
  "RJ",
  "RN",
  "RS",
  "RO",
  "RR",
  "SC",
  "SP",
  "SE",
  "TO",
] as const;
export type State = (typeof states)[number];

export interface Address {
  street: string;
  number: string;
  complement: string | null;
  district: string;
  city: string;
  state: State;
  /** Eight digits. */
  postal_code: string;
}

export const formatPostalCode = (digits: string): string => digits.replace(/^(\d{5})(\d{3})$/, "$1-$2");

/** Returns the address as `Rua das Flores, 120, sala 4, Centro, Florianópolis/SC, CEP 88010-000`. */
export const addressText = (address: Address): string =>
  [
    address.street,
    address.number,
    address.complement,
    address.district,
    `${address.city}/${address.state}`,
    `CEP ${formatPostalCode(address.postal_code)}`,
  ]
    .filter(Boolean)
    .join(", ");
