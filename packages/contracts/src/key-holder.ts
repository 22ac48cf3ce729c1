import * as z from "zod";
import { bank, instant } from "./wire.ts";

/**
 * The holder of a Pix key. `unavailable`: the directory did not answer; `limited`: the company reached its limit of
 * lookups.
 */
export const keyHolder = z.object({
  status: z.enum(["found", "not_found", "unavailable", "limited"]),
  name: z.string().nullable(),
  /** The holder's document; a person's is masked. */
  cpf_cnpj: z.string().nullable(),
  bank: bank.nullable(),
  is_salary_account: z.boolean(),
  /** True when the holder's document differs from the given one; null where none was given. */
  differs: z.boolean().nullable(),
  asked_at: instant.nullable(),
  asked_by: z.string().nullable(),
});
export type KeyHolder = z.infer<typeof keyHolder>;
