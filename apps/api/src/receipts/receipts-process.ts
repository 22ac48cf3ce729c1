/**
 * Draws receipts in a child process, some at a time: a hundred thousand take minutes of processor time, which the
 * process needs for other calls. This side only reads rows and forwards bytes.
 */
import { type OwnInstitution, ownInstitution } from "@malote/domain/own-institution";
import { startLowPriorityProcess } from "../platform/low-priority-process.ts";
import type { Issuer, SealedPayment } from "./printed.ts";

/** The first message names the issuer of the receipts and the institution that paid them. */
export type ToReceiptsProcess =
  | { kind: "start"; issuer: Issuer; institution: OwnInstitution }
  | { kind: "payments"; payments: SealedPayment[] }
  | { kind: "end" };

const limits = { oldMb: 192, semiSpaceMb: 8 };

/** Yields the bytes of a ZIP with one PDF per payment. Reads the next payments after the previous ones were sent. */
export async function* zipOfReceipts(
  issuer: Issuer,
  payments: AsyncIterable<SealedPayment[]>,
): AsyncGenerator<Uint8Array> {
  const child = startLowPriorityProcess<ToReceiptsProcess, Uint8Array>(
    new URL("./receipts-entry.ts", import.meta.url),
    limits,
  );
  const answers = child.answers();
  async function ask(question: ToReceiptsProcess): Promise<Uint8Array> {
    child.ask(question);
    const { value, done } = await answers.next();
    if (done) throw new Error("the receipts process ended without an answer");
    return value;
  }
  try {
    child.ask({ kind: "start", issuer, institution: ownInstitution() });
    for await (const some of payments) yield await ask({ kind: "payments", payments: some });
    yield await ask({ kind: "end" });
  } finally {
    await child.kill();
  }
}
