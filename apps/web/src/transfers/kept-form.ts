import { readSession } from "../shell/session.ts";
import type { TransferForm } from "./transfer-form.ts";

/**
 * A half-filled payment, or receiver, outlives a reload and an expired session, in this tab alone. It is bound to the person who typed
 * it, so whoever signs in next in the same tab never sees it.
 */
const keyOf = (batchId: string, transferId: string) => `malote.payment.${batchId}.${transferId}`;

interface Kept {
  owner: string;
  form: TransferForm;
}

const ownerNow = () => {
  const session = readSession();
  return session ? `${session.sub} ${session.company.id}` : "";
};

export function keepForm(batchId: string, transferId: string, form: TransferForm): void {
  try {
    sessionStorage.setItem(
      keyOf(batchId, transferId),
      JSON.stringify({ owner: ownerNow(), form } satisfies Kept),
    );
  } catch {
    // A full or forbidden storage only costs the comfort.
  }
}

export function keptForm(batchId: string, transferId: string): TransferForm | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(keyOf(batchId, transferId)) ?? "null") as Kept | null;
    return kept && kept.owner === ownerNow() ? kept.form : undefined;
  } catch {
    return undefined;
  }
}

export function forgetForm(batchId: string, transferId: string): void {
  sessionStorage.removeItem(keyOf(batchId, transferId));
}
