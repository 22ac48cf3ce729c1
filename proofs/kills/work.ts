/** The work under which everything here is killed: sixteen clients of the demo companies, on a network that has bad days. */
import { setTimeout as sleep } from "node:timers/promises";
import { saveCompanyBankAccount } from "@malote/contracts/company";
import { changeRails } from "@malote/contracts/simulator";
import { provider } from "@malote/domain/banks";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { signIn } from "../../e2e/api.ts";
import { chanceOf } from "../chance.ts";
import { runClient } from "./client.ts";
import { type Bearable, type Company, createWorld, type Person, perform, type World } from "./world.ts";

const clientCount = 16;
const enoughMsMax = 30_000;
const lookEveryMs = 50;

export interface Work {
  world: World;
  /** The clients end what they are at and stop. */
  finish(): Promise<void>;
}

export async function startWork(url: string, seed: number, bearable: Bearable): Promise<Work> {
  const world = createWorld(url, bearable);
  world.companies = await Promise.all(demoCompanies.map((company) => openCompany(url, company)));
  const [first] = world.companies;
  if (!first) throw new Error("there is no demo company");
  // Lost answers and events told twice are part of every day.
  await perform(world, first.admin, changeRails, {
    body: { pix_latency_ms: 100, timeout_percent: 10, duplicate_percent: 20, failure_percent: 3 },
  });
  for (const [index, { admin }] of world.companies.entries()) {
    const { name = "", taxId = "" } = demoCompanies[index] ?? {};
    await perform(world, admin, saveCompanyBankAccount, {
      body: { ...inTheHouse, name, cpfCnpj: taxId },
    });
  }
  const clients = Array.from({ length: clientCount }, (_, index) => {
    const company = world.companies[index % world.companies.length] ?? first;
    return runClient(world, company, chanceOf(seed * 1_000 + index));
  });
  const working = Promise.all(clients);
  // Told in finish, where it is awaited.
  working.catch(() => undefined);
  return {
    world,
    async finish() {
      const deadline = performance.now() + enoughMsMax;
      while (!hasEnough(world) && performance.now() < deadline) await sleep(lookEveryMs);
      world.stopping = true;
      await working;
    },
  };
}

/**
 * Where withdrawals go: to our own institution, which takes them at any hour of any day. The company that had another account
 * withdraws nothing for a day, and the other one all the time.
 */
const inTheHouse = {
  bank_id: provider.ispb,
  agency: "1",
  agency_digit: null,
  account_type: "CONTA_CORRENTE",
  account: "1000",
  account_digit: "1",
} as const;

async function openCompany(url: string, company: (typeof demoCompanies)[number]): Promise<Company> {
  async function person(profile: string): Promise<Person> {
    const email = company.users.find((user) => user.profile === profile)?.email ?? "";
    return { email, token: await signIn(url, email) };
  }
  return {
    id: company.id,
    pixKey: company.pixKeys[0]?.key ?? "",
    admin: await person("admin"),
    operator: await person("operator"),
    batches: [],
  };
}

/** Something of each kind to ask for, however few kills there were: where nothing was done nothing can be missed. */
function hasEnough({ acknowledged, sheets, deposits }: World): boolean {
  const closings = acknowledged.filter(({ call }) => call === "closeBatch").length;
  const withdrawals = acknowledged.filter(({ call }) => call === "withdrawBalance").length;
  return closings >= 3 && withdrawals > 0 && sheets.size > 0 && deposits.size > 0;
}

/** Until it is opened again the clients wait, and do not hammer a closed door. */
export function closeGate(world: World): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  world.up = promise;
  return resolve;
}
