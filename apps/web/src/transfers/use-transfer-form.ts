import type { Issue } from "@malote/domain/issues";
import { issueFormText, issueText, severityOf } from "@malote/domain/issues";
import { detectPixKeyType, formatPixKey, normalisePixKey, pixKeyProblem } from "@malote/domain/pix-key";
import { isCpf } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { companySettingsQuery } from "../shell/balance.ts";
import { toast } from "../ui/toasts.tsx";
import { blacklistQuery } from "./api.ts";
import {
  checkForm,
  type FieldName,
  type FormCheck,
  type FormFacts,
  factsOf,
  type TransferForm,
} from "./transfer-form.ts";

/** TRF-035: toast for a public account of a person. */
export const publicEntityToast = "Esse tipo de conta somente permite pagamento para pessoa jurídica";
/** TRF-036: toast for any other invalid data. */
export const invalidToast = "Há dados inválidos na transferência";

/**
 * State of a payment's form: typed values, visited fields, and the text under each. An error shows once its field was
 * left or the first save was attempted; the server's errors stay until the field changes.
 */
export function useTransferForm(
  initial: TransferForm,
  shownFromStart = false,
  checkOf: (form: TransferForm, facts: FormFacts) => FormCheck = checkForm,
) {
  const settings = useQuery(companySettingsQuery);
  const blacklist = useQuery(blacklistQuery);
  const [form, setForm] = useState(initial);
  const [visitedFields, setVisitedFields] = useState<ReadonlySet<FieldName>>(new Set());
  const [showAll, setShowAll] = useState(shownFromStart);
  const [attempt, setAttempt] = useState(0);
  const [fromServer, setFromServer] = useState<readonly Issue[]>([]);

  const facts = useMemo(() => factsOf(settings.data, blacklist.data), [settings.data, blacklist.data]);
  const check = useMemo(() => checkOf(form, facts), [checkOf, form, facts]);

  function change(patch: Partial<TransferForm>) {
    setForm((before) => ({ ...before, ...patch }));
    setFromServer((before) => before.filter(({ field }) => !(field in patch)));
    const becomesPublic = patch.account_type === "ENTIDADES_PUBLICAS";
    if (becomesPublic && isCpf(form.cpf_cnpj)) toast.bad(publicEntityToast);
  }

  function leave(field: FieldName) {
    setVisitedFields((before) => new Set(before).add(field));
    if (field === "pix_key" && form.pix_key.trim()) change(tidyKey(form));
  }

  const issues = [...check.errors, ...check.warnings, ...fromServer];
  const showsIssues = (field: string) => showAll || visitedFields.has(field as FieldName);
  const textOf = (field: FieldName, severity: "error" | "warning") => {
    const issue = issues.find((one) => one.field === field && severityOf(one) === severity);
    return issue && (showsIssues(field) || fromServer.includes(issue)) ? transferFormText(issue) : undefined;
  };
  const errors = uniqueByField([...check.errors, ...fromServer.filter((one) => severityOf(one) === "error")]);

  return {
    form,
    change,
    /** Resets the form for another payment. */
    reset(next: TransferForm): void {
      setForm(next);
      setVisitedFields(new Set());
      setShowAll(false);
      setAttempt(0);
      setFromServer([]);
    },
    leave,
    check,
    facts,
    errors,
    attempt,
    showAll,
    /** Marks every field as visited; returns true when the form may be sent. */
    submit(): boolean {
      setShowAll(true);
      setAttempt((before) => before + 1);
      setFromServer([]);
      return check.errors.length === 0;
    },
    /** Adds issues that only the server could find. */
    mergeServer(issuesOfServer: readonly Issue[]) {
      setShowAll(true);
      setFromServer(issuesOfServer);
      setAttempt((before) => before + 1);
    },
    addWarning(issue: Issue) {
      setFromServer((before) => [...before.filter(({ code }) => code !== issue.code), issue]);
    },
    errorOf: (field: FieldName) => textOf(field, "error"),
    warningOf: (field: FieldName) => textOf(field, "warning"),
    suggestionOf: (field: FieldName) =>
      check.errors.find((one) => one.field === field && one.suggestion)?.suggestion,
  };
}
export type TransferFormState = ReturnType<typeof useTransferForm>;

const uniqueByField = (issues: readonly Issue[]): Issue[] =>
  [...new Map(issues.toReversed().map((issue) => [issue.field, issue])).values()].reverse();

/** TRF-025, TRF-026: formats the key, and corrects its type when the typed one cannot be right. */
function tidyKey(form: TransferForm): Partial<TransferForm> {
  const fits = pixKeyProblem(form.pix_key_type, form.pix_key) === undefined;
  const type = fits ? form.pix_key_type : (detectPixKeyType(form.pix_key) ?? form.pix_key_type);
  const key = normalisePixKey({ type, key: form.pix_key });
  return { pix_key_type: key.type, pix_key: formatPixKey(key.type, key.key) };
}

/** TRF-044: for a date, the card's text takes precedence; for other fields the form's own (TRF-024). */
export function transferFormText(issue: Issue): string {
  const [text, detail] = [issueText(issue), issueFormText(issue)];
  return issue.field === "payment_date" && text !== detail ? `${text}. ${detail}` : detail;
}
