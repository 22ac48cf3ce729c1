/** Thread side: receives payments and returns the next bytes of the ZIP. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { nameOwnInstitution } from "@malote/domain/own-institution";
import { plainFileName } from "../platform/files/file-name.ts";
import { drawReceipt } from "./draw-receipt.ts";
import type { SealedPayment } from "./printed.ts";
import type { ReceiptsThreadData, ToReceiptsThread } from "./receipts-thread.ts";
import { zipWriter } from "./zip.ts";

function threadPort(): MessagePort {
  if (parentPort === null) throw new Error("this file only runs as a worker thread");
  return parentPort;
}
const port = threadPort();
const { issuer, institution } = workerData as ReceiptsThreadData;
nameOwnInstitution(institution);
const zip = zipWriter();
let drawn = 0;

/** Names a file by the batch's order, the payee and the amount: `00007 Marina Lopes 123,45.pdf`. */
const nameOf = ({ transfer }: SealedPayment) =>
  `${String(++drawn).padStart(5, "0")} ${plainFileName(transfer.name ?? "", "recebedor")} ${formatAmount(cents(transfer.value))}.pdf`;

async function add(payments: readonly SealedPayment[]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = [];
  for (const payment of payments) {
    const { paidAt } = payment.transfer;
    const at = { date: saoPauloDate(paidAt), time: saoPauloTime(paidAt) };
    pieces.push(...zip.add(nameOf(payment), await drawReceipt(issuer, payment), at));
  }
  return pieces;
}

port.on("message", async (asked: ToReceiptsThread) => {
  const pieces = asked.kind === "end" ? zip.end() : await add(asked.payments);
  // Copied to a separate buffer, which can be transferred without another copy.
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  pieces.reduce((at, piece) => {
    bytes.set(piece, at);
    return at + piece.length;
  }, 0);
  port.postMessage(bytes, [bytes.buffer]);
  if (asked.kind === "end") port.close();
});
