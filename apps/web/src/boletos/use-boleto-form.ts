import { lastPayDay } from "@malote/domain/boleto";
import { parseDate, saoPauloDate } from "@malote/domain/calendar";
import {
  hasText,
  type Issue,
  type IssueCode,
  issueFormText,
  issueText,
  severityOf,
} from "@malote/domain/issues";
import { maxCentsFor } from "@malote/domain/limits";
import type { Cents } from "@malote/domain/money";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { companySettingsQuery } from "../shell/balance.ts";
import { formatMoney } from "../ui/format.ts";
import { systemNow } from "../ui/system-time.ts";
import { duplicateQuery } from "./api.ts";
import {
  type BoletoForm,
  checkForm,
  type FieldName,
  isWholeLine,
  lineOfTyped,
  readWholeLine,
  registerOf,
  withCode,
} from "./boleto-form.ts";
import { registerQuery } from "./register-api.ts";

interface FormOptions {
  billetId: string;
  /** While correcting: amount that was reserved for the boleto, which must not change. */
  fixedValue?: number | undefined;
  /** True for a draft with mistakes, which shows them at once. */
  shownFromStart: boolean;
}

/**
 * State of a boleto's form. An error shows once its field was left or the first save was attempted; errors of the code
 * show as soon as its last digit is typed. The server's errors stay until the field changes.
 */
export function useBoletoForm(initial: BoletoForm, options: FormOptions) {
  const { billetId, fixedValue } = options;
  const settings = useQuery(companySettingsQuery);
  const [form, setForm] = useState(initial);
  const [left, setLeft] = useState<ReadonlySet<FieldName>>(new Set());
  const [showAll, setShowAll] = useState(options.shownFromStart);
  const [attempt, setAttempt] = useState(0);
  const [fromServer, setFromServer] = useState<readonly Issue[]>([]);

  const today = saoPauloDate(systemNow());
  const code = readWholeLine(form.barcode, today);
  const duplicate = useQuery(duplicateQuery(billetId, code?.barcode));
  const limits = (settings.data?.accountLimits ?? {}) as Partial<Record<"BILLET" | "PIX", Cents>>;
  const maxCents = maxCentsFor("BILLET", limits);
  const answer = useQuery(registerQuery(code?.barcode)).data;
  const register = answer && registerOf(answer);
  const check = checkForm(form, {
    maxCents,
    isDuplicated: duplicate.data?.isDuplicated ?? false,
    register,
  });

  const complaints = uniqueByField([
    ...check.errors.map(complaintOf),
    ...fromServer.filter((issue) => severityOf(issue) === "error").map(complaintOf),
    ...otherValue(check.draft.value, fixedValue),
  ]);
  const isShown = (field: FieldName) =>
    showAll ||
    left.has(field) ||
    fromServer.some((issue) => issue.field === field) ||
    (field === "barcode" && isWholeLine(form.barcode)) ||
    (field === "value" && fixedValue !== undefined) ||
    (field === "payment_date" && parseDate(form.payment_date ?? "") !== undefined);

  function change(patch: Partial<BoletoForm>) {
    setForm((before) => ({ ...before, ...patch }));
    setFromServer((before) => before.filter(({ field }) => !(field in patch)));
  }

  function typeCode(typed: string) {
    change(fixedValue === undefined ? withCode(form, typed, today) : { barcode: typed });
  }

  function tidyCode() {
    const line = lineOfTyped(form.barcode, today);
    if (line !== form.barcode) typeCode(line);
  }

  return {
    form,
    change,
    typeCode,
    code,
    /** Batch that already contains this code, named beside the refusal. */
    usedIn: duplicate.data?.isDuplicated ? duplicate.data.batch : null,
    /** Moment of the register's answer about this code. */
    registeredAt: answer?.asked_at,
    check,
    /** The register's amount of the day replaces the code's, and a typed one (BIL-016). */
    valueToPay: code ? check.draft.value : form.value,
    lastPayDay: lastPayDay(code?.dueDate ?? null, { today, register }),
    maxCents,
    attempt,
    /** Errors that prevent saving, once they are to be shown. */
    complaints: showAll ? complaints : [],
    errorOf: (field: FieldName) =>
      isShown(field) ? complaints.find((one) => one.field === field)?.text : undefined,
    warningOf: (field: FieldName) => {
      const issue = [...check.warnings, ...fromServer].find(
        (one) => one.field === field && severityOf(one) === "warning",
      );
      return issue && issueText(issue);
    },
    leave(field: FieldName) {
      setLeft((before) => new Set(before).add(field));
      if (field === "barcode") tidyCode();
    },
    /** Resets the form for another boleto. */
    reset(next: BoletoForm) {
      setForm(next);
      setLeft(new Set());
      setShowAll(false);
      setAttempt(0);
      setFromServer([]);
    },
    /** Marks every field as visited; returns true when the form may be sent. */
    submit(): boolean {
      tidyCode();
      setShowAll(true);
      setAttempt((before) => before + 1);
      setFromServer([]);
      return check.errors.length + otherValue(check.draft.value, fixedValue).length === 0;
    },
    /** Adds issues that only the server could find. */
    mergeServer(issues: readonly Issue[]) {
      setShowAll(true);
      setFromServer(issues);
      setAttempt((before) => before + 1);
    },
    addWarning(issue: Issue) {
      setFromServer((before) => [...before.filter(({ code }) => code !== issue.code), issue]);
    },
  };
}
export type BoletoFormState = ReturnType<typeof useBoletoForm>;

interface Complaint {
  field: FieldName;
  text: string;
}

/** BIL-011, BIL-014: falls back to the text of the field for a mistake without a text of its own. */
const fallbacks: Partial<Record<FieldName, IssueCode>> = {
  barcode: "billet_code_invalid",
  value: "value_invalid",
};

/** Text of the list, with advice when the text is too short. */
function complaintOf(issue: Issue): Complaint {
  const field = issue.field as FieldName;
  const said = hasText(issue) ? issue : { code: fallbacks[field] ?? issue.code };
  const [text, detail] = [issueText(said), issueFormText(said)];
  return { field, text: text === detail ? text : `${text}. ${detail}` };
}

const uniqueByField = (complaints: readonly Complaint[]): Complaint[] =>
  complaints.filter(({ field }, at) => complaints.findIndex((one) => one.field === field) === at);

/** The reserved amount can pay only a code of the same value (ruling D19). */
function otherValue(value: number | null, fixedValue: number | undefined): Complaint[] {
  if (fixedValue === undefined || value === fixedValue || value === null) return [];
  const text = `Este código é de ${formatMoney(value)}, e o valor reservado é de ${formatMoney(fixedValue)}. Use um código deste valor, ou devolva ao saldo e pague em outro lote.`;
  return [{ field: "barcode", text }];
}
