/**
 * Port to the clearing house: the registration of a boleto, read before it is paid. One interface, an adapter per
 * network.
 */
import { parseDate } from "@malote/domain/calendar";
import type { Cents } from "@malote/domain/money";
import type { RegisteredBoleto } from "@malote/domain/registered-boleto";
import * as z from "zod";

const day = z.iso.date().transform((text, context) => {
  const date = parseDate(text);
  if (date) return date;
  context.addIssue({ code: "custom", message: "no day we reckon with" });
  return z.NEVER;
});
const amount = z
  .int()
  .min(0)
  .max(100_000_000_000_00)
  .transform((value) => value as Cents);
const basisPoints = z.int().min(0).max(1_000_000);

/** Validates a registration, because an external network may break its types. */
const registeredBoleto = z.object({
  beneficiary: z.object({ name: z.string().min(1).max(200), taxId: z.string().min(11).max(14) }),
  value: amount,
  dueDate: day.nullable(),
  limitDate: day.nullable(),
  fineBasisPoints: basisPoints,
  interestBasisPoints: basisPoints,
  discount: z.object({ amount, until: day }).nullable(),
  abatement: amount,
}) satisfies z.ZodType<RegisteredBoleto, unknown>;

export const registerAnswer = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["payable", "paid", "unpayable"]), boleto: registeredBoleto }),
  z.object({ outcome: z.literal("not_registered") }),
]);
export type RegisterAnswer = z.output<typeof registerAnswer>;

export interface BoletoRegister {
  /**
   * Returns the registration of the barcode with 44 digits. Rejects when the register does not answer; retry later.
   * Never call it inside a transaction.
   */
  find(barcode: string): Promise<RegisterAnswer>;
}
