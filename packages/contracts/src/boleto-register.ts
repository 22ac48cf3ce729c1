import * as z from "zod";
import { centavos, date, instant } from "./wire.ts";

/** The register's record of a boleto, with its price on the day of payment. */
export const boletoRegister = z.object({
  /** `unavailable`: the register did not answer; the product guesses no value. */
  status: z.enum(["payable", "paid", "unpayable", "not_registered", "unavailable"]),
  /** `BIL_16`: past its due date, and still accepted with charges (BIL-012). */
  code: z.literal("BIL_16").nullable(),
  beneficiary: z.object({ name: z.string(), cpf_cnpj: z.string() }).nullable(),
  value: centavos.nullable(),
  due_date: date.nullable(),
  /** The last day on which the register accepts a payment. */
  limit_date: date.nullable(),
  fine_basis_points: z.int(),
  interest_basis_points: z.int(),
  discount: z.object({ amount: centavos, until: date }).nullable(),
  abatement: centavos,
  /** The price on the requested day, or today. */
  on_day: z
    .object({
      days_late: z.int(),
      fine: centavos,
      interest: centavos,
      discount: centavos,
      abatement: centavos,
      total: centavos,
      until: date.nullable(),
    })
    .nullable(),
  asked_at: instant.nullable(),
  asked_by: z.string().nullable(),
});
export type BoletoRegister = z.infer<typeof boletoRegister>;
