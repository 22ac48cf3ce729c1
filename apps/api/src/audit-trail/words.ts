/** Formats the content of an entry as text, for both the screen and the sheet. */
import { errorText } from "@malote/contracts/errors";
import { permissionNames } from "@malote/contracts/permission-names";
import { applicationNames, profileNames } from "@malote/contracts/profiles";
import type { ReportKind } from "@malote/contracts/reports";
import { type Address, addressText } from "@malote/domain/address";
import { type AuditField, type AuditObject, auditActions, auditFields } from "@malote/domain/audit-trail";
import { accountTypeNames } from "@malote/domain/bank-account";
import { findBankByIspb } from "@malote/domain/banks";
import { formatDate, formatMoment, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { cents, formatBrl } from "@malote/domain/money";
import { paymentMethodNames, periodNames } from "@malote/domain/payment-limits";
import { kindNames } from "../controls/index.ts";
import { reportForms } from "../reports/index.ts";
import type { EntryRow } from "./store.ts";

type Names = ReadonlyMap<string, string>;
type Fact = { label: string; value: string };

/** Formats a time to the second for the sheet, because the time of an action is evidence there. */
export const momentText = (at: Date): string => `${formatDate(saoPauloDate(at))} ${saoPauloTime(at)}`;

const named = (table: object, value: unknown): string =>
  (Object.hasOwn(table, String(value)) && (table as Record<string, string>)[String(value)]) || String(value);
const listed = (value: unknown, textOf: (one: unknown) => string): string =>
  Array.isArray(value) ? value.map(textOf).join(", ") || "nenhum" : textOf(value);
const money = (value: unknown): string =>
  typeof value === "number" && Number.isSafeInteger(value) ? formatBrl(cents(value)) : String(value);
const bank = (value: unknown): string => findBankByIspb(String(value))?.name ?? String(value);
const bands = (value: unknown): string =>
  (value as { from: number; approvers: number }[])
    .map(
      ({ from, approvers }) => `a partir de ${money(from)}: ${approvers === 0 ? "ninguém mais" : approvers}`,
    )
    .join("; ");

/** Formatters of fields whose values are not plain text, numbers or booleans. */
const valueTexts: Partial<Record<AuditField, (value: unknown, names: Names) => string>> = {
  profile: (value) => named(profileNames, value),
  application: (value) => named(applicationNames, value),
  applications: (value) => listed(value, (one) => named(applicationNames, one)),
  permissions: (value) => listed(value, (one) => (one === "all" ? "Todas" : named(permissionNames, one))),
  feature_flags: (value) => listed(value, String),
  address: (value) => addressText(value as Address),
  bank_id: bank,
  bank_ispb: bank,
  account_type: (value) => named(accountTypeNames, value),
  value: money,
  limit: money,
  raise: money,
  payment_price: money,
  stepUpFrom: money,
  bands,
  operatorApprovers: (value, names) => listed(value, (id) => names.get(String(id)) ?? "alguém que saiu"),
};

function valueText(field: AuditField, value: unknown, names: Names): string | null {
  if (value === null || value === undefined) return null;
  const textOf = valueTexts[field];
  if (textOf) return textOf(value, names);
  return typeof value === "boolean" ? (value ? "Sim" : "Não") : String(value);
}

const fieldsInOrder = Object.keys(auditFields) as AuditField[];

export const changesOf = ({ detail }: Pick<EntryRow, "detail">, names: Names) =>
  fieldsInOrder.flatMap((field) => {
    const change = detail.changes?.[field];
    if (!change) return [];
    const { label } = auditFields[field];
    return { label, from: valueText(field, change.from, names), to: valueText(field, change.to, names) };
  });

/** Returns the users whose names the entries' changes need. */
export const peopleIn = (rows: readonly EntryRow[]): string[] => [
  ...new Set(
    rows.flatMap(({ detail: { changes } }) =>
      [changes?.operatorApprovers?.from, changes?.operatorApprovers?.to].flatMap((ids) =>
        Array.isArray(ids) ? ids.map(String) : [],
      ),
    ),
  ),
];

const moment = (value: unknown) => {
  const at = new Date(String(value));
  return Number.isNaN(at.getTime()) ? String(value) : formatMoment(at);
};
const count = (value: unknown) => (Array.isArray(value) ? String(value.length) : String(value));

/** Formats a report kind like `Extrato XLSX`, as the menu shows it. */
const reportText = (value: unknown): string | undefined =>
  Object.hasOwn(reportForms, String(value))
    ? `${reportForms[value as ReportKind].name} ${reportForms[value as ReportKind].ending.toUpperCase()}`
    : undefined;

/**
 * Other details of an entry, in display order. Details that are not listed are technical: ids, digests, positions in a
 * file.
 */
const factTexts: Readonly<Record<string, readonly [label: string, textOf: (value: unknown) => string]>> = {
  name: ["Nome", String],
  kind: ["Pedido", (value) => reportText(value) ?? named(kindNames, value)],
  period: ["Período", (value) => named(periodNames, value)],
  payment_method: ["Forma de pagamento", (value) => named(paymentMethodNames, value)],
  value: ["Valor", money],
  amount: ["Valor", money],
  limit: ["Limite", money],
  payments: ["Pagamentos", count],
  transfers: ["Pagamentos", count],
  written: ["Pagamentos salvos", count],
  removed: ["Excluídos", count],
  receivers: ["Recebedores", count],
  receipts: ["Comprovantes", count],
  rows: ["Linhas", count],
  confirmations: ["Alertas confirmados", count],
  reason: ["Motivo", String],
  description: ["Descrição", String],
  requested_by: ["Pedido por", String],
  missing: ["Faltam", (value) => String(value)],
  at: ["Vale a partir de", moment],
  inForceAt: ["Vale a partir de", moment],
  code: ["Recusa", (value) => errorText(value)],
};

export function factsOfEntry({ detail }: Pick<EntryRow, "detail">): Fact[] {
  const own = Object.entries(factTexts).flatMap(([key, [label, textOf]]) => {
    const value = detail[key];
    if (value === undefined || value === null || (typeof value === "object" && !Array.isArray(value)))
      return [];
    return { label, value: textOf(value) };
  });
  // A request for approval includes the facts that its approvers read.
  const facts = Array.isArray(detail["facts"]) ? (detail["facts"] as Fact[]) : [];
  return [...own, ...facts.map(({ label, value }) => ({ label: String(label), value: String(value) }))];
}

/** Returns the ids of batches that entries are about. */
export const batchesIn = (rows: readonly Pick<EntryRow, "action" | "subject_id">[]): string[] => [
  ...new Set(
    rows.flatMap(({ action, subject_id }) =>
      subject_id !== null && objectOf(action) === "batch" ? [subject_id] : [],
    ),
  ),
];

export const objectOf = (action: string): AuditObject | null =>
  Object.hasOwn(auditActions, action) ? auditActions[action as keyof typeof auditActions].object : null;
export const actionText = (action: string): string =>
  Object.hasOwn(auditActions, action) ? auditActions[action as keyof typeof auditActions].label : action;
