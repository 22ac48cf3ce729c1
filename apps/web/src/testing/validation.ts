/** Pages of account validation, above a server that has one validation. */
import {
  createValidation,
  listValidationBanks,
  readValidation,
  readValidationCompanySettings,
  type Validation,
} from "@malote/contracts/validation";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach } from "vitest";
import { fakeServer } from "./fake-server.ts";
import { renderApp } from "./render-app.tsx";
import { validation as application } from "./token.ts";

export const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú", image: null };

export const id = "0198f000-0000-7000-8000-0000000000a1";

export const person = { application, allowed_applications: [application] };

export const open = (address: string, session: object = {}) =>
  renderApp(address, { session: { ...person, ...session } });

export const build = (changes: Partial<Validation> = {}): Validation => ({
  id,
  type: "BASIC",
  valid: true,
  errors: [],
  checked: ["tax_id_digits", "account_form", "account_digit"],
  not_checked: ["account_exists", "account_holder", "name"],
  data: {
    name: "Padaria Sol Nascente",
    cpf_cnpj: "11222333000181",
    agency: "1234",
    agency_digit: null,
    account: "56789",
    account_digit: "7",
    account_type: "CONTA_CORRENTE",
    pix_key: null,
    pix_key_type: null,
    pix_key_validation: null,
  },
  bank_code: "341",
  bank_ispb: "60701190",
  micro_deposit_status: null,
  validated_at: "2026-11-20T18:00:01.000Z",
  created_at: "2026-11-20T18:00:00.000Z",
  receipt_url: null,
  bank_receipt_url: null,
  ...changes,
});

export const byKey = {
  ...build().data,
  name: null,
  agency: null,
  account: null,
  account_digit: null,
  account_type: null,
};

export const underWay = build({ type: "MICRO_DEPOSIT", valid: null, validated_at: null });

export const radio = (name: string) => screen.findByRole<HTMLInputElement>("radio", { name });

export const send = async () =>
  userEvent.click(await screen.findByRole("button", { name: "Fazer validação" }));

export const field = (name: string) => screen.findByRole<HTMLInputElement>("textbox", { name });

export const type = async (label: string, text: string) => {
  await userEvent.clear(await field(label));
  await userEvent.type(await field(label), text);
};

export const sent = () => fakeServer.calls(createValidation);

export function serveValidation() {
  const served = {} as { kept: Validation };
  beforeEach(() => {
    served.kept = build();
    fakeServer.on(readValidationCompanySettings, () => ({
      uses_basic_validation: true,
      uses_micro_deposit: true,
    }));
    fakeServer.on(listValidationBanks, () => ({ data: [itau] }));
    fakeServer.on(createValidation, () => ({ id }));
    fakeServer.on(readValidation, () => served.kept);
  });

  return { served };
}
