import type { Transfer } from "@malote/contracts/transfers";
import { accountTypeNames } from "@malote/domain/bank-account";
import { transferCardTextMax } from "@malote/domain/limits";
import { formatPixKey, type PixKeyType } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { cutText, withDigit } from "../ui/format.ts";

type Destination = Transfer["destination_bank_account"];

export const pixKeyTypeNames: Readonly<Record<PixKeyType, string>> = {
  CPF: "CPF",
  CNPJ: "CNPJ",
  EMAIL: "E-mail",
  TELEFONE: "Celular",
  CHAVE_ALEATORIA: "Chave aleatória",
};

export const methodNames: Readonly<Record<Transfer["payment_method"], string>> = {
  PIX: "Pix",
  TED: "TED",
  TEV: "Transferência interna",
};

/** Two or three characters in the neutral tile of a bank, because logos belong to the banks. */
export function tileText({
  payment_method,
  destination_bank_account: { Bank },
}: Pick<Transfer, "payment_method" | "destination_bank_account">): string {
  if (payment_method === "PIX") return "PIX";
  if (!Bank) return "?";
  return (
    Bank.code ??
    Bank.name
      .replace(/[^A-Za-zÀ-ÿ]/g, "")
      .slice(0, 2)
      .toUpperCase()
  );
}

const shortTypes: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CONTA_CORRENTE: "CC",
    CONTA_POUPANCA: "Poupança",
    CONTA_FACIL: "Conta fácil",
    CONTA_PAGAMENTO: "Conta pgto.",
    ENTIDADES_PUBLICAS: "Ent. pública",
    CONTA_SALARIO: "Salário",
  }),
);

export function accountTypeName(type: string | null): string {
  return type && Object.hasOwn(accountTypeNames, type)
    ? accountTypeNames[type as keyof typeof accountTypeNames]
    : "Conta";
}

/** Returns `Itaú · Ag. 1234 · CC 12345-2` or `Chave e-mail ivo@exemplo.com`, cut for cards (TRF-013). */
export function destinationText(to: Destination): string {
  const max = transferCardTextMax;
  if (to.pix_key) {
    const type = to.pix_key_type ? pixKeyTypeNames[to.pix_key_type] : "Pix";
    const word = type === "CPF" || type === "CNPJ" ? type : type.toLowerCase().replace("chave ", "");
    return `Chave ${word} · ${cutText(formatPixKey(to.pix_key_type ?? "", to.pix_key), max.pixKey)}`;
  }
  if (!to.Bank && !to.agency && !to.account) return "Sem dados de pagamento";
  const parts = [
    to.Bank?.name ?? "Banco não informado",
    to.agency &&
      `Ag. ${withDigit(cutText(to.agency, max.agency), to.agency_digit?.slice(0, max.digit) ?? null)}`,
    to.account &&
      `${(to.account_type && shortTypes.get(to.account_type)) || "Conta"} ${withDigit(cutText(to.account, max.account), to.account_digit?.slice(0, max.digit) ?? null)}`,
  ];
  return parts.filter(Boolean).join(" · ");
}

/** Returns `1234-5`, uncut, for details. */
export const accountNumber = (number: string | null, digit: string | null): string | null =>
  number && withDigit(number, digit);

export function taxIdText(taxId: string | null): string {
  return taxId ? cutText(formatTaxId(taxId), transferCardTextMax.taxId) : "";
}

/** Returns the name, or its replacement for a payment by key alone. */
export function receiverName(to: Destination): string {
  return to.name || (to.pix_key ? formatPixKey(to.pix_key_type ?? "", to.pix_key) : "Sem nome");
}

/** Holder of the key, when the payment names its receiver by the key alone. */
export const keyHolderName = ({
  destination_bank_account: to,
  key_holder_name,
}: Pick<Transfer, "destination_bank_account" | "key_holder_name">) => (to.name ? null : key_holder_name);

/** Label beside the name of a key's holder, which is not part of the payment. */
export const keyHolderMark = "titular da chave";
