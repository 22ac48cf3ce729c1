/** The checks before payment: kinds of findings, their texts, and who may confirm them. */
import { findBankByIspb } from "./banks.ts";
import type { BatchProfile, BatchStatus } from "./batch.ts";
import { type CalendarDate, daysBetween, formatDate } from "./calendar.ts";
import type { ApproverRefusal } from "./controls.ts";
import { type DataMark, markText } from "./data-marks.ts";
import { type Cents, cents, formatBrl } from "./money.ts";
import type { PaymentStatus } from "./payment-status.ts";
import { shownPixKey } from "./pix-key.ts";

/**
 * `block`: the rules of the batch refuse it. `tick`: a person must confirm it before the batch proceeds. `note`: shown
 * only.
 */
export type CheckSeverity = "block" | "tick" | "note";

type Words = readonly [one: string, many: string];
type Kind = { severity: CheckSeverity; title: Words };

const kind = (severity: CheckSeverity, one: string, many: string): Kind => ({ severity, title: [one, many] });

/** Every kind of finding, worst first, in the order of the list. `{n}` is the number of payments. */
const table = {
  expired_date: kind("block", "{n} pagamento com data vencida", "{n} pagamentos com data vencida"),
  same_payment: kind("tick", "{n} possível pagamento em dobro", "{n} possíveis pagamentos em dobro"),
  same_reference: kind(
    "tick",
    "{n} pagamento com documento já usado para o mesmo recebedor",
    "{n} pagamentos com documento já usado para o mesmo recebedor",
  ),
  changed_account: kind(
    "tick",
    "{n} recebedor com conta ou chave diferente da última paga",
    "{n} recebedores com conta ou chave diferente da última paga",
  ),
  holder_differs: kind("tick", "{n} chave Pix de outro titular", "{n} chaves Pix de outros titulares"),
  billet_register: kind(
    "tick",
    "{n} boleto que o registro não confirma",
    "{n} boletos que o registro não confirma",
  ),
  like_name: kind(
    "tick",
    "{n} pagamento de mesmo valor e dia para nome parecido em outra conta",
    "{n} pagamentos de mesmo valor e dia para nomes parecidos em outra conta",
  ),
  other_alphabet: kind(
    "tick",
    "{n} recebedor novo com sinais de outro alfabeto no nome",
    "{n} recebedores novos com sinais de outro alfabeto no nome",
  ),
  value_far: kind(
    "tick",
    "{n} valor muito acima do histórico do recebedor",
    "{n} valores muito acima do histórico do recebedor",
  ),
  suggested_data: kind("tick", "{n} pagamento com dado sugerido", "{n} pagamentos com dados sugeridos"),
  changed_data: kind(
    "tick",
    "{n} pagamento com dado da planilha alterado",
    "{n} pagamentos com dados da planilha alterados",
  ),
  not_in_sheet: kind(
    "tick",
    "{n} pagamento que não está na planilha",
    "{n} pagamentos que não estão na planilha",
  ),
  sheet_total: kind(
    "tick",
    "O total da planilha não é o deste lote",
    "O total da planilha não é o deste lote",
  ),
  billet_overdue: kind("tick", "{n} boleto vencido", "{n} boletos vencidos"),
  failed_receiver: kind(
    "note",
    "{n} pagamento a quem o último não chegou",
    "{n} pagamentos a quem o último não chegou",
  ),
  repeated_integration_id: kind(
    "note",
    "{n} pagamento com ID de integração repetido",
    "{n} pagamentos com ID de integração repetido",
  ),
  steady_payment: kind(
    "note",
    "{n} pagamento igual aos anteriores, no mesmo intervalo",
    "{n} pagamentos iguais aos anteriores, no mesmo intervalo",
  ),
  new_receiver: kind("note", "{n} recebedor novo", "{n} recebedores novos"),
  holder_by_name: kind(
    "note",
    "{n} chave Pix sem titular conferido pelo documento",
    "{n} chaves Pix sem titular conferido pelo documento",
  ),
  billet_early: kind("note", "{n} boleto pago antes do vencimento", "{n} boletos pagos antes do vencimento"),
  limit_short: kind("note", "Acima do limite", "Acima do limite"),
  balance_short: kind("note", "Saldo insuficiente", "Saldo insuficiente"),
} as const satisfies Record<string, Kind>;

export type CheckKind = keyof typeof table;
export const checkKinds = Object.keys(table) as CheckKind[];

export const checkSeverity = (kind: CheckKind): CheckSeverity => table[kind].severity;

