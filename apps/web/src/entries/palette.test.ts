/** What the palette offers to each person, over every feature: a new command needs its line here. */
import type { CompanySettings } from "@malote/contracts/company";
import { type Application, permissions, profiles } from "@malote/contracts/policy";
import { describe, expect, it } from "vitest";
import { buildSession, payments, validation } from "../testing/token.ts";
import { features } from "./features.ts";

const applicationOf = { payments, validation };
const settings = { blockWithdrawForOperator: false } as CompanySettings;
type Person = Parameters<typeof buildSession>[0];
const of = (profile: (typeof profiles)[number], application: Application, given: Person = {}) =>
  buildSession({
    profile,
    application: applicationOf[application],
    allowed_applications: [payments, validation],
    ...given,
  });
const commandsFor = (session: ReturnType<typeof buildSession>) =>
  features
    .flatMap(({ commands = [] }) => commands)
    .filter(({ shows }) => shows?.(session, settings) ?? true)
    .map(({ label }) => label);

/** Each command, with the application and the permission of its call; analysts run none. */
const rules = {
  "Resgatar saldo": ["payments", "balance_withdrawal"],
  "Novo recebedor": ["payments", undefined],
  "Criar link de pagamento": ["payments", "payment_link_generate"],
  "Nova validação": ["validation", "contacerta_validation"],
} as const;
const labels = Object.keys(rules) as (keyof typeof rules)[];

describe("the commands of the palette", () => {
  it.each(profiles.flatMap((profile) => [[profile, "payments"] as const, [profile, "validation"] as const]))(
    "SES-014 SES-053 LNK-001 are those that an %s may run in %s",
    (profile, application) => {
      const expected = profile === "analyst" ? [] : labels.filter((label) => rules[label][0] === application);
      expect(commandsFor(of(profile, application))).toEqual(expected);
    },
  );

  it.each(["admin", "operator"] as const)("SES-059 show to an %s only with their permission", (profile) => {
    for (const label of labels) {
      const [application, permission] = rules[label];
      if (!permission) continue;
      const others = permissions.filter((one) => one !== permission);
      expect([label, commandsFor(of(profile, application, { permissions: others })).includes(label)]).toEqual(
        [label, false],
      );
      expect(
        commandsFor(of(profile, application, { permissions: ["platform_access", permission] })),
      ).toContain(label);
    }
  });
});

it.each(profiles)(
  "the palette searches batches and receivers for an %s of payments, and nothing in ContaCerta",
  (profile) => {
    const searched = (application: Application) =>
      features
        .flatMap(({ searches = [] }) => searches)
        .filter(({ shows }) => shows?.(of(profile, application)) ?? true)
        .map(({ heading }) => heading);
    expect(searched("payments")).toEqual(["Lotes", "Recebedores"]);
    expect(searched("validation")).toEqual([]);
  },
);
