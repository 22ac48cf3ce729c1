import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import {
  brokenImportRules,
  featureName,
  fileCycles,
  layerProblem,
  layers,
  loadsSandbox,
  moduleCycles,
  namedByPlatform,
  problemOf,
  replacesModule,
  wrongFeatures,
} from "./steps/import-rules.mjs";

describe("refuses", () => {
  it.each([
    ["packages/domain/src/money.ts", "packages/domain", "@malote/contracts/wire"],
    ["packages/domain/src/money.ts", "packages/domain", "node:crypto"],
    ["packages/contracts/src/wire.ts", "packages/contracts", "../../../apps/api/src/main.ts"],
    ["packages/local-postgres/src/home.ts", "packages/local-postgres", "@malote/domain/money"],
    ["packages/local-postgres/src/home.ts", "packages/local-postgres", "../../../apps/api/src/main.ts"],
    ["packages/local-postgres/src/home.ts", "packages/local-postgres", "@malote/sheet-reader/limits"],
    ["packages/sheet-reader/src/limits.ts", "packages/sheet-reader", "@malote/domain/limits"],
    ["packages/sheet-reader/src/limits.ts", "packages/sheet-reader", "@malote/contracts/import"],
    ["packages/sheet-reader/src/limits.ts", "packages/sheet-reader", "../../domain/src/limits.ts"],
    ["packages/contracts/src/import.ts", "packages/contracts", "@malote/sheet-reader/limits"],
    ["apps/web/src/import/drop.tsx", "apps/web", "@malote/sheet-reader/read-csv"],
    ["packages/domain/src/money.ts", "packages/domain", "@malote/local-postgres/start-postgres"],
    ["packages/contracts/src/wire.ts", "packages/contracts", "@malote/local-postgres/start-postgres"],
    ["apps/web/src/session/api.ts", "apps/web", "@malote/local-postgres/start-postgres"],
    ["apps/web/src/session/api.ts", "apps/web", "../../../api/src/platform/config.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../users/store.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../users/internals/index.ts"],
    ["apps/api/src/session/deep/login.ts", "apps/api", "../../users/store.ts"],
    ["apps/api/src/platform/http/serve.ts", "apps/api", "../../session/index.ts"],
    ["apps/api/src/platform/services.ts", "apps/api", "../adapters/sandbox/index.ts"],
    ["apps/api/src/platform/services.ts", "apps/api", "../registry.ts"],
    ["apps/api/src/platform/db/database.ts", "apps/api", "@malote/domain/payment-limits"],
    ["apps/api/src/platform/http/server.ts", "apps/api", "@malote/contracts/import"],
    ["apps/api/src/product.ts", "apps/api", "./operator/stored-secrets.ts"],
    ["apps/api/src/request-executors.ts", "apps/api", "./payins/request-refund.ts"],
    ["apps/api/src/request-executors.ts", "apps/api", "./payouts/corrections/index.ts"],
    ["apps/api/src/main.ts", "apps/api", "./session/feature.ts"],
    ["apps/api/src/payouts/index.ts", "apps/api", "./batches/feature.ts"],
    ["apps/api/src/ports/rails.ts", "apps/api", "../payments/index.ts"],
    ["apps/api/src/ports/rails.ts", "apps/api", "../platform/db/database.ts"],
    ["apps/api/src/payouts/batches/close.ts", "apps/api", "../../adapters/sandbox/index.ts"],
    ["apps/api/src/payouts/batches/close.ts", "apps/api", "../../adapters/sandbox/simulator/start-over.ts"],
    ["apps/web/src/ui/money.tsx", "apps/web", "../session/index.ts"],
  ])("%s importing as %s %s", (path, owner, target) => {
    expect(problemOf(path, owner, target)).toBeTypeOf("string");
  });
});

it.each([
  ['vi.mock("../ui/save-file.ts")', true],
  ['vi.doMock("../ui/save-file.ts", () => ({}))', true],
  ['vi.spyOn(URL, "createObjectURL")', false],
  ["vi.fn().mockReturnValue(1)", false],
])("a test that says %s, because it replaces a module: %s", (text, expected) => {
  expect(replacesModule(text)).toBe(expected);
});

