import * as z from "zod";
import { centavos, date, instant } from "./wire.ts";

/** How a boleto is registered, and what it costs on the day it would be paid. */
export const boletoRegister = z.object({
  /** `unavailable`: the register did not answer, and nothing is guessed. */
  status: z.enum(["payable", "paid", "unpayable", "not_registered", "unavailable"]),
  /** `BIL_16`: past its due date, and still accepted with charges (BIL-012). */
  code: z.literal("BIL_16").nullable(),
  beneficiary: z.object({ name: z.string(), cpf_cnpj: z.string() }).nullable(),
  value: centavos.nullable(),
  due_date: date.nullable(),
  /** The last day on which it is taken at all. */
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
