import { useEffect, useState } from "react";
import { forgetKept, isAnyKept, keep, readKept } from "../shell/kept.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";

const startOf = (keptIn: string) => `malote.form.${keptIn}.`;
const keyOf = (keptIn: string, id: string) => `${startOf(keptIn)}${id}`;

/** True when a kept form of this batch waits to be offered. */
export const hasKeptForm = (keptIn: string): boolean => isAnyKept(startOf(keptIn));

interface Filling<Form> {
  /** Batch or list that the form belongs to. */
  keptIn: string;
  /** Left out for a new record. */
  id: string | undefined;
  form: Form;
  /** Content of the form when it opened. */
  start: Form;
}

/** Keeps the form's content in the tab while it differs from the start, and offers what an earlier form left behind. */
export function useKeptForm<Form>({ keptIn, id, form, start }: Filling<Form>) {
  const key = keyOf(keptIn, id ?? "novo");
  const [{ of, kept }, setKept] = useState(() => ({ of: key, kept: readKept<Form>(key) }));
  // The form now belongs to another record, as when another type of key makes a new receiver of it.
  if (of !== key) setKept({ of: key, kept: readKept<Form>(key) });
  const dirty = !isSame(form, start);
  useUnsavedWork(dirty);
  useEffect(() => {
    if (dirty) keep(key, form);
  }, [dirty, key, form]);
  const forget = () => forgetKept(key);
  const settle = () => setKept({ of: key, kept: undefined });
  return {
    dirty,
    forget,
    /** Call when the form closes: drops the offer too. */
    settle,
    /** Actions for an earlier form, when there is one that differs from the present content. */
    offer(recover: (form: Form) => void) {
      if (!kept || isSame(kept, form)) return undefined;
      return {
        onRecover: () => {
          recover(kept);
          settle();
        },
        onDiscard: () => {
          forget();
          settle();
        },
      };
    },
  };
}

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right);
