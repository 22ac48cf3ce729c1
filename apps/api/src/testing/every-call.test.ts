/** Walks every contract there is: a new call joins without a line here. */
import { createBatch } from "@malote/contracts/batches";
import type { Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { mayCall, profiles } from "@malote/contracts/policy";
import { addTransfer } from "@malote/contracts/transfers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { batchRoutes } from "../batches/routes.ts";
import { demoCompanies } from "../demo/seed.ts";
import { importRoutes } from "../import/routes.ts";
import { uuidv7 } from "../platform/uuid.ts";
import { statementRoutes } from "../statement/routes.ts";
import { transferRoutes } from "../transfers/routes.ts";
import { buildTestApp, type Person, type TestApp } from "./app.ts";

let app: TestApp;
const people: Record<string, Person> = {};
let machine: string;
/** Things of Aurora's that Horizonte must not learn of. */
let batchId: string;
let transferId: string;
let sheetId: string;
let receiverId: string;

const ofSession = contracts.filter((contract) => contract.policy.access === "session");
/** Their `:id` is no record of a company: a kind of model, a checkpoint, an integration id somebody typed. */
const ofNoCompany = new Set(["downloadModelSheet", "readCheckpoint", "readDuplicatedIntegrationId"]);

const name = ({ method, base, path }: Contract) => `${method} ${base} ${path}`;

beforeAll(async () => {
  app = await buildTestApp({
    routes: [batchRoutes, transferRoutes, statementRoutes, importRoutes],
  });
  people.admin = await app.as("helena@aurora.example");
  people.operator = await app.as("rui@aurora.example");
  people.analyst = await app.as("ana@aurora.example");
  people.stranger = await app.as("marcos@horizonte.example");
  const credential = demoCompanies[0]?.credential;
  const token = await app.send("POST", "/api/login/authorize", {
    grant_type: "client_credentials",
    client_id: credential?.clientId,
    client_secret: credential?.clientSecret,
  });
  machine = token.body.access_token;

  const batch = await people.admin.call(createBatch, { body: { name: "Folha" } });
  batchId = batch.body.id;
  const transfer = await people.admin.call(addTransfer, {
    params: { id: batchId },
    body: { value: 100, destination_bank_account: { pix_key_type: "EMAIL", pix_key: "a@b.com" } },
  });
  transferId = transfer.body.id;
  receiverId = transfer.body.destination_bank_account.id;
  const form = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\na;b\r\n--x--\r\n';
  const sheet = await app.send("POST", "/api/payments/batch/sheet/upload", form, {
    token: people.admin.token,
    headers: { "content-type": "multipart/form-data; boundary=x" },
  });
  sheetId = sheet.body.id;
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
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), kind: "transfer" };
      const answer = await person.call(contract, { params }, idempotent(contract));
      expect([name(contract), answer.status === 403]).toEqual([name(contract), !allowed]);
    }
  });

  it("lets a machine do what the policies say and nothing else", async () => {
    for (const contract of ofSession) {
      const { policy } = contract;
      const allowed = policy.access === "session" && policy.machine;
      const params = { id: uuidv7(), tid: uuidv7(), dbaId: uuidv7(), kind: "transfer" };
      const answer = await app.call(contract, { params }, { token: machine, headers: idempotent(contract) });
      if (!allowed) expect([name(contract), answer.status]).toEqual([name(contract), 403]);
    }
  });
});

describe("what belongs to another company", () => {
  /** Good bodies for calls that need one, so that the refusal is about the id and not about the body. */
  const bodies: Record<string, () => unknown> = {
    renameBatch: () => ({ name: "x" }),
    saveBatch: () => ({ name: "x" }),
    addTransfer: () => ({ value: 1, destination_bank_account: {} }),
    changeTransfer: () => ({ value: 1, destination_bank_account: {} }),
    removeTransfers: () => ({ ids: [transferId] }),
    fixIssueGroup: () => ({ code: "value_invalid", field: "value", given: null }),
  };
  const withIds = ofSession.filter(
    (contract) =>
      contract.base === "payments" && /:(id|tid)/.test(contract.path) && !ofNoCompany.has(contract.id),
  );

  it.each(withIds.map((contract) => [name(contract), contract] as const))(
    "is not there for %s",
    async (_, contract) => {
      const params = {
        id: contract.path.includes("/sheet/")
          ? sheetId
          : contract.path.startsWith("/app/transfer/")
            ? transferId
            : batchId,
        tid: transferId,
        dbaId: receiverId,
      };
      const body = bodies[contract.id]?.();
      const answer = await people.stranger?.call(contract, { params, body }, idempotent(contract));
      expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
    },
  );

  it("does not become a draft by its sheet", async () => {
    const answer = await people.stranger?.post("/api/payments/batch/spreadsheet", { sheet_id: sheetId });
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found" } });
  });
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
