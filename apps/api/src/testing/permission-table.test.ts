/**
 * Permissions by the original texts (docs/requirements/session.md), repeated here and compared with the server. The
 * test does not read them from the contracts: a policy opened by mistake would otherwise agree with itself.
 */
import { sendBatchToApproval } from "@malote/contracts/batch-life";
import { bases } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { permissions } from "@malote/contracts/policy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { setCompany } from "./operator-kit.ts";
import { draft, openPayments, type PaymentsKit, pix } from "./payments-kit.ts";

type Profile = "admin" | "operator" | "analyst";
const staff: Profile[] = ["admin", "operator"];
const admins: Profile[] = ["admin"];
const allProfiles: Profile[] = ["admin", "operator", "analyst"];

let kit: PaymentsKit;
const tokens: Partial<Record<Profile, Record<"payments" | "validation", string>>> = {};
beforeAll(async () => {
  kit = await openPayments();
  const emails = { admin: "helena", operator: "rui", analyst: "ana" } as const;
  for (const profile of allProfiles) {
    const email = `${emails[profile]}@aurora.example`;
    tokens[profile] = {
      payments: (await kit.as(email)).token,
      validation: (await kit.as(email, "validation")).token,
    };
  }
  waiting = (await draft(kit.admin, [pix(1_00)])).id;
  await kit.admin.call(sendBatchToApproval, { params: { id: waiting } });
});
afterAll(() => kit.close());

const nowhere = uuidv7();
let waiting: string;
const payments = (path: string) =>
  `/api/payments${path.replace("{waiting}", waiting).replace("{id}", nowhere)}`;

/** The subject of the requirement, its call, and the admitted profiles. */
const table: [what: string, method: string, path: string, may: Profile[]][] = [
  // SES-050, SES-052: an admin creates, edits, approves and closes; an operator creates, edits and passes on.
  ["create a batch", "POST", "/app/batch", staff],
  ["rename a batch", "PATCH", "/app/batch/{id}", staff],
  ["save a batch", "PUT", "/batch/{id}", staff],
  ["add a payment", "POST", "/app/batch/{id}/transfer", staff],
  ["change a payment", "PUT", "/app/batch/{id}/transfer/{id}", staff],
  ["remove a payment", "DELETE", "/batch/{id}/transfer/{id}", staff],
  ["remove many payments", "POST", "/app/batch/{id}/transfer/removeMany", staff],
  ["add a boleto", "POST", "/app/batch/{id}/billet", staff],
  ["change a boleto", "PUT", "/batch/{id}/billet", staff],
  ["pass a batch on for approval", "POST", "/batch/{id}/sendToApproval", staff],
  ["close or approve a batch", "POST", "/batch/{id}/close", admins],
  // The right of an operator depends on the batch (0030), so this call is about one that waits; here the policy names
  // no operator.
  ["reject a batch", "POST", "/batch/{waiting}/reprove", admins],
  ["take back a waiting batch to edit it", "POST", "/batch/{id}/enableEdit", admins],
  ["change the settings", "PUT", "/companySettings", admins],
  // SES-051: the company page, the developer area and the withdrawal account.
  ["change the withdrawal account", "PUT", "/companyBankAccount", admins],
  ["change the company's data", "PUT", "/company", admins],
  ["create a user", "POST", "/user", admins],
  ["change a user", "PUT", "/user/{id}", admins],
  ["remove a user", "DELETE", "/user/{id}", admins],
  ["see the users", "GET", "/user", admins],
  // SES-053: calls that are refused to an analyst.
  ["cancel a batch", "POST", "/app/batch/{id}/cancel_scheduled", staff],
  ["delete a batch", "DELETE", "/batch/{id}", staff],
  ["take a scheduled boleto off", "DELETE", "/batch/{id}/billet/{id}", staff],
  ["mark a batch as reconciled", "PUT", "/batch/{id}/setReconciled", staff],
  ["add a receiver", "POST", "/app/receivers", staff],
  ["change a receiver", "PATCH", "/app/receivers/{id}", staff],
  ["remove a receiver", "DELETE", "/app/receivers/{id}", staff],
  ["upload a spreadsheet", "POST", "/batch/sheet/upload", staff],
  ["upload a spreadsheet of boletos", "POST", "/batch/billet/sheet", staff],
  ["import a spreadsheet", "POST", "/batch/spreadsheet", staff],
  ["withdraw", "POST", "/app/statement/withdraw", staff],
  ["give a payment received back", "POST", "/app/payins/{id}/refunds", staff],
  ["give a failed transfer back", "POST", "/batch/{id}/transfer/{id}/cancel", staff],
  ["give a failed boleto back", "POST", "/batch/{id}/billet/{id}/cancel", staff],
  ["give failed payments back", "POST", "/app/batch/{id}/failures/giveBack", staff],
  // An analyst mostly reads.
  ["see the batches", "GET", "/app/batch?initialDate=2026-08-01&endDate=2026-08-12", allProfiles],
  ["see the statement", "GET", "/statement?initialDate=2026-08-01&endDate=2026-08-12", allProfiles],
  ["see the balance", "GET", "/statement/balance", allProfiles],
  ["see the receivers", "GET", "/app/receivers", allProfiles],
  ["see what came in", "GET", "/app/payins", allProfiles],
];

