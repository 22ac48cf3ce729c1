/**
 * Access policies. One table per idea; the server, the screens, the OpenAPI file and the generated tests read the same
 * objects.
 */

export const applications = ["payments", "validation"] as const;
export type Application = (typeof applications)[number];

export const profiles = ["admin", "operator", "analyst"] as const;
export type Profile = (typeof profiles)[number];

/** The permission codes a company or a user may hold (SES-058). `all` satisfies every check (SES-033). */
export const permissions = [
  "platform_access",
  "api_access",
  "account_create",
  "user_create",
  "api_credentials_generate",
  "payin_pix",
  "payin_ted",
  "payin_credit_card",
  "payin_boleto",
  "payin_refund",
  "payin_cancel",
  "payin_refund_med",
  "qrcode_generate",
  "payment_link_generate",
  "payout_automatic_pix",
  "payout_pix",
  "payout_ted",
  "payout_boleto",
  "payout_pix_refund",
  "contacerta_validation",
  "balance_withdrawal",
  "pix_key_register",
  "pix_key_delete",
  "pix_key_accept_portability",
  "pix_key_dict_query",
  "infractions_manage",
] as const;
export type Permission = (typeof permissions)[number];

export const featureFlags = [
  "card-charge",
  "payin-simplified-version",
  "show-promotional-topbar-app",
] as const;
export type FeatureFlag = (typeof featureFlags)[number];

export type Policy =
  /** No token needed: login, brand, health. */
  | { access: "public" }
  /** Available only outside production, for the simulator screen and the tests. */
  | { access: "simulator" }
  | {
      access: "session";
      applications: readonly Application[];
      profiles: readonly Profile[];
      permission?: Permission;
      flag?: FeatureFlag;
      /** True when a company's own system, with a token from client_credentials, may call it too. */
      machine: boolean;
      /** Reachable while two-factor is enforced but off: the calls that turn it on, and the logout (SES-046). */
      withoutTwoFactor?: true;
      /** Reachable without platform_access: the logout, which ends the session of a suspended person too (SES-044). */
      withoutPlatformAccess?: true;
    };

/** Claims of a token about its bearer; a machine acts with the profile of its credential. */
export interface Bearer {
  kind: "user" | "machine";
  application: Application;
  profile: Profile;
  permissions: readonly string[];
  featureFlags: readonly string[];
}

export function holds(bearer: Pick<Bearer, "permissions">, permission: Permission): boolean {
  return bearer.permissions.includes("all") || bearer.permissions.includes(permission);
}

/**
 * Returns whether the bearer may make a call with this policy. The server refuses by it, and a screen hides the button
 * by it; no other code reads policies.
 */
export function mayCall(policy: Policy, bearer: Bearer | undefined): boolean {
  if (policy.access !== "session") return true;
  if (!bearer) return false;
  if (bearer.kind === "machine" && !policy.machine) return false;
  if (!policy.applications.includes(bearer.application)) return false;
  if (!policy.profiles.includes(bearer.profile)) return false;
  const access = bearer.kind === "machine" ? "api_access" : "platform_access";
  if (!policy.withoutPlatformAccess && !holds(bearer, access)) return false;
  if (policy.permission && !holds(bearer, policy.permission)) return false;
  return !policy.flag || bearer.featureFlags.includes(policy.flag);
}

const paymentsApp = { access: "session", applications: ["payments"], machine: true } as const;

export const simulatorOnly = { access: "simulator" } as const satisfies Policy;

/** Policies of nearly every call of the payments application. */
export const everyProfile = { ...paymentsApp, profiles: profiles } as const satisfies Policy;
export const adminOrOperator = { ...paymentsApp, profiles: ["admin", "operator"] } as const satisfies Policy;
export const adminOnly = { ...paymentsApp, profiles: ["admin"] } as const satisfies Policy;
/** Admits a person of either application, who changes their own account. */
export const anyPerson = {
  access: "session",
  applications: applications,
  profiles: profiles,
  machine: false,
} as const satisfies Policy;
/** Admits an admin of either application, who manages the company and its people. Machines may not invite people. */
export const adminPerson = { ...anyPerson, profiles: ["admin"] } as const satisfies Policy;
