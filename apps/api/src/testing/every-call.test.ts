/**
 * Walks every contract there is: a new call joins without a line here. What belongs to another company, and the whole
 * matrix of permissions, are walked by the proofs of S1 and S2.
 */
import { bases, type Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { mayCall, profiles } from "@malote/contracts/policy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchRoutes } from "../batches/routes.ts";
import { billetRoutes } from "../billets/routes.ts";
import { billingRoutes } from "../billing/routes.ts";
import { demoCompanies } from "../demo/seed.ts";
import { credentialRoutes } from "../developer/credential-routes.ts";
import { importRoutes } from "../import/routes.ts";
import { indicatorRoutes } from "../indicators/routes.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { receiptRoutes } from "../receipts/routes.ts";
import { receiverRoutes } from "../receivers/routes.ts";
import { statementRoutes } from "../statement/routes.ts";
import { transferRoutes } from "../transfers/routes.ts";
import { userRoutes } from "../users/routes.ts";
import { buildTestApp, type Person, type TestApp } from "./app.ts";

let app: TestApp;
const people: Record<string, Person> = {};
let machine: string;
const ofSession = contracts.filter((contract) => contract.policy.access === "session");
const name = ({ method, base, path }: Contract) => `${method} ${base} ${path}`;

beforeAll(async () => {
  app = await buildTestApp({
    routes: [
      userRoutes,
      batchRoutes,
      transferRoutes,
      billetRoutes,
      receiverRoutes,
      statementRoutes,
      importRoutes,
      receiptRoutes,
      indicatorRoutes,
      billingRoutes,
      credentialRoutes,
    ],
  });
  people.admin = await app.as("helena@aurora.example");
  people.operator = await app.as("rui@aurora.example");
  people.analyst = await app.as("ana@aurora.example");
  const credential = demoCompanies[0]?.credential;
  const token = await app.send("POST", "/api/login/authorize", {
    grant_type: "client_credentials",
    client_id: credential?.clientId,
    client_secret: credential?.clientSecret,
  });
  machine = token.body.access_token;
});
afterAll(() => app.close());

const idempotent = (contract: Contract): Record<string, string> =>
  contract.idempotent ? { "idempotency-key": uuidv7() } : {};

describe("every call", () => {
  it.each(ofSession.map((contract) => [name(contract), contract] as const))(
    "SES-034 refuses %s without a token",
    async (_, contract) => {
      const answer = await app.call(contract);
      expect(answer).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
      expect(answer.body.requestId).toBeTruthy();
    },
  );

  it.each(profiles)("SES-050 SES-053 lets %s do what the policies say and nothing else", async (profile) => {
    for (const contract of ofSession) {
      const person = people[profile];
      // Leaving would end the session that the others are asked with.
      if (!person || contract.id === "logout") continue;
      const allowed = mayCall(contract.policy, {
        kind: "user",
        application: "payments",
        profile,
        permissions: ["all"],
        featureFlags: [],
      });
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), billetId: uuidv7(), kind: "transfer" };
      const answer = await person.call(contract, { params }, idempotent(contract));
      expect([name(contract), answer.status === 403]).toEqual([name(contract), !allowed]);
    }
  });

  it("lets a machine do what the policies say and nothing else", async () => {
    for (const contract of ofSession) {
      const { policy } = contract;
      const allowed = policy.access === "session" && policy.machine;
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), billetId: uuidv7(), kind: "transfer" };
      const answer = await app.call(contract, { params }, { token: machine, headers: idempotent(contract) });
      if (!allowed) expect([name(contract), answer.status]).toEqual([name(contract), 403]);
    }
  });
});

it("looks at nothing that a call without a body is sent, however deep it goes", async () => {
  const bodyless = ofSession.filter(
    ({ method, body, transport, id }) =>
      method !== "GET" && !body && transport !== "multipart" && id !== "logout",
  );
  expect(bodyless.length).toBeGreaterThan(0);
  for (const contract of bodyless) {
    const path = bases[contract.base] + contract.path.replace(/:\w+/g, () => uuidv7());
    const answer = await app.send(contract.method, path, "[".repeat(20_000) + "]".repeat(20_000), {
      token: people.admin?.token ?? "",
      headers: { "content-type": "application/json", ...idempotent(contract) },
    });
    expect([name(contract), answer.status]).not.toEqual([name(contract), 500]);
  }
});

describe("the simulator", () => {
  it("does not exist in production", async () => {
    const production = await buildTestApp({ config: { sandbox: false }, seed: false });
    for (const contract of contracts.filter(({ policy }) => policy.access === "simulator")) {
      expect((await production.call(contract)).status).toBe(404);
    }
    await production.close();
  });
});
