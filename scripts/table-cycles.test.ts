import { SyntaxKind } from "typescript/unstable/ast";
import { expect, it } from "vitest";
import { Boundaries } from "./steps/sql/boundaries.mjs";

type Given = ConstructorParameters<typeof Boundaries>;

const links = { folder: "links", owns: ["payment_links"], reads: { payins: "the payin of a link" } };
const sales = { folder: "sales", owns: ["payins"], reads: {} };

/** Returns the cycles of folders whose files import the given paths. */
function cyclesIn(
  imports: Readonly<Record<string, readonly string[]>>,
  { declared = [links, sales], closing = [] }: { declared?: Given[0]; closing?: Given[3] } = {},
): string[] {
  const files = Object.entries(imports).map(([file, targets]) => ({
    fileName: `/product/src/${file}`,
    statements: targets.map((text) => ({
      kind: SyntaxKind.ImportDeclaration,
      moduleSpecifier: { getText: () => `"${text}"` },
    })),
  }));
  return new Boundaries(declared, { files } as unknown as Given[1], [], closing).cycles();
}

const refused =
  "links/tables.ts: reads payins of sales, which reaches links: the feature of links takes a function of the owner " +
  "as a parameter, or the table changes its owner";

it("accepts a declared read of a folder that does not reach the reader", () => {
  expect(
    cyclesIn({ "links/store.ts": ["../sales/index.ts", "kysely"], "sales/store.ts": ["./index.ts"] }),
  ).toEqual([]);
});

it.each([
  ["by an import", { "sales/store.ts": ["../links/index.ts"] }],
  ["over another folder", { "sales/a.ts": ["../pages/index.ts"], "pages/index.ts": ["../links/index.ts"] }],
])("refuses a read of a folder that reaches the reader %s", (_, imports) => {
  expect(cyclesIn(imports)).toEqual([refused]);
});

it("refuses two folders that read each other", () => {
  const declared = [links, { ...sales, reads: { payment_links: "the link of a payin" } }];
  expect(cyclesIn({}, { declared })).toHaveLength(2);
});

it("accepts a named exception, and refuses one that closes no cycle", () => {
  const closing = [{ folder: "links", tables: ["payins"], why: "planted" }];
  expect(cyclesIn({ "sales/store.ts": ["../links/index.ts"] }, { closing })).toEqual([]);
  expect(cyclesIn({}, { closing })).toEqual([
    "scripts/steps/sql/boundaries.mjs: the reads of links close no cycle",
  ]);
});
