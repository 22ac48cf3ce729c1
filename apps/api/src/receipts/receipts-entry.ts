/** Entry of the child process: receives payments and answers the next bytes of the ZIP. */
import { saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import { nameOwnInstitution } from "@malote/domain/own-institution";
import { plainFileName } from "../platform/files/file-name.ts";
import { parentOf } from "../platform/low-priority-process.ts";
import { drawReceipt } from "./draw-receipt.ts";
import type { Issuer, SealedPayment } from "./printed.ts";
import type { ToReceiptsProcess } from "./receipts-process.ts";
import { zipWriter } from "./zip.ts";

const parent = parentOf<ToReceiptsProcess, Uint8Array>();
let issuer: Issuer | undefined;
const zip = zipWriter();
let drawn = 0;

/** Names a file by the batch's order, the payee and the amount: `00007 Marina Lopes 123,45.pdf`. */
const nameOf = ({ paid }: SealedPayment) =>
  `${String(++drawn).padStart(5, "0")} ${plainFileName(paid.name ?? "", "recebedor")} ${formatAmount(cents(paid.value))}.pdf`;

async function add(payments: readonly SealedPayment[]): Promise<Uint8Array[]> {
  if (!issuer) throw new Error("payments came before their issuer");
  const pieces: Uint8Array[] = [];
  for (const payment of payments) {
    const { paidAt } = payment.paid;
    const at = { date: saoPauloDate(paidAt), time: saoPauloTime(paidAt) };
    pieces.push(...zip.add(nameOf(payment), await drawReceipt(issuer, payment), at));
  }
  return pieces;
}

parent.onQuestion(async (question) => {
  if (question.kind === "start") {
    issuer = question.issuer;
    nameOwnInstitution(question.institution);
    return;
  }
  parent.answer(Buffer.concat(question.kind === "end" ? zip.end() : await add(question.payments)));
  if (question.kind === "end") parent.end();
});
