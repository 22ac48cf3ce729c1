import { expect, it } from "vitest";
import { readConfig } from "../platform/config.ts";
import { openDatabase } from "../platform/db/database.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import { createLog } from "../platform/log.ts";
import { productionEnvironment, testBank } from "../testing/test-bank.ts";
import { adapterProblems } from "./catalogue.ts";
import { createAdapters } from "./create-adapters.ts";

const log = createLog("silent");
const quiet = { MALOTE_LOG: "silent" };

async function withDatabase(work: (db: ReturnType<typeof openDatabase>) => Promise<void>): Promise<void> {
  const db = openDatabase({ ...(await testDatabase()).config, max: 2 });
  try {
    await work(db);
  } finally {
    await db.close();
  }
}

it("plays the outside in the sandbox", () =>
  withDatabase(async (db) => {
    const { ports, greeting } = await createAdapters(readConfig(quiet), { db, log });
    expect(Object.keys(ports).sort()).toEqual([
      "accountCheck",
      "boletoRegister",
      "charges",
      "connections",
      "directory",
      "infractions",
      "mailer",
      "pixCodes",
      "rails",
      "sms",
    ]);
    expect(ports.rails.id).toBe("sandbox");
    expect(greeting("http://localhost:3000").join("\n")).toContain("http://localhost:3000/simulador");
  }));

it("builds each port from the adapter that is named for it, and the others from the sandbox", () =>
  withDatabase(async (db) => {
    const { available, mails } = testBank();
    const mixed = readConfig({ ...quiet, MALOTE_MAILER: "test-carrier", MALOTE_CONNECTIONS: "test-bank" });
    const { ports, clock } = await createAdapters(mixed, { db, log }, available);
    expect([ports.rails.id, [...ports.connections.keys()]]).toEqual(["sandbox", ["slow"]]);
    await ports.mailer.send({ id: "one" } as never);
    expect(mails).toEqual([{ id: "one" }]);
    expect(clock.aheadMs?.()).toBe(0);

    const turned = readConfig({ ...quiet, MALOTE_RAILS: "test-bank", MALOTE_CONNECTIONS: "sandbox" });
    const other = await createAdapters(turned, { db, log }, available);
    expect([other.ports.rails.id, [...other.ports.connections.keys()]]).toEqual(["slow", ["sandbox"]]);
  }));

it("refuses the sandbox's adapters in production", () =>
  withDatabase(async (db) => {
    const config = { ...readConfig(quiet), sandbox: false };
    await expect(createAdapters(config, { db, log })).rejects.toThrow(
      "MALOTE_RAILS não pode ser sandbox em produção",
    );
  }));

const problemsOf = (env: Record<string, string>, available = testBank().available) => {
  const { adapters, sandbox } = readConfig({ ...quiet, ...env });
  return adapterProblems(adapters, sandbox, available);
};

it.each([
  [{ MALOTE_RAILS: "banco" }, 'MALOTE_RAILS não conhece o adaptador "banco": use sandbox ou test-bank'],
  [
    { MALOTE_SMS: "test-bank" },
    'MALOTE_SMS não conhece o adaptador "test-bank": use sandbox ou test-carrier',
  ],
  [{ MALOTE_CONNECTIONS: "banco" }, 'MALOTE_CONNECTIONS não conhece o adaptador "banco"'],
  [{ MALOTE_CONNECTIONS: "sandbox" }, 'MALOTE_CONNECTIONS repete "sandbox"'],
  [{ MALOTE_CONNECTIONS: "test-bank,test-bank" }, 'MALOTE_CONNECTIONS repete "test-bank"'],
])("refuses the choice %o", (env, problem) => {
  const problems = problemsOf(env);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(problem);
});

it("accepts a production installation that names an adapter for each port", () => {
  expect(problemsOf(productionEnvironment)).toEqual([]);
});

it("lists every port that has no adapter in production, and what the version offers for it", () => {
  const { MALOTE_RAILS, MALOTE_SMS, ...rest } = productionEnvironment;
  expect(problemsOf(rest)).toEqual([
    "MALOTE_RAILS é obrigatório em produção: use test-bank",
    "MALOTE_SMS é obrigatório em produção: use test-carrier",
  ]);
  const none = problemsOf({ ...rest, MALOTE_MAILER: "smtp", SMTP_URL: "smtp://localhost" }, {});
  expect(none).toHaveLength(9);
  expect(none[0]).toBe(
    "MALOTE_RAILS é obrigatório em produção: esta versão não traz adaptador para este serviço",
  );
});
