/** Every state of a bearer, and the policies' decision for each. */
import { type Contract, contract } from "@malote/contracts/contract";
import {
  type Application,
  adminOnly,
  anyPerson,
  applications,
  type Bearer,
  everyProfile,
  featureFlags,
  mayCall,
  type Policy,
  type Profile,
  permissions,
  profiles,
} from "@malote/contracts/policy";
import { done } from "@malote/contracts/wire";

/** Rights and requirements of a company, as the database stores them. */
export interface CompanyState {
  permissions: readonly string[];
  flags: readonly string[];
  demandsSecondFactor: boolean;
}

/** Permission sets; a blocked company lacks `platform_access` or `api_access`. */
const permissionSets: readonly (readonly string[])[] = [
  ["all"],
  [],
  ["ALL", "Platform_Access", "platform_access "],
  ...permissions.flatMap((one) => [
    [one],
    ["platform_access", "api_access", one],
    permissions.filter((other) => other !== one),
  ]),
];
export const companyStates: readonly CompanyState[] = [false, true].flatMap((demandsSecondFactor) => [
  ...permissionSets.flatMap((held) =>
    [[], featureFlags].map((flags) => ({ permissions: held, flags, demandsSecondFactor })),
  ),
  ...featureFlags.map((flag) => ({ permissions: ["all"], flags: [flag], demandsSecondFactor })),
]);

export interface Who {
  kind: Bearer["kind"];
  profile: Profile;
  application: Application;
  hasSecondFactor: boolean;
}

export const allBearers: readonly Who[] = profiles.flatMap((profile) => [
  ...applications.flatMap((application) =>
    [false, true].map((hasSecondFactor) => ({
      kind: "user" as const,
      profile,
      application,
      hasSecondFactor,
    })),
  ),
  { kind: "machine" as const, profile, application: "payments" as const, hasSecondFactor: false },
]);

/** Calls that turn the factor on, and the logout (SES-046). The list repeats the product's on purpose. */
const openWithoutFactor = new Set([
  "logout",
  "readMe",
  "readUserSettings",
  "readValidationUserSettings",
  "readValidationTwoFactorSecret",
  "setValidationTwoFactor",
  "readTwoFactorSecret",
  "setTwoFactor",
  "changePassword",
  "confirmIdentity",
]);

export type Verdict = "allowed" | "forbidden" | "person_only" | "second_factor_required";

export function verdictOn({ id, policy }: Contract, who: Who, company: CompanyState): Verdict {
  const bearer: Bearer = { ...who, permissions: company.permissions, featureFlags: company.flags };
  if (who.kind === "machine" && policy.access === "session" && !policy.machine) return "person_only";
  if (!mayCall(policy, bearer)) return "forbidden";
  const lacksFactor = who.kind === "user" && company.demandsSecondFactor && !who.hasSecondFactor;
  return lacksFactor && !openWithoutFactor.has(id) ? "second_factor_required" : "allowed";
}

const planted = (name: string, policy: Policy): Contract =>
  contract({
    id: `planted ${name}`,
    base: "payments",
    method: "POST",
    path: `/app/planted/${name}`,
    summary: "planted",
    policy,
    response: done,
  });

/** One call for each existing permission and flag, whether or not a call of the product requires it yet. */
export const oneForEach: readonly Contract[] = [
  ...permissions.map((permission) => planted(permission, { ...everyProfile, permission })),
  ...featureFlags.map((flag) => planted(flag, { ...anyPerson, flag })),
];

/** Plausible mistakes of a programmer: the policy's rule, and the rule that the server applies instead. */
export const loosened: readonly { said: Contract; done: Contract }[] = [
  ["profile", adminOnly, everyProfile],
  ["machine", { ...everyProfile, machine: false }, everyProfile],
  ["permission", { ...everyProfile, permission: "payout_pix" }, everyProfile],
  ["flag", { ...everyProfile, flag: "card-charge" }, everyProfile],
  ["application", everyProfile, { ...everyProfile, applications }],
].map(([name, said, done]) => ({
  said: planted(`loose-${name}`, said as Policy),
  done: planted(`loose-${name}`, done as Policy),
}));
