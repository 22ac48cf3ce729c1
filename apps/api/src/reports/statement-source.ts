import type { CalendarDate } from "@malote/domain/calendar";
import { cents, formatAmount } from "@malote/domain/money";
import type { readIssuer } from "../receipts/index.ts";
import type { NumberedEntry } from "../statement/index.ts";

/** What a file is written from. */
export interface StatementSource {
  issuer: Awaited<ReturnType<typeof readIssuer>>;
  from: CalendarDate;
  to: CalendarDate;
  opening: number;
  closing: number;
  /** The moment of writing. */
  now: Date;
  slices: AsyncIterable<NumberedEntry[]>;
}

/** `-1.234,56`, as files write it. */
export const amountText = (centavos: number) =>
  `${centavos < 0 ? "-" : ""}${formatAmount(cents(Math.abs(centavos)))}`;
