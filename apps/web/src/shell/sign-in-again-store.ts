/** Passes the question "sign in again?" from a refused call to the dialog that answers it. */
let answer: ((signedIn: boolean) => void) | undefined;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

export function askToSignInAgain(): Promise<boolean> {
  return new Promise((resolve) => {
    answer = resolve;
    notify();
  });
}

export function answerSignInAgain(signedIn: boolean): void {
  answer?.(signedIn);
  answer = undefined;
  notify();
}

export const signInAgainStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  isAsked: () => answer !== undefined,
};
