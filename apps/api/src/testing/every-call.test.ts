/**
 * Iterates over every contract, so a new call needs no line here. The proofs of S1 and S2 cover data of other companies
 * and the whole matrix of permissions.
 */
import { bases, type Contract } from "@malote/contracts/contract";
import { errorText } from "@malote/contracts/errors";
import { contracts } from "@malote/contracts/index";
import { listPayins, refundPayin } from "@malote/contracts/payins";
import { mayCall, type Permission, permissions, profiles } from "@malote/contracts/policy";
import { readBalance } from "@malote/contracts/statement";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoCompanies } from "../adapters/sandbox/demo/seed.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { buildTestApp, type Person, type TestApp } from "./app.ts";
import { setCompany } from "./operator-kit.ts";

let app: TestApp;
const people: Record<string, Person> = {};
let machine: string;
const ofSession = contracts.filter((contract) => contract.policy.access === "session");
const name = ({ method, base, path }: Contract) => `${method} ${base} ${path}`;

beforeAll(async () => {
  app = await buildTestApp();
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

  it.each(profiles)("lets %s make the calls of the policies and no others", async (profile) => {
    for (const contract of ofSession) {
      const person = people[profile];
      // Signing out would end the session of the other calls.
      if (!person || contract.id === "logout") continue;
      const allowed = mayCall(contract.policy, {
        kind: "user",
        application: "payments",
        profile,
        permissions: ["all"],
        featureFlags: ["card-charge"],
      });
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), billetId: uuidv7(), kind: "transfer" };
      const answer = await person.call(contract, { params }, idempotent(contract));
      expect([name(contract), answer.status === 403]).toEqual([name(contract), !allowed]);
    }
  });

  it("lets a credential make the calls of the policies and no others", async () => {
    for (const contract of ofSession) {
      const { policy } = contract;
      const allowed = policy.access === "session" && policy.machine;
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), billetId: uuidv7(), kind: "transfer" };
      const answer = await app.call(contract, { params }, { token: machine, headers: idempotent(contract) });
      if (!allowed) expect([name(contract), answer.status]).toEqual([name(contract), 403]);
    }
  });
});

it("SES-061 refuses an address without a call in the common shape of errors", async () => {
  const { status, body } = await app.send("GET", `${bases.payments}/nao-existe`);
  expect(status).toBe(404);
  expect(body).toEqual({
    code: "not_found",
    errorCode: "not_found",
    message: errorText("not_found"),
    data: null,
    requestId: expect.any(String),
  });
});

describe("permissions", () => {
  const company = demoCompanies[0]?.id ?? "";
  const everything = permissions.filter((code) => code !== "platform_access");
  const calls: Readonly<Partial<Record<Permission, string[]>>> = {
    user_create: ["createUser", "createValidationUser"],
    api_credentials_generate: ["createCredential", "createValidationCredential"],
    contacerta_validation: ["createValidation", "validateDraftAccount", "readDraftAccountValidation"],
    payment_link_generate: ["createPaymentLink"],
    infractions_manage: ["listInfractions", "approveInfractions", "answerInfraction"],
    pix_key_register: ["createPixKey"],
    pix_key_delete: ["deletePixKey"],
    pix_key_accept_portability: ["confirmPixKeyClaim"],
    balance_withdrawal: ["withdrawBalance"],
  };

  async function isForbidden(contract: Contract, held: readonly string[]): Promise<boolean> {
    await setCompany(app.services, company, { permissions: held });
    const inPayments =
      contract.policy.access === "session" && contract.policy.applications.includes("payments");
    const person = inPayments ? people.admin : validator;
    const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), billetId: uuidv7(), kind: "transfer" };
    return (await person?.call(contract, { params }, idempotent(contract)))?.status === 403;
  }

  let validator: Person;
  beforeAll(async () => {
    validator = await app.as("helena@aurora.example", "validation");
  });
  afterAll(() => isForbidden(ofSession[0] as Contract, ["all"]));

  it("SES-059 api_access guards each of a credential's calls, and platform_access none", async () => {
    const forMachines = ofSession.filter(({ policy }) => policy.access === "session" && policy.machine);
    expect(forMachines.length).toBeGreaterThan(50);
    const fetchStatus = async (contract: Contract) => {
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), billetId: uuidv7(), kind: "transfer" };
      return (await app.call(contract, { params }, { token: machine, headers: idempotent(contract) })).status;
    };
    const hold = (held: readonly string[]) => isForbidden(forMachines[0] as Contract, held);
    await hold(permissions.filter((one) => one !== "api_access"));
    for (const contract of forMachines)
      expect([contract.id, await fetchStatus(contract)]).toEqual([contract.id, 403]);
    await hold(["api_access"]);
    expect(await fetchStatus(readBalance)).toBe(200);
    await hold(["all"]);
  });

  it("SES-059 guard their known calls, and no other code guards any", async () => {
    const guarded = Object.groupBy(
      ofSession.filter(({ policy }) => policy.access === "session" && policy.permission),
      ({ policy }) => (policy.access === "session" && policy.permission) || "",
    );
    expect(Object.keys(guarded).sort()).toEqual(Object.keys(calls).sort());
    for (const [code, contractsOfCode = []] of Object.entries(guarded)) {
      expect(contractsOfCode.map(({ id }) => id)).toEqual(
        expect.arrayContaining(calls[code as Permission] ?? []),
      );
      for (const contract of contractsOfCode) {
        const others = permissions.filter((one) => one !== code);
        expect([code, contract.id, await isForbidden(contract, others)]).toEqual([code, contract.id, true]);
        const alone = ["platform_access", code];
        expect([code, contract.id, await isForbidden(contract, alone)]).toEqual([code, contract.id, false]);
      }
    }
    for (const contract of ofSession.filter(({ id }) => id !== "logout")) {
      expect([contract.id, await isForbidden(contract, everything)]).toEqual([contract.id, true]);
    }
    // Where the payin's state decides, the action checks it.
    await isForbidden(listPayins, ["all"]);
    const [sold] = (await people.admin?.call(listPayins))?.body.items ?? [];
    const refund = { params: { id: sold?.id ?? "" }, body: { amount: 1 } };
    const held = async (codes: readonly string[]) => {
      await isForbidden(listPayins, codes);
      return (await people.admin?.call(refundPayin, refund, idempotent(refundPayin)))?.status;
    };
    expect(await held(permissions.filter((one) => one !== "payin_refund"))).toBe(403);
    expect(await held(["platform_access", "payin_refund"])).not.toBe(403);
  });
});

it("ignores the body of a call that has none, however deeply nested it is", async () => {
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
