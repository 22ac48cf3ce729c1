/**
 * An installation in production runs the product with the adapters that its environment chooses, none of them the
 * sandbox's.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readConfig } from "../platform/config.ts";
import { testDatabase } from "../platform/db/test-database.ts";
import type { FromBoot } from "../testing/boot-without-sandbox.ts";
import { describeRails } from "../testing/rails-contract.ts";
import { callOf } from "../testing/slow-rails.ts";
import { productionEnvironment, testBank } from "../testing/test-bank.ts";
import { createAdapters } from "./create-adapters.ts";
import { demoCompanies } from "./sandbox/demo/demo-data.ts";
import { demoPassword } from "./sandbox/demo/seed.ts";

const dayMs = 86_400_000;
const boot = fileURLToPath(new URL("../testing/boot-without-sandbox.ts", import.meta.url));

describe("a server and worker in production", () => {
  let database: pg.Client;
  let folder: string;
  let child: ChildProcess;
  let url: string;
  let lines: string[];
  let loaded: string[];
  const messages: FromBoot[] = [];

  /** Returns the first message of a kind, which may have arrived before the call. */
  async function message<K extends FromBoot["kind"]>(kind: K): Promise<Extract<FromBoot, { kind: K }>> {
    for (;;) {
      const failure = messages.find((one) => one.kind === "failed");
      if (failure) throw new Error(failure.why);
      const found = messages.find((one): one is Extract<FromBoot, { kind: K }> => one.kind === kind);
      if (found) return found;
      await once(child, "message");
    }
  }

  beforeAll(async () => {
    const { config } = await testDatabase();
    database = new pg.Client(config);
    await database.connect();
    await database.query("UPDATE sandbox.settings SET clock_ahead_ms = $1", [dayMs]);
    folder = mkdtempSync(join(tmpdir(), "malote-production-"));
    child = fork(boot, {
      execArgv: [],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
      env: {
        ...productionEnvironment,
        PORT: "0",
        MALOTE_DATA: folder,
        TEST_CONNECTION: JSON.stringify(config),
      },
    });
    child.on("message", (one) => void messages.push(one as FromBoot));
    child.once("exit", (code) => child.emit("message", { kind: "failed", why: `exited with ${code}` }));
    ({ lines, loaded } = await message("started"));
    url = /http:\/\/localhost:\d+/.exec(lines.join("\n"))?.[0] ?? "";
  });

  afterAll(async () => {
    if (child.connected) {
      child.disconnect();
      await once(child, "exit");
    }
    await database.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const count = async (table: string) =>
    Number((await database.query(`SELECT count(*) FROM ${table}`)).rows[0].count);

  it("loads no module of the sandbox", () => {
    const ours = loaded.flatMap((module) => module.split("/apps/api/src/")[1] ?? []);
    expect(ours).toContain("worker.ts");
    expect(ours).toContain("app.ts");
    expect(ours.filter((module) => module.startsWith("adapters/sandbox/"))).toEqual([]);
  });

  it("accepts work as a server", async () => {
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const brand = await fetch(`${url}/api/login/brand`);
    expect(await brand.json()).toMatchObject({ sandbox: false });
  });

  it("runs as a worker that polls the directory of the configured adapter", async () => {
    expect(await message("directory asked")).toBeTruthy();
  });

  it("adds no demo company and stores no simulated e-mail", async () => {
    expect([await count("companies"), await count("users"), await count("sandbox.mails")]).toEqual([0, 0, 0]);
  });

  it("prints no simulator, demo person or demo password when it starts", () => {
    const people = demoCompanies.flatMap(({ users }) => users.map(({ email }) => email));
    for (const word of ["simulador", demoPassword, ...people])
      expect(lines.join("\n").toLowerCase()).not.toContain(word.toLowerCase());
  });

  it("has no call of the simulator", async () => {
    expect((await fetch(`${url}/api/simulator/state`)).status).toBe(404);
    const { paths } = (await (await fetch(`${url}/api/payments/openapi.json`)).json()) as { paths: object };
    expect(Object.keys(paths).filter((path) => path.includes("simulator"))).toEqual([]);
  });

  it("accepts the webhook of its bank by real time, even where the sandbox's clock was moved", async () => {
    const event = {
      kind: "settled",
      id: "S-1/paid",
      order: { reference: { kind: "protocol", value: "S-1" } },
      at: new Date().toISOString(),
      value: 1,
      final: true,
    } as const;
    const { body, headers } = callOf([event]);
    const answer = await fetch(`${url}/api/networks/slow/events`, { method: "POST", body, headers });
    expect(answer.status).toBe(204);
    const { rows } = await database.query("SELECT since FROM rail_dead_letters");
    expect(rows).toHaveLength(1);
    expect(rows[0].since.getTime() - Date.now()).toBeLessThan(dayMs / 2);
  });
});

describeRails("of an installation in production", async (kit) => {
  const bank = testBank();
  const { db, log } = kit.services;
  const { ports } = await createAdapters(
    readConfig(productionEnvironment),
    { db, log, clock: kit.clock },
    bank.available,
  );
  return {
    rails: ports.rails,
    events: async () => bank.network().dueEvents(),
    taken: async () => bank.network().taken(),
  };
});
