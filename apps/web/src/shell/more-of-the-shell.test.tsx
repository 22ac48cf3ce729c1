import { uploadSheet } from "@malote/contracts/import";
import { featureFlags, permissions } from "@malote/contracts/policy";
import { readBalance } from "@malote/contracts/statement";
import { screen } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { buildOpenBatch, buildTransfer } from "../testing/payments.ts";
import { renderApp } from "../testing/render-app.tsx";
import { serveBatch } from "../testing/serve-batch.ts";
import { buildSession, payments, validation } from "../testing/token.ts";
import { call, errorSentence } from "./call.ts";
import { type Feature, navGroups } from "./feature.ts";
import { decideEntry, forbiddenPath, type RouteAccess } from "./guards.ts";
import { may } from "./session.ts";
import { visibleEntries } from "./sidebar.tsx";

const forbiddenTitle = () =>
  screen.findByRole("heading", { name: "Você não tem permissão para acessar esta página" });

beforeEach(() => {
  serveBatch({
    batch: buildOpenBatch(),
    transfers: [buildTransfer()],
    balance: 1_000_000,
    filledFirstSteps: true,
  });
});

it.each(["/pagamentos/importacao-de-planilha", "/importacao-de-planilha"])(
  "SES-008 refuses %s to an analyst, who sees the forbidden page",
  async (address) => {
    const app = renderApp(address, { session: { profile: "analyst" } });
    await forbiddenTitle();
    expect(app.address()).toBe(forbiddenPath);
    expect(screen.queryByRole("link", { name: "Importação" })).toBeNull();
    expect(may(uploadSheet, buildSession({ profile: "analyst" }))).toBe(false);
  },
);

describe("permissions", () => {
  const page = { path: "/pagamentos/lotes", application: "payments" } as const;
  const enter = (held: string[], permission: (typeof permissions)[number]) =>
    decideEntry(
      { ...page, access: { permission } },
      { session: buildSession({ permissions: held }), now: Date.now() },
    );

  it.each(permissions)("SES-033 'all' satisfies the check for %s", async (permission) => {
    expect(await enter(["all"], permission)).toEqual({ kind: "open" });
    const others = permissions.filter((other) => other !== permission);
    expect(await enter(others, permission)).toEqual({ kind: "redirect", to: forbiddenPath });
  });
});

describe("a page's own access check", () => {
  const featureWith = (access: RouteAccess): Feature => ({
    pages: [
      {
        path: "/pagamentos/lotes",
        title: "Guardada",
        application: "payments",
        access,
        load: async () => ({ default: () => <h1>Guardada</h1> }),
      },
    ],
  });
  const open = (access: RouteAccess) =>
    renderApp("/pagamentos/lotes", { features: [featureWith(access)], session: { profile: "operator" } });

  it.each<[string, RouteAccess]>([
    ["a list of allowed roles", { allow: ["admin"] }],
    ["a list of forbidden roles", { forbid: ["operator"] }],
    ["a list of forbidden roles beside one of allowed roles", { allow: ["operator"], forbid: ["operator"] }],
    ["an asynchronous check", { check: async () => false }],
    ["one of several", { allow: ["operator"], forbid: ["analyst"], check: async () => false }],
  ])("SES-045 shows the forbidden page when %s fails", async (_name, access) => {
    const app = open(access);
    await forbiddenTitle();
    expect(app.address()).toBe(forbiddenPath);
  });

  it("SES-045 opens the page when all checks hold", async () => {
    open({ allow: ["operator"], forbid: ["analyst"], check: async () => true });
    await screen.findByRole("heading", { name: "Guardada" });
  });
});

it.each(featureFlags)(
  "SES-060 the flag %s counts when the token carries it, and no other flag does",
  (flag) => {
    const flagged = { policy: { ...readBalance.policy, flag } };
    const bearerOf = (flags: string[]) => buildSession({ feature_flags: flags });
    expect(may(flagged, bearerOf([flag]))).toBe(true);
    expect(may(flagged, bearerOf([]))).toBe(false);
    expect(may(flagged, bearerOf(["not-known", ...featureFlags.filter((other) => other !== flag)]))).toBe(
      false,
    );
  },
);

it("SES-060 an unknown flag has no effect", async () => {
  expect([...featureFlags].sort()).toEqual([
    "card-charge",
    "payin-simplified-version",
    "show-promotional-topbar-app",
  ]);
  renderApp("/pagamentos/lotes", { session: { feature_flags: ["not-known"] } });
  await screen.findByRole("link", { name: "Lotes" });
  expect(may(readBalance, buildSession({ feature_flags: ["not-known"] }))).toBe(true);
});

describe("response status ranges", () => {
  const answerWith = (status: number, code?: string) =>
    vi.stubGlobal("fetch", async () =>
      Response.json(status < 300 ? { value: 1, waiting_value: 0 } : { message: "texto cru", code }, {
        status,
      }),
    );
  const serverFault = "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso.";

  it.each([200, 299])("SES-075 %i is a success", async (status) => {
    answerWith(status);
    expect(await call(readBalance)).toEqual({ value: 1, waiting_value: 0 });
  });

  it.each([300, 399])("SES-075 %i is no success", async (status) => {
    answerWith(status);
    expect(await call(readBalance).catch((failure: unknown) => failure)).toMatchObject({ status });
  });

  it.each([
    [400, "Não foi possível carregar."],
    [499, "Não foi possível carregar."],
    [500, serverFault],
    [599, serverFault],
  ])("SES-075 %i is a failure that shows '%s'", async (status, sentence) => {
    answerWith(status);
    const error = await call(readBalance).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ status });
    expect(errorSentence(error, "Não foi possível carregar.")).toBe(sentence);
  });

  it.each([
    [400, "A senha atual está incorreta."],
    [499, "A senha atual está incorreta."],
    [500, serverFault],
    [599, serverFault],
  ])("SES-075 %i with a known code shows '%s'", async (status, sentence) => {
    answerWith(status, "password_wrong");
    const error = await call(readBalance).catch((failure: unknown) => failure);
    expect(errorSentence(error)).toBe(sentence);
  });
});

describe("groups of the side menu", () => {
  const icon = () => null;
  const everyGroup: Feature[] = [
    { pages: [], nav: navGroups.map((group) => ({ group, label: group, to: "BatchesPage" as const, icon })) },
  ];
  const groupsOf = (allowed_applications: (typeof payments | typeof validation)[]) => [
    ...visibleEntries(everyGroup, buildSession({ allowed_applications })).keys(),
  ];

  it("SHL-033 follow the applications of the user", () => {
    expect(groupsOf([payments])).toEqual(["Pagamentos", "Recebimentos", "Contestações"]);
    expect(groupsOf([validation])).toEqual(["ContaCerta"]);
    expect(groupsOf([payments, validation])).toEqual([...navGroups]);
    expect(groupsOf([])).toEqual([]);
  });

  it("SHL-033 are hidden when they have no visible entry", () => {
    const hidden = everyGroup.map(({ nav = [] }) => ({
      pages: [],
      nav: nav.map((entry) => ({
        ...entry,
        to: entry.group === "Recebimentos" ? ("BillingPage" as const) : entry.to,
      })),
    }));
    const session = buildSession({ profile: "operator" });
    expect([...visibleEntries(hidden, session).keys()]).toEqual(["Pagamentos", "Contestações"]);
  });
});
