import { describe, expect, it } from "vitest";
import { problemOf, replacesModule } from "./steps/import-rules.mjs";

describe("refuses", () => {
  it.each([
    ["packages/domain/src/money.ts", "packages/domain", "@malote/contracts/wire"],
    ["packages/domain/src/money.ts", "packages/domain", "node:crypto"],
    ["packages/contracts/src/wire.ts", "packages/contracts", "../../../apps/api/src/main.ts"],
    ["apps/web/src/session/api.ts", "apps/web", "../../../api/src/platform/config.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../users/store.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../users/internals/index.ts"],
    ["apps/api/src/session/deep/login.ts", "apps/api", "../../users/store.ts"],
    ["apps/api/src/platform/http/serve.ts", "apps/api", "../../session/index.ts"],
    ["apps/api/src/platform/parts.ts", "apps/api", "../rails/sandbox/index.ts"],
    ["apps/api/src/batches/close.ts", "apps/api", "../simulator/start-over.ts"],
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
])("of a test that says %s, that it replaces a module: %s", (text, expected) => {
  expect(replacesModule(text)).toBe(expected);
});

describe("allows", () => {
  it.each([
    ["packages/contracts/src/wire.ts", "packages/contracts", "@malote/domain/money"],
    ["packages/domain/src/money.test.ts", "packages/domain", "node:fs"],
    ["apps/api/src/session/login.ts", "apps/api", "./store.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../ledger/index.ts"],
    ["apps/api/src/transfers/dispatch.ts", "apps/api", "../rails/port.ts"],
    ["apps/api/src/session/login.ts", "apps/api", "../platform/db/database.ts"],
    ["apps/api/src/session/login.test.ts", "apps/api", "../users/store.ts"],
    ["apps/api/src/platform/parts.ts", "apps/api", "../rails/port.ts"],
    ["apps/api/src/demo/seed.ts", "apps/api", "../company/store.ts"],
    ["apps/api/src/main.ts", "apps/api", "./session/routes.ts"],
    ["apps/web/src/batches/list.tsx", "apps/web", "../statement/api.ts"],
    ["apps/web/src/batches/list.tsx", "apps/web", "react"],
  ])("%s importing as %s %s", (path, owner, target) => {
    expect(problemOf(path, owner, target)).toBeUndefined();
  });
});