const sandbox = "apps/api/src/adapters/sandbox/index.ts";
it.each([
  ["apps/api/src/product.ts", { path: sandbox, dynamic: false }, true],
  ["apps/api/src/adapters/create-adapters.ts", { path: sandbox, dynamic: false }, true],
  ["apps/api/src/adapters/create-adapters.ts", { path: sandbox, dynamic: true }, false],
  ["apps/api/src/adapters/sandbox/sms.ts", { path: sandbox, dynamic: false }, false],
  ["apps/api/src/testing/app.ts", { path: sandbox, dynamic: false }, false],
  ["apps/api/src/product.ts", { path: sandbox, dynamic: true }, true],
  ["apps/api/src/payments/send-payments.ts", { path: sandbox, dynamic: true }, true],
  ["apps/api/src/product.ts", { path: "apps/api/src/app.ts", dynamic: false }, false],
])("%s that imports %o, because it loads the sandbox: %s", (path, found, expected) => {
  expect(loadsSandbox(path, found)).toBe(expected);
});

describe("cycles of modules", () => {
  const imports = (edges: Record<string, string[]>) =>
    new Map(
      Object.entries(edges).map(([path, targets]) => [
        `apps/api/src/${path}`,
        targets.map((target) => ({ path: `apps/api/src/${target}`, specifier: "", dynamic: false })),
      ]),
    );

  it("finds one over three modules, and not the modules beside it", () => {
    const edges = imports({
      "company/feature.ts": ["controls/index.ts"],
      "controls/policy.ts": ["session/index.ts", "ledger/index.ts"],
      "session/login.ts": ["company/index.ts"],
      "statement/read.ts": ["company/index.ts"],
    });
    expect(moduleCycles(edges)).toEqual([["company", "controls", "session"]]);
  });

  it("ignores tests, composing files, and folders inside a module", () => {
    const edges = imports({
      "company/company.test.ts": ["session/index.ts"],
      "session/login.ts": ["company/index.ts"],
      "registry.ts": ["company/feature.ts"],
      "company/feature.ts": ["registry.ts"],
      "payouts/batches/close.ts": ["payouts/transfers/read.ts"],
      "payouts/transfers/edit.ts": ["payouts/batches/edit.ts"],
    });
    expect(moduleCycles(edges)).toEqual([]);
  });

  it("finds two files of one module that import each other, and omits tests and other packages", () => {
    const edges = imports({
      "controls/need.ts": ["controls/sums-store.ts"],
      "controls/sums-store.ts": ["controls/need.ts", "platform/db/database.ts"],
      "platform/db/database.test.ts": ["platform/db/database.ts"],
      "platform/db/database.ts": ["platform/db/database.test.ts"],
    });
    expect(fileCycles(edges)).toEqual([
      ["apps/api/src/controls/need.ts", "apps/api/src/controls/sums-store.ts"],
    ]);
    expect(moduleCycles(edges)).toEqual([]);
    expect(
      fileCycles(
        new Map([["apps/web/src/a.ts", [{ path: "apps/web/src/a.ts", specifier: "", dynamic: false }]]]),
      ),
    ).toEqual([]);
  });
});

