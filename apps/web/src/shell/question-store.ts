/** A question between its asker (a refused call) and the dialog that answers. */
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

/** Who are you still? Asked before a change that would outlive a stolen token. */
export const identityQuestion = questionStore();
