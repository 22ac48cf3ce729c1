import type { CalendarDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import type { readIssuer } from "../receipts/index.ts";
import type { NumberedEntry } from "../statement/index.ts";

/** Data of a statement file. */
export interface StatementSource {
  issuer: Awaited<ReturnType<typeof readIssuer>>;
  from: CalendarDate;
  to: CalendarDate;
  opening: number;
  closing: number;
  now: Date;
  slices: AsyncIterable<readonly NumberedEntry[]>;
}

/** Returns the payee of a payment that left with its batch or came back, whose description does not name it. */
export const payeeOf = ({ type, complement }: NumberedEntry) =>
  type === "BATCH" || type === "REFUND" ? complement.receiver : undefined;

/** Formats an amount as `-1.234,56`, for files. */
export const amountText = (centavos: number) =>
  `${centavos < 0 ? "-" : ""}${formatAmount(cents(Math.abs(centavos)))}`;
