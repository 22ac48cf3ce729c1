import { useEffect, useState } from "react";
import { readSession } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";

/**
 * A half-filled payment, or receiver, outlives a reload and an expired session, in this tab alone. It is bound to the person who typed
 * it, so whoever signs in next in the same tab never sees it.
 */
const keyOf = (keptIn: string, id: string) => `malote.payment.${keptIn}.${id}`;

interface Kept<Form> {
  owner: string;
  form: Form;
}

const ownerNow = () => {
  const session = readSession();
  return session ? `${session.sub} ${session.company.id}` : "";
};

function keep<Form>(key: string, form: Form): void {
  try {
    sessionStorage.setItem(key, JSON.stringify({ owner: ownerNow(), form } satisfies Kept<Form>));
  } catch {
    // A full or forbidden storage only costs the comfort.
  }
}

function read<Form>(key: string): Form | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? "null") as Kept<Form> | null;
    return kept && kept.owner === ownerNow() ? kept.form : undefined;
  } catch {
    return undefined;
  }
}

interface Filling<Form> {
  /** The batch, or the list, it is filled in for. */
  keptIn: string;
  /** Left out for what is new. */
  id: string | undefined;
  form: Form;
  /** What the form held when it opened. */
  start: Form;
}

/** Keeps what is typed while it differs from the start, and offers what an earlier form left behind. */
export function useKeptForm<Form>({ keptIn, id, form, start }: Filling<Form>) {
  const key = keyOf(keptIn, id ?? "novo");
  const [{ of, kept }, setKept] = useState(() => ({ of: key, kept: read<Form>(key) }));
  // The form became one for something else, as when another type of key makes a new receiver of it.
  if (of !== key) setKept({ of: key, kept: read<Form>(key) });
  const dirty = !isSame(form, start);
  useUnsavedWork(dirty);
  useEffect(() => {
    if (dirty) keep(key, form);
  }, [dirty, key, form]);
  const forget = () => sessionStorage.removeItem(key);
  const settle = () => setKept({ of: key, kept: undefined });
  return {
    dirty,
    forget,
    /** The form went: what was offered went with it. */
    settle,
    /** What to do with the earlier form, where there is one and it is not what stands here already. */
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
