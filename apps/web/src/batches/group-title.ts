import type { Boleto } from "@malote/contracts/boletos";
import type { Transfer } from "@malote/contracts/transfers";
import { type Issue, issueFormText, issueText } from "@malote/domain/issues";
import { beneficiaryName, boletoName } from "../boletos/index.ts";
import { receiverName } from "../transfers/index.ts";
import { counted } from "../ui/format.ts";
import type { IssueGroup } from "./open-batch-api.ts";

type GroupOf<Payment> = Omit<IssueGroup, "example"> & { example: Payment };
export type TransferGroup = GroupOf<Transfer>;
export type BoletoGroup = GroupOf<Boleto>;

export const isOfBoletos = (group: IssueGroup): group is BoletoGroup => isBoleto(group.example);
export const isOfTransfers = (group: IssueGroup): group is TransferGroup => !isOfBoletos(group);

/** Title of a group, as `Informe o banco: “Banco do Povo”`. */
export function groupTitle({ issue, given }: Pick<IssueGroup, "issue" | "given">): string {
  const detail = issueFormText(issue as Issue);
  const text = detail === "A chave Pix deve ser válida" ? issueText(issue as Issue) : detail;
  const named = issue.field === "description" ? `Descrição do boleto: ${text}` : text;
  return given ? `${named}: “${given}”` : named;
}

export const countOf = (group: IssueGroup, count = group.count): string =>
  isOfBoletos(group) ? counted(count, "boleto", "boletos") : counted(count, "pagamento", "pagamentos");

export const isBoleto = (payment: Transfer | Boleto): payment is Boleto => "barcode" in payment;

/** Returns the payee; for a boleto the company's own name for it, beside the registered payee. */
export function payeeOf(payment: Transfer | Boleto): string {
  if (!isBoleto(payment)) return receiverName(payment.destination_bank_account);
  return [beneficiaryName(payment), boletoName(payment)].filter(Boolean).join(" · ");
}

/** Returns `todos para Beatriz, linha 14` or `por exemplo Aluguel`. */
export function exampleOf(group: IssueGroup): string {
  if (isOfBoletos(group)) return `por exemplo ${boletoName(group.example)}`;
  if (!isOfTransfers(group)) return "";
  const { example } = group;
  const row = example.sheet_row === null ? "" : `, linha ${example.sheet_row}`;
  return `${group.receiver ? "todos para" : "por exemplo"} ${receiverName(example.destination_bank_account)}${row}`;
}
