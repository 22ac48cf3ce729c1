/**
 * Draws receipts in a separate thread, some at a time: a hundred thousand take minutes of processor time, which the
 * process needs for other calls. This side only reads rows and forwards bytes.
 */
import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { type OwnInstitution, ownInstitution } from "@malote/domain/own-institution";
import { lowPriorityThread } from "../platform/low-priority-thread.ts";
import type { Issuer, SealedPayment } from "./printed.ts";

/** Issuer of a thread's receipts, and the institution that paid them. */
export interface ReceiptsThreadData {
  issuer: Issuer;
  institution: OwnInstitution;
}

export type ToReceiptsThread = { kind: "payments"; payments: SealedPayment[] } | { kind: "end" };

const limits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };

/** Yields the bytes of a ZIP with one PDF per payment. Reads the next payments after the previous ones were sent. */
export async function* zipOfReceipts(
  issuer: Issuer,
  payments: AsyncIterable<SealedPayment[]>,
): AsyncGenerator<Uint8Array> {
  const thread = new Worker(new URL("./receipts-worker.ts", import.meta.url), {
    workerData: { issuer, institution: ownInstitution() } satisfies ReceiptsThreadData,
    resourceLimits: limits,
    ...lowPriorityThread,
  });
  // An error after the reader has disconnected must not end the process.
  thread.on("error", () => undefined);
  const answers = on(thread, "message", { close: ["exit"] });
  async function ask(question: ToReceiptsThread): Promise<Uint8Array> {
    thread.postMessage(question);
    const { value, done } = await answers.next();
    if (done) throw new Error("the receipts thread ended without an answer");
    return (value as [Uint8Array])[0];
  }
  try {
    for await (const some of payments) yield await ask({ kind: "payments", payments: some });
    yield await ask({ kind: "end" });
  } finally {
    await thread.terminate();
  }
}
