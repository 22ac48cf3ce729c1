/** What was found out about whom a payment goes to and is worth a look before it leaves. */
import { type Cents, formatBrl } from "./money.ts";

export type LookupFindingCode =
  | "key_holder_differs"
  | "key_not_found"
  | "key_salary_account"
  | "key_not_asked"
  | "billet_overdue"
  | "billet_paid"
  | "billet_unpayable"
  | "billet_not_registered"
  | "billet_not_asked";

export interface LookupFinding {
  paymentId: string;
  code: LookupFindingCode;
  data: Readonly<Record<string, string | number>>;
}

export const daysText = (days: number): string => (days === 1 ? "1 dia" : `${days} dias`);

const texts: Readonly<Record<LookupFindingCode, (data: LookupFinding["data"]) => string>> = {
  key_holder_differs: ({ name, document }) =>
    `A chave é de ${name}, ${document}, e não do documento informado`,
  key_not_found: () => "A chave Pix não foi encontrada",
  key_salary_account: () => "A chave é de uma conta salário, que não recebe Pix",
  key_not_asked: () => "O titular da chave ainda não foi consultado",
  billet_overdue: ({ days, total }) =>
    `Vencido há ${daysText(Number(days))}: o registro pede ${formatBrl(Number(total) as Cents)}`,
  billet_paid: () => "O registro informa que o boleto já foi pago",
  billet_unpayable: () => "O registro informa que o boleto já não pode ser pago",
  billet_not_registered: () => "O boleto não está registrado",
  billet_not_asked: () => "O registro do boleto ainda não foi consultado",
};

export const lookupFindingText = ({ code, data }: Pick<LookupFinding, "code" | "data">): string =>
  texts[code](data);
