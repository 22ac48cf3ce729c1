import { pixChargeStatuses } from "@malote/domain/pix-charge-status";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { centavos, date } from "./wire.ts";

/** Decoded Pix code (TRF-004). The type is STATIC, IMMEDIATE_COLLECTION, DUE_DATE_COLLECTION, or an unknown one. */
export const emvData = z.object({
  type: z.string(),
  /** Null where the payer chooses the amount. */
  amount: centavos.nullable(),
  due_date: date.nullable(),
  fine_amount: centavos.nullable(),
  interest_amount: centavos.nullable(),
  discount_amount: centavos.nullable(),
  abatment_amount: centavos.nullable(),
  txid: z.string().nullable(),
});

/** The charge of a Pix code. `unavailable`: the charging institution did not answer. */
export const pixCode = z.object({
  status: z.enum(["read", "unavailable"]),
  charge: emvData
    .extend({
      status: z.enum(pixChargeStatuses),
      pix_key_type: z.enum(pixKeyTypes),
      pix_key: z.string(),
      name: z.string().nullable(),
      /** The document; a person's is masked. */
      cpf_cnpj: z.string().nullable(),
      /** The last moment at which the charge may be paid at this amount. */
      until: z.string().nullable(),
    })
    .nullable(),
});
export type PixCode = z.infer<typeof pixCode>;
