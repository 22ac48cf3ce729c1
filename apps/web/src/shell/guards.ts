import type { Application, Permission, Profile } from "@malote/contracts/policy";
import { holds } from "@malote/contracts/policy";
import { bases } from "./routes.ts";
import { hasApplication, isExpired, type Session } from "./session.ts";

export const forbiddenPath = bases.forbidden;
export const logoutPath = bases.logout;

/** Who may open a page. All parts that are set must hold (SES-045). */
export interface RouteAccess {
  allow?: readonly Profile[];
  forbid?: readonly Profile[];
  permission?: Permission;
  check?: (session: Session) => Promise<boolean>;
}

/** Check of the page itself; returns a redirect in place of the address, or nothing (SES-043). */
export type BeforeEnter = (
  session: Session,
  address?: string,
) => string | undefined | Promise<string | undefined>;

export interface GuardedPage {
  path: string;
  application?: Application;
  /** Application in which the page opens for a person who has it. Others stay in the current one. */
  preferred?: Application;
  before?: readonly BeforeEnter[];
  access?: RouteAccess;
}

export type EntryDecision =
  | { kind: "open" }
  | { kind: "redirect"; to: string }
  | { kind: "switch_application"; to: Application }
  | { kind: "log_out" };

interface Facts {
  session: Session | undefined;
  now: number;
  /** The security page, once it exists; while two-factor set-up is enforced, every other page redirects there. */
  securityPath?: string | undefined;
  /** Includes the search text of a page to which a person is to return. */
  address?: string;
}

/** Runs the four guards in their fixed order (SES-040); the first refusal decides. */
export async function decideEntry(page: GuardedPage, facts: Facts): Promise<EntryDecision> {
  const { session } = facts;
  const authentication = authenticate(page, session, facts.now);
  if (authentication || !session) return authentication ?? { kind: "log_out" };
  for (const check of page.before ?? []) {
    const to = await check(session, facts.address);
    if (to) return { kind: "redirect", to };
  }
  if (!(await mayEnter(page, session))) return { kind: "redirect", to: forbiddenPath };
  if (mustSetUpTwoFactor(page, session, facts.securityPath))
    return { kind: "redirect", to: facts.securityPath ?? "" };
  return { kind: "open" };
}

/** Guard 1: a valid session, of the application that the page names (SES-041, SES-042). */
function authenticate(
  page: GuardedPage,
  session: Session | undefined,
  now: number,
): EntryDecision | undefined {
  if (!session || isExpired(session, now)) return { kind: "log_out" };
  const current = session.application?.id;
  const { preferred } = page;
  if (
    !page.application &&
    current &&
    preferred &&
    current !== preferred &&
    hasApplication(session, preferred)
  )
    return { kind: "switch_application", to: preferred };
  if (!page.application || current === page.application) return undefined;
  // SES-038: without a current application there is nothing to switch from.
  if (!current) return { kind: "log_out" };
  if (hasApplication(session, page.application)) return { kind: "switch_application", to: page.application };
  return { kind: "redirect", to: forbiddenPath };
}

/** Guard 3: platform access, then the page's own rule (SES-044, SES-045). */
async function mayEnter(page: GuardedPage, session: Session): Promise<boolean> {
  if (page.path === forbiddenPath || page.path === logoutPath) return true;
  if (!holds(session, "platform_access")) return false;
  if (!suits(page.access, session)) return false;
  return page.access?.check ? page.access.check(session) : true;
}

/** Applies the rule's profile and permission alone: an entry whose page would refuse this person is hidden. */
export function suits(access: RouteAccess | undefined, session: Session): boolean {
  const { allow, forbid, permission } = access ?? {};
  if (allow && !allow.includes(session.profile)) return false;
  if (forbid?.includes(session.profile)) return false;
  return !permission || holds(session, permission);
}

/** Guard 4: the second factor (SES-046). */
function mustSetUpTwoFactor(page: GuardedPage, session: Session, securityPath: string | undefined): boolean {
  const reachable = [securityPath, forbiddenPath, logoutPath];
  const { enforced, enabled } = session.two_factor;
  return enforced && !enabled && securityPath !== undefined && !reachable.includes(page.path);
}

/** Base path of an application, which applies its own redirects (SES-026). */
export function homePath(session: Session | undefined): string {
  return session?.application?.id === "validation" ? bases.validation : bases.payments;
}
