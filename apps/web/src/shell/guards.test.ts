import { describe, expect, it } from "vitest";
import { buildSession, payments, validation } from "../testing/token.ts";
import { decideEntry, forbiddenPath, type GuardedPage, homePath, logoutPath } from "./guards.ts";
import { guardedRoute } from "./routes.ts";

const now = Date.now();
const page: GuardedPage = { path: "/pagamentos/lotes", application: "payments" };

describe("route guards", () => {
  it("SES-042 logs out without a session, or with an expired one", async () => {
    expect(await decideEntry(page, { session: undefined, now })).toEqual({ kind: "log_out" });
    const ended = buildSession({ exp: Math.floor(now / 1000) - 1 });
    expect(await decideEntry(page, { session: ended, now })).toEqual({ kind: "log_out" });
  });

  it("SES-041 switches to the application that the route names, and refuses one the user does not have", async () => {
    const both = buildSession({ application: validation, allowed_applications: [payments, validation] });
    expect(await decideEntry(page, { session: both, now })).toEqual({
      kind: "switch_application",
      to: "payments",
    });
    const only = buildSession({ application: validation, allowed_applications: [validation] });
    expect(await decideEntry(page, { session: only, now })).toEqual({ kind: "redirect", to: forbiddenPath });
  });

  it("SES-038 logs out a person who would switch without a current application", async () => {
    const session = buildSession({ allowed_applications: [payments, validation] });
    for (const application of [undefined, { id: undefined, name: "" }]) {
      expect(await decideEntry(page, { session: { ...session, application } as never, now })).toEqual({
        kind: "log_out",
      });
    }
  });

  it("SES-041 keeps the current application when the route names none", async () => {
    const session = buildSession({ application: validation, allowed_applications: [validation] });
    expect(await decideEntry({ path: "/minha-conta" }, { session, now })).toEqual({ kind: "open" });
  });

  it("SES-041 opens payments by default", () => {
    expect(homePath(undefined)).toBe("/pagamentos");
  });

  it("COM-003 opens a page in the preferred application of a person who has it, and otherwise in the current one", async () => {
    const only = buildSession({ application: validation, allowed_applications: [validation] });
    const both = { allowed_applications: [payments, validation] };
    const session = buildSession({ ...both, application: validation });
    const inEither = ["AdminCompanyDataPage", "AdminUsersPage", "BillingPage", "AdminLimitsPage"] as const;
    for (const name of inEither)
      expect(await decideEntry(guardedRoute(name), { session: only, now }), name).toEqual({ kind: "open" });
    for (const name of ["CompanyHome", ...inEither, "AdminControlsPage", "AdminAuditTrailPage"] as const) {
      const company = guardedRoute(name);
      expect(await decideEntry(company, { session: buildSession(both), now }), name).toEqual({
        kind: "open",
      });
      expect(await decideEntry(company, { session, now }), name).toEqual({
        kind: "switch_application",
        to: "payments",
      });
    }
  });

  it("SES-043 follows the first before-enter check that answers, and does not run later ones", async () => {
    const asked: string[] = [];
    const check = (name: string, to?: string) => () => {
      asked.push(name);
      return to;
    };
    const guarded = { ...page, before: [check("a"), check("b", "/ali"), check("c", "/la")] };
    expect(await decideEntry(guarded, { session: buildSession(), now })).toEqual({
      kind: "redirect",
      to: "/ali",
    });
    expect(asked).toEqual(["a", "b"]);
  });

  it("SES-040 runs before-enter checks before access, and access before two-factor", async () => {
    const session = buildSession({ permissions: [], two_factor: { enabled: false, enforced: true } });
    const facts = { session, now, securityPath: "/minha-conta/seguranca" };
    expect(await decideEntry({ ...page, before: [() => "/ali"] }, facts)).toEqual({
      kind: "redirect",
      to: "/ali",
    });
    expect(await decideEntry(page, facts)).toEqual({ kind: "redirect", to: forbiddenPath });
  });

  it("SES-040 runs the application's own authentication first, and no other guard after its refusal", async () => {
    const asked: string[] = [];
    const guarded: GuardedPage = {
      ...page,
      before: [
        () => {
          asked.push("before");
          return "/ali";
        },
      ],
      access: {
        check: async () => {
          asked.push("access");
          return false;
        },
      },
    };
    const two_factor = { enabled: false, enforced: true };
    const facts = { now, securityPath: "/minha-conta/seguranca" };
    const ended = buildSession({ exp: Math.floor(now / 1000) - 1, two_factor });
    for (const session of [undefined, ended])
      expect(await decideEntry(guarded, { ...facts, session })).toEqual({ kind: "log_out" });
    const both = { application: validation, allowed_applications: [payments, validation], two_factor };
    expect(await decideEntry(guarded, { ...facts, session: buildSession(both) })).toEqual({
      kind: "switch_application",
      to: "payments",
    });
    const only = { ...both, allowed_applications: [validation] };
    expect(await decideEntry(guarded, { ...facts, session: buildSession(only) })).toEqual({
      kind: "redirect",
      to: forbiddenPath,
    });
    expect(asked).toEqual([]);
    // Runs the page's own checks next, and none behind the one that answers.
    expect(await decideEntry(guarded, { ...facts, session: buildSession({ two_factor }) })).toEqual({
      kind: "redirect",
      to: "/ali",
    });
    expect(asked).toEqual(["before"]);
  });

  it("SES-040 checks two-factor last, after the other three", async () => {
    const session = buildSession({ two_factor: { enabled: false, enforced: true } });
    const asked: string[] = [];
    const note = (name: string) => {
      asked.push(name);
      return undefined;
    };
    const access = { check: async () => note("access") === undefined };
    const facts = { session, now, securityPath: "/minha-conta/seguranca" };
    expect(await decideEntry({ ...page, before: [() => note("before")], access }, facts)).toEqual({
      kind: "redirect",
      to: "/minha-conta/seguranca",
    });
    expect(asked).toEqual(["before", "access"]);
  });

  it("SES-044 requires platform_access, except on the forbidden page and on logout", async () => {
    const session = buildSession({ permissions: ["api_access"] });
    expect(await decideEntry(page, { session, now })).toEqual({ kind: "redirect", to: forbiddenPath });
    expect(await decideEntry({ path: forbiddenPath }, { session, now })).toEqual({ kind: "open" });
    expect(await decideEntry({ path: logoutPath }, { session, now })).toEqual({ kind: "open" });
    const permitted = buildSession({ permissions: ["platform_access"] });
    expect(await decideEntry(page, { session: permitted, now })).toEqual({ kind: "open" });
  });

  it.each([
    ["allowed roles", { allow: ["admin"] as const }],
    ["forbidden roles", { forbid: ["analyst"] as const }],
    ["an asynchronous check", { check: async () => false }],
  ])("SES-045 refuses by %s", async (_name, access) => {
    const session = buildSession({ profile: "analyst" });
    expect(await decideEntry({ ...page, access }, { session, now })).toEqual({
      kind: "redirect",
      to: forbiddenPath,
    });
  });

  it("SES-046 redirects every page to the security page while two-factor set-up is enforced", async () => {
    const session = buildSession({ two_factor: { enabled: false, enforced: true } });
    const facts = { session, now, securityPath: "/minha-conta/seguranca" };
    expect(await decideEntry(page, facts)).toEqual({ kind: "redirect", to: "/minha-conta/seguranca" });
    for (const path of ["/minha-conta/seguranca", forbiddenPath, logoutPath]) {
      expect(await decideEntry({ path }, facts)).toEqual({ kind: "open" });
    }
    const done = buildSession({ two_factor: { enabled: true, enforced: true } });
    expect(await decideEntry(page, { ...facts, session: done })).toEqual({ kind: "open" });
  });
});
