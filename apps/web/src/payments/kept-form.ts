import { useEffect, useState } from "react";
import { forgetKept, isAnyKept, keep, readKept } from "../shell/kept.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";

const startOf = (keptIn: string) => `malote.form.${keptIn}.`;
const keyOf = (keptIn: string, id: string) => `${startOf(keptIn)}${id}`;

/** Whether a form of this batch waits to be offered again. */
export const hasKeptForm = (keptIn: string): boolean => isAnyKept(startOf(keptIn));

interface Filling<Form> {
  /** The batch, or the list, it is filled in for. */
  keptIn: string;
  /** Left out for what is new. */
  id: string | undefined;
  form: Form;
  /** What the form held when it opened. */
  start: Form;
}

/** Keeps what is typed, as what is kept in a tab, while it differs from the start, and offers what an earlier form left behind. */
export function useKeptForm<Form>({ keptIn, id, form, start }: Filling<Form>) {
  const key = keyOf(keptIn, id ?? "novo");
  const [{ of, kept }, setKept] = useState(() => ({ of: key, kept: readKept<Form>(key) }));
  // The form became one for something else, as when another type of key makes a new receiver of it.
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
    /** The form went: what was offered went with it. */
    settle,
    /** What to do with the earlier form, where there is one and it is not what is here already. */
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
