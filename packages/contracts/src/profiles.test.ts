import { expect, it } from "vitest";
import type { Application, Profile } from "./policy.ts";
import { describeProfile } from "./profiles.ts";

it.each<[Profile, string]>([
  ["admin", "Pode gerenciar os dados da empresa, e criar, editar e aprovar pagamentos."],
  ["operator", "Pode criar, editar e enviar pagamentos para aprovação."],
  ["analyst", "Pode apenas visualizar pagamentos e indicadores."],
])("SES-055 describes what an %s may do in the payments app", (profile, sentence) => {
  expect(describeProfile(profile, ["payments"])).toBe(sentence);
});

it.each<[Profile, string]>([
  ["admin", "Pode gerenciar os dados da empresa e fazer validações de dados."],
  ["operator", "Pode fazer validações de dados."],
  ["analyst", "Pode apenas visualizar validações de dados."],
])("SES-056 describes what an %s may do in the validation app", (profile, sentence) => {
  expect(describeProfile(profile, ["validation"])).toBe(sentence);
});

it.each<[Profile, string]>([
  [
    "admin",
    "Pode gerenciar os dados da empresa, criar, editar e aprovar pagamentos, e fazer validações de dados.",
  ],
  ["operator", "Pode criar, editar e enviar pagamentos para aprovação, e fazer validações de dados."],
  ["analyst", "Pode apenas visualizar pagamentos, indicadores e validações de dados."],
])("SES-057 merges both into one sentence for an %s", (profile, sentence) => {
  const both: Application[] = ["payments", "validation"];
  expect(describeProfile(profile, both)).toBe(sentence);
  expect(describeProfile(profile, both.toReversed())).toBe(sentence);
});

it("returns no text for a person without any application", () => {
  expect(describeProfile("admin", [])).toBe("");
});
