/** The work during the kills: sixteen clients of the demo companies, on an unreliable network. */
import { setTimeout as sleep } from "node:timers/promises";
import { saveCompanyBankAccount } from "@malote/contracts/company";
import { changeRails } from "@malote/contracts/simulator";
import { ownInstitution } from "@malote/domain/own-institution";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { signIn } from "../../e2e/api.ts";
import { chanceOf } from "../chance.ts";
import { runClient } from "./client.ts";
import {
  type Bearable,
  type Company,
  createWorkload,
  type Person,
  perform,
  type Workload,
} from "./workload.ts";

const clientCount = 16;
const enoughMsMax = 30_000;
const lookEveryMs = 50;

export interface Work {
  workload: Workload;
  /** Lets the clients complete their current work and stops them. */
  finish(): Promise<void>;
}

export async function startWork(url: string, seed: number, bearable: Bearable): Promise<Work> {
  const workload = createWorkload(url, bearable);
  workload.companies = await Promise.all(demoCompanies.map((company) => openCompany(url, company)));
  const [first] = workload.companies;
  if (!first) throw new Error("there is no demo company");
  // Lost answers and events delivered twice are part of every day.
  await perform(workload, first.admin, changeRails, {
    body: { pix_latency_ms: 100, timeout_percent: 10, duplicate_percent: 20, failure_percent: 3 },
  });
  for (const [index, { admin }] of workload.companies.entries()) {
    const { name = "", taxId = "" } = demoCompanies[index] ?? {};
    await perform(workload, admin, saveCompanyBankAccount, {
      body: { ...inTheHouse, name, cpfCnpj: taxId },
    });
  }
  const clients = Array.from({ length: clientCount }, (_, index) => {
    const company = workload.companies[index % workload.companies.length] ?? first;
    return runClient(workload, company, chanceOf(seed * 1_000 + index));
  });
  const working = Promise.all(clients);
  // Handled in `finish`, where it is awaited.
  working.catch(() => undefined);
  return {
    workload,
    async finish() {
      const deadline = performance.now() + enoughMsMax;
      while (!hasEnough(workload) && performance.now() < deadline) await sleep(lookEveryMs);
      workload.stopping = true;
      await working;
    },
  };
}

/**
 * The account of withdrawals, at our own institution, which accepts them at any hour of any day. A company that
 * replaced an account withdraws nothing for a day, and the other one all the time.
 */
const inTheHouse = {
  bank_id: ownInstitution().ispb,
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

/** Returns whether there is work of each kind, however few kills there were: without work no loss can be noticed. */
function hasEnough({ acknowledged, sheets, deposits }: Workload): boolean {
  const closings = acknowledged.filter(({ call }) => call === "closeBatch").length;
  const withdrawals = acknowledged.filter(({ call }) => call === "withdrawBalance").length;
  return closings >= 3 && withdrawals > 0 && sheets.size > 0 && deposits.size > 0;
}

/** Makes the clients wait until the gate opens again, so that they do not hammer a server that is down. */
export function closeGate(workload: Workload): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  workload.up = promise;
  return resolve;
}
