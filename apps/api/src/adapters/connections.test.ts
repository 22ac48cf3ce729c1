/** Identities of the services that report: those of both adapters there are, and the ones that a start refuses. */
import { paymentMethods } from "@malote/domain/payment-limits";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../platform/config.ts";
import { type DatabaseWithSandbox, openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { createLog } from "../platform/log.ts";
import type { Connection } from "../ports/connection.ts";
import type { Rails } from "../ports/rails.ts";
import { promisesOfConnection } from "../testing/connection-contract.ts";
import { noRails } from "../testing/no-rails.ts";
import { productionEnvironment, testBank } from "../testing/test-bank.ts";
import type { Adapters } from "./adapters.ts";
import type { Catalogue } from "./catalogue.ts";
import { connectionProblems } from "./connection-problems.ts";
import { createAdapters } from "./create-adapters.ts";

const log = createLog("silent");
let db: DatabaseWithSandbox;
beforeAll(async () => {
  db = openDatabase({ ...(await testDatabase()).config, max: 2 });
});
afterAll(() => db.close());

const build = (env: Record<string, string>, available?: Catalogue) =>
  createAdapters(readConfig({ MALOTE_LOG: "silent", ...env }), { db, log }, available);

describe.each([
  ["of the sandbox", () => build({})],
  ["of an installation in production", () => build(productionEnvironment, testBank().available)],
])("the services %s", (_name, open) => {
  let adapters: Adapters;
  beforeAll(async () => {
    adapters = await open();
  });
  describe.each(["rails", "charges", "infractions", "directory"] as const)("the port %s", (port) => {
    promisesOfConnection(() => adapters.ports[port]);
  });
});

const webhook = { isGenuine: () => false, read: () => [] };
const opened = (variable: string, adapter: string, connection: Connection<unknown>) => ({
  variable,
  adapter,
  connection,
});
const rails = opened("MALOTE_RAILS", "bank", { id: "bank", webhook });

it.each([
  [
    "an id that no address can hold",
    [opened("MALOTE_CHARGES", "acquirer", { id: "Acquirer/1" })],
    'MALOTE_CHARGES: "Acquirer/1", do adaptador acquirer, não serve de nome de conexão',
  ],
  [
    "one id of two adapters",
    [rails, opened("MALOTE_CHARGES", "acquirer", { id: "bank" })],
    "MALOTE_CHARGES: os adaptadores bank e acquirer dão o mesmo nome à sua conexão, bank",
  ],
  [
    "two webhooks under one id",
    [rails, opened("MALOTE_CHARGES", "bank", { id: "bank", webhook })],
    "MALOTE_CHARGES: o adaptador bank recebe chamadas ou arquivos de dois serviços com o nome bank",
  ],
])("refuses %s", (_what, all, problem) => {
  const problems = connectionProblems(all, noRails);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

it("accepts one adapter under one id for several ports, of which one is called", () => {
  const charges = opened("MALOTE_CHARGES", "bank", { id: "bank" });
  expect(connectionProblems([rails, charges], noRails)).toEqual([]);
});

it("refuses a main network that does not carry every method, and takes it as a further connection", async () => {
  const onlyPix = (carried: Rails): Catalogue => ({
    pix: { plays: ["rails"], open: async () => ({ ports: { rails: carried } }) },
  });
  const available = onlyPix({ ...noRails, id: "only-pix", methods: ["PIX"] });
  await expect(build({ MALOTE_RAILS: "pix" }, available)).rejects.toThrow(
    `a rede only-pix não leva ${paymentMethods.filter((method) => method !== "PIX").join(", ")}`,
  );
  const { ports } = await build({ MALOTE_CONNECTIONS: "pix" }, available);
  expect([...ports.connections.keys()]).toEqual(["only-pix"]);
});
