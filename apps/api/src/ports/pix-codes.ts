/** Port to the charge of a dynamic Pix code, read before it is paid. One interface, an adapter per network. */
import { type CalendarDate, parseDate } from "@malote/domain/calendar";
import type { Cents } from "@malote/domain/money";
import type { PixCharge } from "@malote/domain/pix-charge";
import { pixChargeStatuses } from "@malote/domain/pix-charge-status";
import * as z from "zod";
import { outsideInstant } from "./instant.ts";

const amount = z
  .int()
  .min(0)
  .max(900_000_000_00)
  .transform((value) => value as Cents)
  .nullable();
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => !value.includes("\0") && value.isWellFormed());

/** Validates a charge, because an external network may break its types. */
export const pixCharge = z.object({
  type: text(50),
  status: z.enum(pixChargeStatuses),
  key: text(77).min(1),
  receiver: z.object({ name: text(200).nullable(), taxId: text(14).nullable() }),
  amount: amount.refine((value) => value !== 0),
  dueDate: z.iso
    .date()
    .refine((day) => parseDate(day) !== undefined)
    .transform((day) => day as CalendarDate)
    .nullable(),
  fine: amount,
  interest: amount,
  discount: amount,
  abatement: amount,
  txid: text(35).nullable(),
  until: outsideInstant.nullable(),
}) satisfies z.ZodType<PixCharge, unknown>;

export interface PixCodes {
  /**
   * Returns the amount that is due on the day. Undefined: the payee's institution has no such charge. Rejects when it
   * does not answer; retry later. Never call it inside a transaction.
   */
  read(location: string, payOn: CalendarDate): Promise<PixCharge | undefined>;
}
