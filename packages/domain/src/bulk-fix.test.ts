import { expect, it } from "vitest";
import { isSharedField } from "./bulk-fix.ts";

it.each([
  "account",
  "account_digit",
  "agency",
  "agency_digit",
  "bank_id",
  "cpf_cnpj",
  "pix_key",
  "name",
  "value",
])("%s belongs to one receiver", (field) => expect(isSharedField(field, "TRANSFER")).toBe(false));

it.each(["account_type", "pix_key_type", "payment_date", "pix_description"])(
  "%s can be the same for all",
  (field) => expect(isSharedField(field, "TRANSFER")).toBe(true),
);

it.each(["barcode", "value", "integration_id", "pix_description"])("%s belongs to one boleto", (field) =>
  expect(isSharedField(field, "BILLET")).toBe(false),
);

it.each(["payment_date", "description"])("%s can be the same for all boletos", (field) =>
  expect(isSharedField(field, "BILLET")).toBe(true),
);
