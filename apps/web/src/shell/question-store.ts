/** Passes a question from a refused call to the dialog that answers it. */
export interface QuestionStore {
  ask: () => Promise<boolean>;
  answer: (yes: boolean) => void;
  subscribe: (listener: () => void) => () => void;
  isAsked: () => boolean;
}

export function questionStore(): QuestionStore {
  let waiting: ((yes: boolean) => void)[] = [];
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  return {
    ask: () =>
      new Promise((resolve) => {
        waiting = [...waiting, resolve];
        notify();
      }),
    answer(yes) {
      const answered = waiting;
      waiting = [];
      for (const resolve of answered) resolve(yes);
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isAsked: () => waiting.length > 0,
  };
}

/** Asks the person to confirm their identity before a change that would outlive a stolen token. */
export const identityQuestion = questionStore();