/** Kinds that stop a batch until a person confirms them. */
export const kindsToConfirm = checkKinds.filter((kind) => checkSeverity(kind) === "tick");

export function checkTitle(kind: CheckKind, count: number): string {
  const [one, many] = table[kind].title;
  return (count === 1 ? one : many).replace("{n}", count.toLocaleString("pt-BR"));
}

/** Maximum days between two payments of one value to one receiver that count as a possible double payment. */
export const sameValueDays = 45;
/** Days of history that the checks search for a receiver and its documents. */
export const historyDays = 548;
/**
 * A value is unusual when it is `times` the largest of at least `paidMin` earlier payments, and exceeds it by
 * `aboveCents`.
 */
export const farValue = { times: 3, paidMin: 3, aboveCents: cents(500_00) } as const;
/** A boleto paid more than this many days before its due date counts as early, and not as urgent. */
export const earlyDays = 5;

export const isFarValue = (value: number, { paid, largest }: { paid: number; largest: number }): boolean =>
  paid >= farValue.paidMin && value > largest * farValue.times && value - largest >= farValue.aboveCents;

/**
 * True for three or more equal payments at equal intervals, which are a rent or a salary and not a double payment.
 * `days` holds the days of the earlier payments and of this one, distinct and in order.
 */
export function isSteady(days: readonly CalendarDate[]): boolean {
  if (days.length < 3) return false;
  const gaps = days.slice(1).map((day, index) => daysBetween(days[index] as CalendarDate, day));
  const [least, most] = [Math.min(...gaps), Math.max(...gaps)];
  return (
    least >= steady.gapMin && most - least <= Math.max(steady.slackMin, Math.floor(least / steady.slackPart))
  );
}
/** A month has 28 to 31 days and its end may be a Sunday; a week moves by a holiday. */
export const steady = { gapMin: 5, slackMin: 2, slackPart: 4 } as const;

/** The other payment that a finding refers to. */
export interface OtherPayment {
  batch_name: string;
  batch_status: BatchStatus;
  status: PaymentStatus;
  /** True when it is in the batch under review. */
  isHere: boolean;
  value: number;
  day: CalendarDate;
  /** The person who created its batch. */
  person: string;
}

export interface FindingFacts {
  kind: CheckKind;
  value: number | null;
  other: OtherPayment | null;
  data: Readonly<Record<string, string | number>>;
}

const brl = (value: unknown) => formatBrl(cents(Number(value)) as Cents);
const days = (count: number) => (count === 1 ? "1 dia" : `${count} dias`);

/** Returns, for example, 'Vencido há 2 dias'. */
export const overdueText = (dueDate: CalendarDate, today: CalendarDate): string =>
  `Vencido há ${days(daysBetween(dueDate, today))}`;

/** Returns the progress of the other payment, which determines what can still be done. */
export function stateText({ batch_status, status }: Pick<OtherPayment, "batch_status" | "status">): string {
  if (batch_status === "DRAFT") return "em rascunho";
  if (batch_status === "WAITING_APPROVAL") return "aguardando aprovação";
  if (batch_status === "WAITING") return "aguardando saldo";
  if (status === "SCHEDULED") return "agendado";
  if (status === "TRANSFERRED" || status === "FINISHED") return "pago";
  return status === "FAILED" ? "pode ainda sair: falhou e pode ser tentado de novo" : "em processamento";
}

function otherText(other: OtherPayment): string {
  if (other.isHere) return "neste mesmo lote";
  const { day, batch_name, person } = other;
  return `em ${formatDate(day)}, no lote “${batch_name}” (${stateText(other)}), de ${person}`;
}

/** Formats a key as everywhere else, with a CPF masked (ruling D15): `chave ***.982.247-**`; names the bank of an account. */
function placeText(place: unknown): string {
  const text = String(place);
  const [, key] = /^chave (.+)$/.exec(text) ?? [];
  if (key !== undefined) return `chave ${shownPixKey(key)}`;
  return text.replace(/^banco (\d{8})/, (ispb, digits: string) => findBankByIspb(digits)?.name ?? ispb);
}

