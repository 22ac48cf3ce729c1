import { type AllowedValidations, allowedValidationTypes } from "@malote/domain/validation";
import {
  type ValidationError,
  type ValidationField,
  validationErrorText,
} from "@malote/domain/validation-texts";
import type { ValidationType } from "@malote/domain/validation-types";
import { useMemo, useState } from "react";
import { dataOf, emptyForm, problemsOf, type ValidationForm } from "./validation-form-data.ts";

export interface Filling {
  form: ValidationForm;
  /** Chosen type, which the company may have disabled meanwhile. */
  type: ValidationType | undefined;
}

interface Complaint {
  field: ValidationField;
  message: string;
}

/** Typed values, visited fields, and the text under each: once it was left, or after the first attempt to send. */
export function useValidationForm(start: Filling, settings: AllowedValidations) {
  const types = allowedValidationTypes(settings);
  const [{ form, type: chosen }, setFilling] = useState(start);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [attempt, setAttempt] = useState(0);
  const [fromServer, setFromServer] = useState<readonly Complaint[]>([]);
  // VAL-003: the basic type is the default when it is allowed.
  const type = types.find((one) => one === chosen) ?? types[0];
  const data = useMemo(() => dataOf(form, type), [form, type]);
  const problems = useMemo<ValidationError[]>(() => problemsOf(data), [data]);

  const said = (field: ValidationField): string | undefined => {
    const own = problems.find((problem) => problem.field === field);
    if (own && (attempt > 0 || left.has(field))) return validationErrorText(own);
    return fromServer.find((problem) => problem.field === field)?.message;
  };
  return {
    form,
    type,
    types,
    data,
    attempt,
    filling: { form, type: chosen } satisfies Filling,
    errorOf: said,
    /** All problems, once the person tried to send. */
    problems:
      attempt > 0
        ? [...problems.map((one) => ({ field: one.field, message: validationErrorText(one) })), ...fromServer]
        : [],
    change(patch: Partial<ValidationForm>) {
      setFilling((before) => ({ ...before, form: { ...before.form, ...patch } }));
      setFromServer([]);
    },
    chooseType: (next: ValidationType) => setFilling((before) => ({ ...before, type: next })),
    /** Switches the kind of data and resets the visited fields, which belong to the previous kind. */
    chooseKind(kind: ValidationForm["kind"]) {
      setFilling((before) => ({ ...before, form: { ...before.form, kind } }));
      setLeft(new Set());
      setAttempt(0);
      setFromServer([]);
    },
    /** A form kept by an older version may lack fields of this one. */
    recover: (kept: Filling) => setFilling({ ...kept, form: { ...emptyForm, ...kept.form } }),
    leave: (field: ValidationField) => setLeft((before) => new Set(before).add(field)),
    /** Returns true when it may be sent. */
    submit(): boolean {
      setAttempt((before) => before + 1);
      setFromServer([]);
      return problems.length === 0;
    },
    /** Adds issues that only the server could find. */
    mergeServer(complaints: readonly Complaint[]) {
      setFromServer(complaints);
      setAttempt((before) => before + 1);
    },
  };
}
export type ValidationFormState = ReturnType<typeof useValidationForm>;
