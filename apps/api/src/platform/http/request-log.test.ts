/** Log lines of requests in a default installation: one each, with ids and without personal data. */
import { readCheckout } from "@malote/contracts/checkout";
import { lookUpPixKey } from "@malote/contracts/lookups";
import { authorize } from "@malote/contracts/session";
import { createUser, listUsers, readUser } from "@malote/contracts/users";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { observed } from "../../adapters/observed.ts";
import { demoPassword } from "../../adapters/sandbox/demo/seed.ts";
import { buildTestApp, type Person, type TestApp } from "../../testing/app.ts";
import { readableLog } from "../../testing/log-lines.ts";
import { readConfig } from "../config.ts";
import { healthRoutes } from "./health.ts";
import { createServer } from "./server.ts";

const { log, lines, text } = readableLog(readConfig({}).logLevel);
const auroraId = "01990000-0000-7000-8000-00000000a001";
let app: TestApp;
let helena: Person;
beforeAll(async () => {
  app = await buildTestApp({ services: (made) => ({ log, ...observed(portsOf(made), log) }) });
  helena = await app.as("helena@aurora.example");
});
afterAll(() => app.close());

const portsOf = ({
  rails,
  accountCheck,
  boletoRegister,
  pixCodes,
  directory,
  ...made
}: TestApp["services"]) => {
  const { charges, connections, infractions, mailer, sms } = made;
  return {
    rails,
    connections,
    accountCheck,
    boletoRegister,
    pixCodes,
    directory,
    charges,
    infractions,
    mailer,
    sms,
  };
};
const lineOf = (requestId: unknown, message = "request") =>
  lines(message).filter((line) => line["requestId"] === requestId);

it("names method, route, status, time, request, company and person of each request", async () => {
  const { headers } = await helena.call(listUsers);
  expect(lineOf(headers["x-request-id"])).toEqual([
    {
      level: 30,
      time: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
      requestId: headers["x-request-id"],
      method: "GET",
      route: "/api/payments/user",
      status: 200,
      ms: expect.any(Number),
      company: auroraId,
      actor: decodeJwt(helena.token).sub,
      msg: "request",
    },
  ]);
});

it("writes the pattern of an address, without ids and query string", async () => {
  const id = "01990000-0000-7000-8000-0000000000ff";
  const query = { email: "joana@exemplo.com.br", document: "529.982.247-25" };
  const { headers } = await helena.call(readUser, { params: { id }, query });
  expect(lineOf(headers["x-request-id"])).toMatchObject([{ route: "/api/payments/user/:id", status: 404 }]);
  expect(text()).not.toContain(id);
  expect(text()).not.toMatch(/joana|529\.?982/);
});

it("does not write the token in an address", async () => {
  const token = "canario-de-um-link-de-pagamento";
  const { headers } = await app.call(readCheckout, { params: { token } });
  expect(lineOf(headers["x-request-id"])).toMatchObject([{ route: "/api/payments/checkout/:token" }]);
  expect(text()).not.toContain(token);
});

it("logs nothing of an unknown address", async () => {
  const { headers } = await app.send("GET", "/canario/529.982.247-25?token=canario");
  expect(lineOf(headers["x-request-id"])).toMatchObject([{ route: "(none)", status: 404 }]);
  expect(text()).not.toMatch(/canario\/|529\.982/);
});

it("writes no password, bearer token or body", async () => {
  const email = "helena@aurora.example";
  const given = { grant_type: "password", email, password: "Canario-Errada-9147!" };
  const { headers } = await app.call(authorize, { body: given });
  expect(lineOf(headers["x-request-id"])).toMatchObject([{ route: "/api/login/authorize", status: 401 }]);
  await helena.call(createUser, { body: { name: "Zuleide Canária", email: "zuleide@aurora.example" } });
  for (const secret of [given.password, demoPassword, email, helena.token, "Zuleide", "zuleide@"])
    expect(text()).not.toContain(secret);
});

it("names the caller who was refused", async () => {
  const analyst = await app.as("ana@aurora.example");
  const { headers } = await analyst.call(createUser, { body: {} });
  expect(lineOf(headers["x-request-id"])).toMatchObject([
    { status: 403, company: auroraId, actor: expect.any(String) },
  ]);
});

it("names no company without a session", async () => {
  const { headers } = await app.call(listUsers);
  const [line] = lineOf(headers["x-request-id"]);
  expect(line).toMatchObject({ status: 401 });
  expect(line).not.toHaveProperty("company");
});

it("names the request if its body cannot be read", async () => {
  const answer = await app.send("POST", "/api/login/authorize", "{", {
    headers: { "content-type": "application/json", "x-request-id": "canario-corpo" },
  });
  expect(answer.status).toBe(400);
  expect(lineOf("canario-corpo")).toHaveLength(1);
});

it("names request, company and person beside an adapter that does not answer", async () => {
  const body = { pix_key_type: "EMAIL", pix_key: "canario@exemplo.com.br" };
  const { headers } = await helena.call(lookUpPixKey, { body });
  expect(lineOf(headers["x-request-id"], "adapter did not answer")).toEqual([
    expect.objectContaining({
      port: "accountCheck",
      call: "findHolder",
      company: auroraId,
      actor: expect.any(String),
    }),
  ]);
  expect(text()).not.toContain("canario@");
});

it("names each of many requests beside its own lines", async () => {
  const requested = await Promise.all(
    Array.from({ length: 8 }, () =>
      helena.call(lookUpPixKey, { body: { pix_key_type: "EMAIL", pix_key: "a@exemplo.com.br" } }),
    ),
  );
  for (const { headers } of requested)
    expect(lineOf(headers["x-request-id"], "adapter did not answer")).toHaveLength(1);
});

it("is an error if the fault is ours", async () => {
  const server = await createServer(app.services);
  server.get("/broken", () => Promise.reject(new Error("account 918273645 of joana@exemplo.com.br")));
  const { headers } = await server.inject("/broken");
  expect(lineOf(headers["x-request-id"])).toMatchObject([{ level: 50, status: 500 }]);
  expect(lineOf(headers["x-request-id"], "unexpected error")).toHaveLength(1);
  expect(text()).not.toMatch(/918273645|joana@/);
  await server.close();
});

it("omits the checks of load balancers and monitoring until one fails", async () => {
  const readiness = { accepting: true };
  const server = await createServer(app.services);
  healthRoutes(server, app.services, readiness);
  for (const url of ["/healthz", "/readyz", "/metrics"]) {
    const { headers } = await server.inject({ url, headers: { host: "localhost" } });
    expect(lineOf(headers["x-request-id"])).toEqual([]);
  }
  readiness.accepting = false;
  const { headers } = await server.inject("/readyz");
  expect(lineOf(headers["x-request-id"])).toMatchObject([{ level: 30, route: "/readyz", status: 503 }]);
  await server.close();
});
