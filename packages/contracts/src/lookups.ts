/** Lookups of a receiver before a payment. */
import { boletoCodeTypedMax } from "@malote/domain/limits";
import { pixKeyTypes } from "@malote/domain/pix-key";
import * as z from "zod";
import { boletoRegister } from "./boleto-register.ts";
import { contract } from "./contract.ts";
import { keyHolder } from "./key-holder.ts";
import { pixCode } from "./pix-code.ts";
import { adminOrOperator, everyProfile } from "./policy.ts";
import { byId, date, id } from "./wire.ts";

export const lookUpPixKey = contract({
  id: "lookUpPixKey",
  base: "payments",
  method: "POST",
  path: "/app/lookup/pixKey",
  summary: "Consultar de quem é uma chave Pix, antes de pagar",
  policy: adminOrOperator,
  body: z.object({
    pix_key_type: z.enum(pixKeyTypes),
    pix_key: z.string().min(1).max(255),
    name: z.string().max(255).nullish(),
    /** The document that the holder is expected to have. */
    cpf_cnpj: z.string().max(25).nullish(),
  }),
  response: keyHolder,
});

export const lookUpPixCode = contract({
  id: "lookUpPixCode",
  base: "payments",
  method: "POST",
  path: "/app/lookup/pixCode",
  summary: "Consultar um código Pix (copia e cola): para quem é, quanto pede e até quando",
  policy: adminOrOperator,
  body: z.object({ emv: z.string().min(1).max(2_000), payment_date: date.nullish() }),
  response: pixCode,
});

export const lookUpBoleto = contract({
  id: "lookUpBoleto",
  base: "payments",
  method: "POST",
  path: "/app/lookup/billet",
  summary: "Consultar o registro de um boleto: beneficiário, valor, juros, multa e desconto",
  policy: adminOrOperator,
  body: z.object({ barcode: z.string().min(1).max(boletoCodeTypedMax), payment_date: date.nullish() }),
  response: boletoRegister,
});

export const listLookupFindings = contract({
  id: "listLookupFindings",
  base: "payments",
  method: "GET",
  path: "/app/batch/:id/lookupFindings",
  summary: "O que as consultas encontraram sobre os pagamentos de um lote",
  policy: everyProfile,
  params: byId,
  response: z.object({
    data: z.array(z.object({ payment_id: id, code: z.string(), text: z.string() })),
  }),
});