describe("features", () => {
  it.each([
    ["apps/api/src/payouts/one-payment/feature.ts", "onePaymentFeature"],
    ["apps/api/src/payouts/funding-feature.ts", "fundingFeature"],
    ["apps/api/src/platform/feature.ts", undefined],
    ["apps/api/src/ledger/index.ts", undefined],
  ])("in %s have the names %s", (path, name) => {
    expect(featureName(path)).toBe(name);
  });

  const inTree = (registry: string, feature: string) => {
    const root = mkdtempSync(join(tmpdir(), "malote-features-"));
    try {
      const files = { "registry.ts": registry, "ledger/feature.ts": feature };
      const paths = Object.entries(files).map(([path, text]) => {
        const file = join(root, "apps/api/src", path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        return file;
      });
      return wrongFeatures(root, paths);
    } finally {
      rmSync(root, { recursive: true });
    }
  };
  const declared = "export const ledgerFeature: Feature = {};\n";

  it.each([
    ["export const features = [\n  ledgerFeature,\n];\n", declared, []],
    ["export const features = [\n  ledgerFeature(a),\n];\n", declared, []],
    ["export const features = [...others, ledgerFeature(a)];\n", declared, []],
    [
      "export const features = [\n  ledgerFeature,\n];\n",
      "export const feature: Feature = {};\n",
      ["apps/api/src/ledger/feature.ts: a feature of this file is named ledgerFeature"],
    ],
    [
      "export const features = [\n  { tidy: forget },\n];\n",
      declared,
      [
        "apps/api/src/registry.ts: does not list ledgerFeature",
        "apps/api/src/registry.ts: declares a feature itself: tidy:",
      ],
    ],
  ])("are declared by their file and listed: %j", (registry, feature, wrong) => {
    expect(inTree(registry, feature)).toEqual(wrong);
  });

  it.each([
    ["platform/http/metrics.ts", 'name: "malote_payments_sent_total"', "payment"],
    ["platform/db/locks.ts", '"boleto-codes": "billets"', "boleto"],
    ["platform/mail/send-mail.ts", "m.receipt_of AS id", undefined],
    ["platform/mail/send-mail.ts", "drawReceipt()", "Receipt"],
    ["platform/measure.test.ts", "payments", undefined],
    ["platform/config.ts", "MALOTE_PAYMENT_PRICE", undefined],
    ["payins/store.ts", "payin", undefined],
  ])("are not named by %s with %s: %s", (path, text, named) => {
    expect(namedByPlatform(`apps/api/src/${path}`, text)).toBe(named);
  });
});

describe("the parts of payouts", () => {
  const payouts = (path: string) => `apps/api/src/payouts/${path}`;

  it.each([
    ["transfers/store.ts", "batches/store.ts", "transfers is below batches"],
    ["lookups/feature.ts", "checks/store.ts", "lookups is below checks"],
    ["rules/rules-sql.ts", "transfers/facts.ts", "rules is below transfers"],
    ["locks.ts", "draft-payment-store.ts", "locks.ts is below draft-payment-store.ts"],
    ["batches/report.ts", "import/sheet/limits.ts", "batches is below import"],
    ["batches/close.ts", "index.ts", "batches is below index.ts"],
    ["refunds/give.ts", "batches/store.ts", "refunds has no place in the order of apps/api/src/payouts"],
    ["batches/close.ts", "refunds/give.ts", "refunds has no place in the order of apps/api/src/payouts"],
  ])("refuses %s importing %s", (from, to, why) => {
    expect(layerProblem(payouts(from), payouts(to))).toBe(why);
  });

  it.each([
    ["batches/store.ts", "transfers/store.ts"],
    ["batches/close.ts", "batches/store.ts"],
    ["boletos/store.ts", "rules/rules-sql.ts"],
    ["funding-feature.ts", "batches/store.ts"],
    ["transfers/drafts.test.ts", "batches/store.ts"],
    ["transfers/store.ts", "../controls/index.ts"],
  ])("allows %s importing %s", (from, to) => {
    expect(layerProblem(payouts(from), normalize(payouts(to)))).toBeUndefined();
  });

  it("ignores modules without an order", () => {
    expect(layerProblem("apps/api/src/ledger/post.ts", "apps/api/src/ledger/index.ts")).toBeUndefined();
  });

  it("names only existing folders", () => {
    for (const [module, parts] of Object.entries(layers))
      expect(readdirSync(join(import.meta.dirname, "..", module))).toEqual(expect.arrayContaining(parts));
  });
});

it("reads every file, and finds a planted cycle, foreign internal import and import of the sandbox", async () => {
  const root = mkdtempSync(join(tmpdir(), "malote-rules-"));
  try {
    const files = {
      "packages/domain/src/money.ts": 'import { b } from "@malote/contracts/wire";\nexport const a = b;\n',
      "packages/contracts/src/wire.ts": "export const b = 1;\n",
      "packages/local-postgres/src/start.ts": "export const c = 1;\n",
      "packages/sheet-reader/src/read.ts": "export const d = 1;\n",
      "apps/web/src/app.tsx": "export const e = <p />;\n",
      "apps/api/src/product.ts": 'import { f } from "./adapters/sandbox/index.ts";\nexport const g = f;\n',
      "apps/api/src/adapters/sandbox/index.ts": "export const f = 1;\n",
      "apps/api/src/company/index.ts": 'import type { H } from "../session/index.ts";\nexport type I = H;\n',
      "apps/api/src/session/index.ts": 'import type { I } from "../company/index.ts";\nexport type H = I;\n',
      "apps/api/src/ledger/post.ts": 'import { j } from "../session/store.ts";\nexport const k = j;\n',
      "apps/api/src/session/store.ts": "export const j = 1;\n",
      "apps/api/src/ledger/one.ts": 'import type { M } from "./two.ts";\nexport type L = M;\n',
      "apps/api/src/ledger/two.ts": 'import type { L } from "./one.ts";\nexport type M = L;\n',
      "apps/api/src/payouts/rules/facts.ts":
        'import type { N } from "../batches/store.ts";\nexport type O = N;\n',
      "apps/api/src/payouts/batches/store.ts": "export type N = 1;\n",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    expect((await brokenImportRules(root)).sort()).toEqual([
      "apps/api/src/ledger/post.ts: ../session/store.ts: session shows other features only its index, api or parts file",
      "apps/api/src/payouts/rules/facts.ts: ../batches/store.ts: rules is below batches",
      "apps/api/src/product.ts: loads the sandbox in production too",
      "files in a cycle: apps/api/src/company/index.ts, apps/api/src/session/index.ts",
      "files in a cycle: apps/api/src/ledger/one.ts, apps/api/src/ledger/two.ts",
      "modules in a cycle: company, session",
      "packages/domain/src/money.ts: @malote/contracts/wire: packages/domain may not import packages/contracts",
    ]);
  } finally {
    rmSync(root, { recursive: true });
  }
});

describe("allows", () => {
  it.each([
    ["packages/contracts/src/wire.ts", "packages/contracts", "@malote/domain/money"],
    ["packages/domain/src/money.test.ts", "packages/domain", "node:fs"],
    ["packages/local-postgres/src/home.ts", "packages/local-postgres", "node:fs"],
    ["packages/local-postgres/src/home.ts", "packages/local-postgres", "./account.ts"],
    ["packages/local-postgres/src/start-postgres.ts", "packages/local-postgres", "pg"],
    ["packages/sheet-reader/src/read-zip.ts", "packages/sheet-reader", "node:zlib"],
    ["apps/api/src/payouts/import/sheet/read-sheet.ts", "apps/api", "@malote/sheet-reader/open-tabs"],
    ["apps/api/src/main.ts", "apps/api", "@malote/local-postgres/start-postgres"],
    ["apps/api/src/platform/installation.ts", "apps/api", "@malote/local-postgres/start-or-attach"],
    ["apps/api/src/session/login.ts", "apps/api", "./store.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../ledger/index.ts"],
    ["apps/api/src/transfers/dispatch.ts", "apps/api", "../ports/rails.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../platform/db/database.ts"],
    ["apps/api/src/session/login.test.ts", "apps/api", "../users/store.ts"],
    ["apps/api/src/platform/services.ts", "apps/api", "../ports/rails.ts"],
    ["apps/api/src/adapters/sandbox/demo/seed.ts", "apps/api", "../../../company/store.ts"],
    ["apps/api/src/registry.ts", "apps/api", "./session/feature.ts"],
    ["apps/api/src/registry.ts", "apps/api", "./payouts/batches/feature.ts"],
    ["apps/api/src/ledger/feature.ts", "apps/api", "../platform/feature.ts"],
    ["apps/api/src/product.ts", "apps/api", "./operator/index.ts"],
    ["apps/api/src/product.ts", "apps/api", "./platform/db/migrate.ts"],
    ["apps/api/src/platform/config.ts", "apps/api", "@malote/domain/payment-limits"],
    ["apps/api/src/platform/measure.test.ts", "apps/api", "@malote/domain/payment-limits"],
    ["apps/api/src/platform/db/moves-to.ts", "apps/api", "@malote/domain/transitions"],
    ["apps/web/src/batches/list.tsx", "apps/web", "../statement/api.ts"],
    ["apps/web/src/batches/list.tsx", "apps/web", "react"],
  ])("%s importing as %s %s", (path, owner, target) => {
    expect(problemOf(path, owner, target)).toBeUndefined();
  });
});