describe("the table of the requirements", () => {
  it.each(table)("SES-050 SES-051 SES-052 SES-053 %s: %s %s", async (_, method, path, may) => {
    const allowed: Profile[] = [];
    for (const profile of allProfiles) {
      const answer = await kit.send(method, payments(path), method === "GET" ? undefined : {}, {
        token: tokens[profile]?.payments ?? "",
        headers: { "idempotency-key": uuidv7() },
      });
      if (answer.status !== 403) allowed.push(profile);
      // A wrong address would be refused for every profile and prove nothing.
      if (method === "GET" && answer.status !== 403) expect(answer.status).toBe(200);
    }
    expect(allowed).toEqual(may);
  });

  it("SES-053 create a validation", async () => {
    const allowed: Profile[] = [];
    for (const profile of allProfiles) {
      const answer = await kit.send(
        "POST",
        "/api/contacerta/app/validation",
        {},
        {
          token: tokens[profile]?.validation ?? "",
          headers: { "idempotency-key": uuidv7() },
        },
      );
      if (answer.status !== 403) allowed.push(profile);
    }
    expect(allowed).toEqual(staff);
  });
});

describe("a person without the second factor that the company requires", () => {
  /** Calls that turn the factor on, and the logout. */
  const reachable = [
    "GET /api/contacerta/app/settings",
    "GET /api/payments/app/settings",
    "GET /api/payments/user/me",
    "POST /api/contacerta/app/settings/twoFactor",
    "POST /api/contacerta/app/settings/twoFactor/secret",
    "POST /api/login/logout",
    "POST /api/payments/app/settings/twoFactor",
    "POST /api/payments/app/settings/twoFactor/secret",
    "POST /api/payments/user/me/confirm",
    "PUT /api/payments/user/password",
  ];

  it("SES-046 can turn it on and sign out, in both applications, and nothing else", async () => {
    const company = demoCompanies[0]?.id ?? "";
    const demand = (requiresTwoFactor: boolean) => setCompany(kit.services, company, { requiresTwoFactor });
    const everyCall = contracts.filter(({ policy }) => policy.access === "session");
    const demanded: string[] = [];
    const answered: string[] = [];
    await demand(true);
    try {
      for (const { base, path, method } of everyCall) {
        const url = `${bases[base]}${path}`;
        const { token } = await kit.as(
          "helena@aurora.example",
          base === "contacerta" ? "validation" : "payments",
        );
        const { status, body } = await kit.send(
          method,
          url.replace(/:\w+/g, nowhere),
          method === "GET" ? undefined : {},
          {
            token,
            headers: { "idempotency-key": uuidv7() },
          },
        );
        if (body.code === "second_factor_required") demanded.push(`${method} ${url}`);
        else if (status !== 403) answered.push(`${method} ${url}`);
      }
    } finally {
      await demand(false);
    }
    expect(answered.sort()).toEqual(reachable);
    expect(demanded.length).toBeGreaterThan(150);
  });
});

/** The codes of SES-058, word for word. */
const codes = [
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
];

describe("the permission codes", () => {
  it("SES-058 are these twenty-six", () => {
    expect(codes).toHaveLength(26);
    expect([...permissions].sort()).toEqual([...codes].sort());
  });

  it("SES-035 SES-058 SES-059 are each named in the token of their holder, and checked if they have an effect", async () => {
    const company = demoCompanies[0]?.id ?? "";
    const give = (permissions: readonly string[]) => setCompany(kit.services, company, { permissions });
    const makeCall = async (method: string, path: string) => {
      const { token } = await kit.as("helena@aurora.example");
      return (await kit.send(method, payments(path), {}, { token, headers: { "idempotency-key": uuidv7() } }))
        .status;
    };
    const effects: [code: string, method: string, path: string][] = [
      ["platform_access", "GET", "/statement/balance"],
      ["user_create", "POST", "/user"],
      ["balance_withdrawal", "POST", "/app/statement/withdraw"],
      ["payment_link_generate", "DELETE", `/app/payment_links/${nowhere}`],
      ["pix_key_register", "POST", "/pix/key"],
      ["pix_key_delete", "DELETE", `/pix/key/${nowhere}`],
      ["pix_key_accept_portability", "POST", `/pix/key/${nowhere}/claim/confirm`],
      ["infractions_manage", "GET", "/med/infractions"],
    ];
    try {
      for (const [code, method, path] of effects) {
        const others = codes.filter((one) => one !== code);
        await give(others);
        const { token } = await kit.as("helena@aurora.example");
        const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
        expect(new Set(claims.permissions)).toEqual(new Set(others));
        expect([code, await makeCall(method, path)]).toEqual([code, 403]);
        await give(codes);
        expect([code, (await makeCall(method, path)) === 403]).toEqual([code, false]);
      }
    } finally {
      await give(["all"]);
    }
  });
});
