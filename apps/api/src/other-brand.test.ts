/** Texts for people of the white-label brand never contain the product's own name. */

import { readBatch } from "@malote/contracts/batches";
import { bases, type Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { downloadBankReceipt, downloadReceipt } from "@malote/contracts/receipts";
import { downloadReport, requestStatementPdf } from "@malote/contracts/reports";
import { readBrand, readTwoFactorSecret } from "@malote/contracts/session";
import { readTransfer } from "@malote/contracts/transfers";
import { createUser } from "@malote/contracts/users";
import { readValidationTwoFactorSecret } from "@malote/contracts/validation";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildApp } from "./app.ts";
import { linesOf } from "./receipts/testing.ts";
import { barcodeOf } from "./testing/boletos.ts";
import { batch, closing, draft, openPayments, type PaymentsKit, pix } from "./testing/payments-kit.ts";

const host = "horizonte.localhost:3000";
const ownName = /malote/i;

let kit: PaymentsKit;
let server: FastifyInstance;
let batchId: string;
let paidId: string;
beforeAll(async () => {
  kit = await openPayments();
  server = await buildApp(kit.services, kit.sandbox, { accepting: true });
  await server.ready();
  // `stranger` is an admin of a company of that brand.
  await kit.deposit(10_00, "pagamentos@horizonte.example");
  const { id } = await draft(kit.stranger, [pix(10_00)]);
  batchId = id;
  await closing(kit.stranger, id);
  await kit.drainJobs();
  await kit.pass({ minutes: 2 });
  paidId = (await batch(kit.stranger, id)).transfers[0]?.id ?? "";
});
afterAll(async () => {
  await server?.close();
  await kit?.close();
});

it.each(["/docs", `${bases.payments}/openapi.json`])(
  "SHL-003 does not name the product in the API's reference at %s",
  async (url) => {
    const { statusCode, body } = await server.inject({ url, headers: { host } });
    expect(statusCode).toBe(200);
    // The whole reference was rendered, not an empty page.
    for (const { path, summary } of contracts.slice(0, 20)) {
      expect(body).toContain(url === "/docs" ? path.replace(/&/g, "&amp;") : path.replace(/:(\w+)/g, "{$1}"));
      expect(body).toContain(summary);
    }
    expect(body).not.toMatch(ownName);
  },
);

/** Parameters with which any list or count answers. */
const requested: Readonly<Record<string, string>> = {
  initialDate: "2026-08-01",
  endDate: "2026-08-31",
  startDate: "2026-08-01",
  date: "2026-07-01",
  search: "maria",
  bankCode: "341",
  barcode: barcodeOf(10_00),
};
/** The demo company has no logo, closed month or card sale; the test reads the refusals of those calls too. */
const refused: Readonly<Record<string, number>> = {
  readLogo: 404,
  requestMonthlyReport: 404,
  downloadMonthlyReport: 404,
  listReceivables: 403,
  readReceivableTotals: 403,
};
const answersAlone = ({ method, path, policy }: Contract) =>
  method === "GET" && !path.includes(":") && policy.access === "session";

it.each(["payments", "validation"] as const)(
  "SHL-003 does not name the product in any answer to an admin in the application %s",
  async (application) => {
    const marcos = await kit.as("marcos@horizonte.example", application);
    const own = contracts.filter(
      (one: Contract) =>
        answersAlone(one) && one.policy.access === "session" && one.policy.applications.includes(application),
    );
    expect(own.length).toBeGreaterThan(3);
    for (const contract of own as readonly Contract[]) {
      const given = Object.keys(contract.query?.shape ?? {}).flatMap((name) =>
        requested[name] ? [[name, requested[name]] as const] : [],
      );
      let { status, body } = await marcos.call(contract, { query: Object.fromEntries(given) }, { host });
      // A count is of one status, each with its own texts.
      for (const word of ["finished", "finished,returned"])
        if (status === 400)
          ({ status, body } = await marcos.call(
            contract,
            { query: Object.fromEntries([...given, ["status", word]]) },
            { host },
          ));
      expect(status, contract.id).toBe(refused[contract.id] ?? 200);
      expect(JSON.stringify(body), contract.id).not.toMatch(ownName);
    }
  },
);

