/** Files of a statement with more entries than are read at once. */
import { bases } from "@malote/contracts/contract";
import {
  downloadReport,
  requestStatementCsv,
  requestStatementOfx,
  requestStatementPdf,
  requestStatementXlsx,
  requestStatementXlsxV2,
} from "@malote/contracts/reports";
import { readXlsx } from "hucre";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeExport } from "../exports/index.ts";
import { linesOf } from "../receipts/testing.ts";
import { fileKinds } from "../registry.ts";
import { buildTestApp, type Person, type TestApp } from "../testing/app.ts";
import { companyId, statementCalls } from "../testing/statement-kit.ts";

let app: TestApp;
let helena: Person;
const october = { initialDate: "2026-10-01", endDate: "2026-10-31" };
const count = 1_003;

beforeAll(async () => {
  app = await buildTestApp();
  helena = await app.as("helena@aurora.example");
  const { move } = statementCalls(
    () => app,
    () => helena,
  );
  const given = Array.from({ length: count }, (_, at) => ({ description: `Recebido ${at}` }));
  // The last second of September and the first of November in São Paulo: no file of October has them.
  await move("2026-10-01T02:59:59Z", [{ description: "Recebido antes" }]);
  await move("2026-10-10T12:00:00Z", given);
  await move("2026-11-01T03:00:00Z", [{ description: "Recebido depois" }]);
});
afterAll(() => app.close());

const inSheet = async (bytes: Buffer) =>
  ((await readXlsx(bytes)).sheets[0]?.rows ?? []).flatMap((row) => row.map(String));
const inText = (bytes: Buffer) => bytes.toString("latin1").split(/[;\n>"]/);

type StatementCall =
  | typeof requestStatementCsv
  | typeof requestStatementOfx
  | typeof requestStatementPdf
  | typeof requestStatementXlsx
  | typeof requestStatementXlsxV2;
async function made(contract: StatementCall): Promise<Buffer> {
  const { body } = await helena.call(
    contract,
    contract.method === "GET" ? { query: october } : { body: october },
  );
  await makeExport(fileKinds, app.services, { companyId, exportId: body.id });
  const file = await app.server.inject({
    url: bases.payments + downloadReport.path.replace(":id", body.id),
    headers: { authorization: `Bearer ${helena.token}` },
  });
  return file.rawPayload;
}

it.each([
  ["XLS", requestStatementXlsxV2, inSheet],
  ["old report", requestStatementXlsx, inSheet],
  ["CSV", requestStatementCsv, inText],
  ["OFX", requestStatementOfx, inText],
  ["PDF", requestStatementPdf, linesOf],
] as const)(
  "STM-023 STM-024 the %s contains each entry of a long period once, and none of another day",
  async (_form, contract, cellsOf) => {
    const found = (await cellsOf(await made(contract))).filter((cell) => cell.startsWith("Recebido "));
    expect(found).toHaveLength(count);
    expect(new Set(found).size).toBe(count);
    expect(found).not.toEqual(expect.arrayContaining([expect.stringMatching(/antes|depois/)]));
  },
);

it("STM-023 the CSV opens with the balance before its period and closes with the one at its end", async () => {
  const lines = (await made(requestStatementCsv)).toString("utf8").trimEnd().split("\r\n");
  expect(lines[1]).toMatch(/Saldo de abertura.*;1,00;/);
  expect(lines.at(-1)).toMatch(/Saldo de fechamento.*;1\.004,00;/);
});
