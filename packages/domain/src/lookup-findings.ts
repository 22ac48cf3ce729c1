/** Findings about a payment's receiver that a person should see before it leaves. */
import { type Cents, formatBrl } from "./money.ts";

export type LookupFindingCode =
  | "key_holder_differs"
  | "key_name_differs"
  | "key_name_missing"
  | "key_name_alike"
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

const notAskedText = "O titular da chave ainda não foi consultado";
/** The text for a key without a lookup, or without an answer of the directory. */
export const nothingComparedText = `${notAskedText}: nem o nome nem o documento foram comparados`;

const texts: Readonly<Record<LookupFindingCode, (data: LookupFinding["data"]) => string>> = {
  key_holder_differs: ({ name, document }) =>
    `A chave é de ${name}, ${document}, e não do documento informado`,
  key_name_differs: ({ name, document, given, isOwnDocument }) =>
    isOwnDocument
      ? `A chave é o documento de ${name}, e não de ${given}: só o nome foi comparado`
      : `A chave é de ${name}, ${document}, e não de ${given}: só o nome foi comparado, porque o pagamento não traz documento`,
  key_name_missing: ({ name, document }) =>
    `A chave é de ${name}, ${document}: nada foi comparado, porque o pagamento não traz nome nem documento`,
  key_name_alike: ({ name, document }) =>
    `A chave é de ${name}, ${document}, como o nome informado: o documento não foi comparado, porque o pagamento não traz um`,
  key_not_found: () => "A chave Pix não foi encontrada",
  key_salary_account: () => "A chave é de uma conta salário, que não recebe Pix",
  key_not_asked: () => notAskedText,
  billet_overdue: ({ days, total }) =>
    `Vencido há ${daysText(Number(days))}: o registro pede ${formatBrl(Number(total) as Cents)}`,
  billet_paid: () => "O registro informa que o boleto já foi pago",
  billet_unpayable: () => "O registro informa que o boleto já não pode ser pago",
  billet_not_registered: () => "O boleto não está registrado",
  billet_not_asked: () => "O registro do boleto ainda não foi consultado",
};

export const lookupFindingText = ({ code, data }: Pick<LookupFinding, "code" | "data">): string =>
  texts[code](data);
