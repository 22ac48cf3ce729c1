/** Findings of lookups about the payments of a batch, as data for a person to review before the payments leave. */
import { type CalendarDate, daysBetween, saoPauloDate } from "@malote/domain/calendar";
import type { LookupFinding, LookupFindingCode } from "@malote/domain/lookup-findings";
import { isLikeName } from "@malote/domain/person-name";
import { maskTaxId } from "@malote/domain/tax-id";
import type { RawBuilder } from "kysely";
import type { Tx } from "../../platform/db/database.ts";
import { type FindingRow, listFindingRows } from "./findings-store.ts";

/**
 * Returns at most one finding for each payment: about its key, the holder of the key, or its boleto at the register. A
 * payment without an answer has a finding of its own.
 */
export async function readLookupFindings(
  tx: Tx,
  /** Payments as rows of `transfers`. */
  payments: RawBuilder<unknown>,
  now: Date,
  codes: readonly LookupFindingCode[] = listed,
): Promise<LookupFinding[]> {
  const today = saoPauloDate(now);
  const kinds = codes.map((code) => (byName.has(code) ? "key_by_name" : code));
  const rows = await listFindingRows(tx, payments, kinds, today);
  return rows.flatMap((row) => {
    const code = codeOf(row);
    return code && codes.includes(code) ? [{ paymentId: row.id, code, data: dataOf(row, code, today) }] : [];
  });
}

/** Findings for which at most the name of the holder could be compared. */
const byName: ReadonlySet<LookupFindingCode> = new Set([
  "key_name_differs",
  "key_name_missing",
  "key_name_alike",
]);

/** Findings in the list of a batch: all but those whose comparison agrees as far as it was possible. */
const listed: readonly LookupFindingCode[] = [
  "key_holder_differs",
  "key_name_differs",
  "key_not_found",
  "key_salary_account",
  "key_not_asked",
  "billet_overdue",
  "billet_paid",
  "billet_unpayable",
  "billet_not_registered",
  "billet_not_asked",
];

function codeOf({ code, given, name, is_own_document }: FindingRow): LookupFindingCode | undefined {
  if (code !== "key_by_name") return code;
  if (given && !isLikeName(given, name ?? "")) return "key_name_differs";
  if (is_own_document) return undefined;
  return given ? "key_name_alike" : "key_name_missing";
}

function dataOf(
  { name, given, is_own_document, tax_id, due_date, value }: FindingRow,
  code: LookupFindingCode,
  today: CalendarDate,
): LookupFinding["data"] {
  const holder = { name: name ?? "", document: maskTaxId(tax_id ?? "") };
  if (code === "key_holder_differs") return holder;
  if (byName.has(code)) return { ...holder, given: given ?? "", isOwnDocument: Number(is_own_document) };
  if (code === "billet_overdue" && due_date) return { days: daysBetween(due_date, today), total: value ?? 0 };
  return {};
}