/** Returns the text beside a payment in the list of findings. */
export function findingText({ kind, other, data }: FindingFacts): string {
  switch (kind) {
    case "same_payment":
      return other ? `Mesmo recebedor e valor ${otherText(other)}` : "Mesmo recebedor e valor";
    case "steady_payment":
      return other ? `Igual ao pagamento ${otherText(other)}` : "Igual aos anteriores";
    case "same_reference":
      return other
        ? `“${data.reference}” já paga ${brl(other.value)} ${otherText(other)}`
        : `“${data.reference}” repetido`;
    case "changed_account":
      return `Agora ${placeText(data.now)}; antes ${placeText(data.before)}${other ? `, paga ${otherText(other)}` : ""}`;
    // The text is that of the lookup.
    case "holder_differs":
    case "holder_by_name":
    case "billet_register":
      return String(data.text);
    case "failed_receiver":
      return `O último pagamento não chegou: ${data.reason}`;
    case "like_name":
      return `Mesmo valor e dia para ${data.name}, em outra conta`;
    case "other_alphabet":
      return `O nome traz sinais de outro alfabeto, que podem parecer letras latinas: ${data.signs}`;
    case "value_far":
      return `O maior de ${data.paid} pagamentos anteriores foi ${brl(data.largest)}`;
    case "suggested_data":
    case "changed_data":
      return (JSON.parse(String(data.marks ?? "[]")) as DataMark[]).map(markText).join(" · ");
    case "not_in_sheet":
      return "Acrescentado ao lote depois de importar a planilha";
    case "sheet_total":
      return `A linha ${data.row} da planilha diz ${brl(data.stated)}; os pagamentos deste lote somam ${brl(data.sum)}`;
    case "billet_overdue":
      return `Vencido há ${days(Number(data.days))}: confira juros e multa`;
    case "billet_early":
      return `Pago ${days(Number(data.days))} antes do vencimento, ${data.due}`;
    case "new_receiver":
      return "Nunca recebeu um pagamento da sua empresa";
    case "repeated_integration_id":
      return other ? `O ID “${data.id}” também está ${otherText(other)}` : `O ID “${data.id}” está repetido`;
    case "expired_date":
      return "Escolha uma nova data";
    case "limit_short":
      return String(data["text"]);
    case "balance_short":
      return `Faltam ${brl(data.missing)}: o lote espera o saldo`;
  }
}

/** Findings of one kind. The fingerprint changes with every payment concerned and with the details of its findings. */
export interface FoundKind {
  kind: CheckKind;
  count: number;
  fingerprint: string;
}
export type Confirmation = Pick<FoundKind, "kind" | "fingerprint">;

/** Returns the findings whose current content is unconfirmed; a confirmation of other findings does not count. */
export function findUnconfirmed<Found extends FoundKind>(
  found: readonly Found[],
  confirmed: readonly Confirmation[],
): Found[] {
  return found.filter(
    ({ kind, fingerprint }) =>
      checkSeverity(kind) === "tick" &&
      !confirmed.some((one) => one.kind === kind && one.fingerprint === fingerprint),
  );
}

export type ConfirmRefusal =
  | ApproverRefusal
  | "forbidden"
  | "batch_not_draft"
  | "confirmation_of_another"
  | "checks_changed";

/** True when one user alone edited a batch: one payment added to another person's draft makes it the draft of two. */
export const isPreparedAloneBy = (userId: string, editorIds: readonly string[]): boolean =>
  editorIds.length > 0 && editorIds.every((id) => id === userId);

/**
 * Decides who may confirm findings. For a draft: those who may send it on; a credential only for a batch that it or its
 * owner prepared alone. For a batch that waits for approval: a person whose approval would count.
 */
export function decideConfirm(facts: {
  status: BatchStatus;
  profile: BatchProfile;
  isPerson: boolean;
  /** The person, or the owner of the credential. */
  userId: string;
  editorIds: readonly string[];
  /** The reason why this person's approval of the batch would not count under the policy in force. */
  approverRefusal: ApproverRefusal | undefined;
  found: readonly FoundKind[];
  confirmations: readonly Confirmation[];
}): { kind: "accepted" } | { kind: "refused"; code: ConfirmRefusal } {
  const refuse = (code: ConfirmRefusal) => ({ kind: "refused", code }) as const;
  const { status, profile, isPerson, userId, editorIds } = facts;
  if (profile === "analyst") return refuse("forbidden");
  if (status !== "DRAFT" && status !== "WAITING_APPROVAL") return refuse("batch_not_draft");
  if (status === "DRAFT") {
    if (!isPerson && !isPreparedAloneBy(userId, editorIds)) return refuse("confirmation_of_another");
  } else {
    if (!isPerson) return refuse("confirmation_of_another");
    if (facts.approverRefusal) return refuse(facts.approverRefusal);
  }
  const isFound = ({ kind, fingerprint }: Confirmation) =>
    facts.found.some((one) => one.kind === kind && one.fingerprint === fingerprint);
  return facts.confirmations.every(isFound) ? { kind: "accepted" } : refuse("checks_changed");
}