it("SHL-003 does not name the product in a batch and its payment, read one by one", async () => {
  const requested = [
    kit.stranger.call(readBatch, { params: { id: batchId } }, { host }),
    kit.stranger.call(readTransfer, { params: { id: paidId } }, { host }),
  ];
  for (const { status, body } of await Promise.all(requested)) {
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toMatch(ownName);
  }
});

it("SHL-003 recognises the brand of an address by its host name, independently of the cookie's", async () => {
  const { body } = await kit.call(readBrand, {}, { headers: { host } });
  expect(body.name).toBe("Horizonte");
  expect(JSON.stringify({ ...body, tokenCookie: null })).not.toMatch(ownName);
});

it("SHL-003 names the brand in the code for an authenticator app, in both applications", async () => {
  const inValidation = await kit.as("marcos@horizonte.example", "validation");
  const requested = [
    kit.stranger.call(readTwoFactorSecret, {}, { host }),
    inValidation.call(readValidationTwoFactorSecret, {}, { host }),
  ];
  for (const { status, body } of await Promise.all(requested)) {
    expect(status).toBe(200);
    expect(body.qrcode).toContain("issuer=Horizonte");
    expect(JSON.stringify(body)).not.toMatch(ownName);
  }
});

it.each([
  ["of the company", downloadReceipt],
  ["of the network", downloadBankReceipt],
] as const)(
  "SHL-003 does not name the product in a receipt %s, nor in the file's own data",
  async (_, { base, path }) => {
    const { statusCode, rawPayload } = await server.inject({
      url: bases[base] + path.replace(":id", paidId),
      headers: { host, authorization: `Bearer ${kit.stranger.token}` },
    });
    expect(statusCode).toBe(200);
    expect(linesOf(rawPayload).join("\n")).toContain("R$ 10,00");
    expect(linesOf(rawPayload).join("\n")).not.toMatch(ownName);
    expect(rawPayload.toString("latin1")).not.toMatch(ownName);
  },
);

it("SHL-003 does not name the product in a statement as a PDF, nor in the file's own data", async () => {
  const query = { initialDate: "2026-08-01", endDate: "2026-08-31" };
  const { body } = await kit.stranger.call(requestStatementPdf, { query }, { host });
  await kit.drainJobs();
  const { statusCode, rawPayload } = await server.inject({
    url: bases.payments + downloadReport.path.replace(":id", body.id),
    headers: { host, authorization: `Bearer ${kit.stranger.token}` },
  });
  expect(statusCode).toBe(200);
  expect(linesOf(rawPayload).join("\n")).toContain("Horizonte");
  expect(linesOf(rawPayload).join("\n")).not.toMatch(ownName);
  expect(rawPayload.toString("latin1")).not.toMatch(ownName);
});

it("SHL-003 does not name the product in e-mails to people of the company", async () => {
  const body = {
    name: "Nara Pires",
    email: "nara@horizonte.example",
    profile: "operator",
    applications: ["payments"],
  };
  expect((await kit.stranger.call(createUser, { body })).status).toBe(200);
  // The address of a person of another company, who learns of the invitation under the inviting company's brand.
  const taken = { ...body, email: "helena@aurora.example" };
  expect((await kit.stranger.call(createUser, { body: taken })).status).toBe(200);
  await kit.drainJobs();
  const recipients = ["nara@horizonte.example", "helena@aurora.example"];
  expect(kit.mails.map(({ to }) => to)).toEqual(expect.arrayContaining(recipients));
  for (const { subject, text, html } of kit.mails) {
    expect(`${subject}\n${text}\n${html}`).toContain("Horizonte");
    expect(`${subject}\n${text}\n${html}`).not.toMatch(ownName);
  }
});
