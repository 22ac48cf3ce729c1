import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { authorize, readBrand } from "@malote/contracts/session";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildTestApp, type TestApp } from "../../testing/app.ts";
import { healthRoutes } from "./health.ts";
import { createServer } from "./server.ts";

let direct: TestApp;
let behindProxy: TestApp;
beforeAll(async () => {
  direct = await buildTestApp({ seed: false });
  behindProxy = await buildTestApp({ seed: false, config: { trustedProxies: ["127.0.0.1"] } });
});
afterAll(() => Promise.all([direct.close(), behindProxy.close()]));

const fetchHsts = async (app: TestApp, headers: Record<string, string> = {}) =>
  (await app.call(readBrand, {}, { headers })).headers["strict-transport-security"];
const encrypted = { "x-forwarded-proto": "https" };

it("makes browsers keep using https behind a proxy that terminates TLS, and nowhere else", async () => {
  expect(await fetchHsts(behindProxy, encrypted)).toBe("max-age=31536000");
  expect(await fetchHsts(behindProxy)).toBeUndefined();
  // A stranger's header is not trusted.
  expect(await fetchHsts(direct, encrypted)).toBeUndefined();
});

it("sends the product's time with every answer, whatever the machine's clock", async () => {
  direct.clock.advance({ days: 40 });
  const now = direct.clock.now().toISOString();
  expect(Math.abs(Date.parse(now) - Date.now())).toBeGreaterThan(39 * 24 * 3_600_000);
  for (const [method, path] of [
    ["GET", "/api/login/brand"],
    ["GET", "/api/payments/company"],
    ["POST", "/api/login/authorize"],
    ["GET", "/api/nothing/here"],
  ] as const)
    expect((await direct.send(method, path)).headers["x-malote-now"]).toBe(now);
});

it("answers an invalid or extremely long address like any unknown one", async () => {
  for (const id of ["x".repeat(2_000), "%E0%A4%A"]) {
    const answer = await direct.send("GET", `/api/payments/app/batch/${id}`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found", errorCode: "not_found" } });
    expect(answer.body.requestId).toBe(answer.headers["x-request-id"]);
  }
});

it("refuses a request with two hosts, because a proxy may have used the other one", async () => {
  const server = await createServer(direct.services);
  server.get("/here", () => "here");
  await server.listen({ port: 0, host: "127.0.0.1" });
  const makeCall = async (hosts: readonly string[]) => {
    const socket = connect((server.server.address() as AddressInfo).port, "127.0.0.1");
    await once(socket, "connect");
    const lines = ["GET /here HTTP/1.1", ...hosts.map((host) => `Host: ${host}`), "Connection: close"];
    socket.end(`${lines.join("\r\n")}\r\n\r\n`);
    return text(socket);
  };
  expect(await makeCall(["localhost"])).toMatch(/^HTTP\/1.1 200/);
  const refused = await makeCall(["localhost", "evil.example"]);
  expect(refused).toMatch(/^HTTP\/1.1 400/);
  expect(refused).toContain("invalid_request");
  await server.close();
});

it("refuses half a surrogate pair anywhere in a body as the sender's mistake", async () => {
  const body = { grant_type: "password", email: "a@b.com", password: "x" };
  for (const wrong of [
    { ...body, email: "a\ud800@b.com" },
    { ...body, more: { deep: [{ "\udc00": 1 }] } },
  ]) {
    const answer = await direct.call(authorize, { body: wrong });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  }
  expect((await direct.call(authorize, { body: { ...body, email: "a\ud83d\ude00@b.com" } })).status).toBe(
    401,
  );
});

it("shows metrics to this machine under its own names only", async () => {
  const server = await createServer(direct.services);
  healthRoutes(server, direct.services, { accepting: true });
  const requested = async (headers: Record<string, string>) =>
    (await server.inject({ url: "/metrics", headers, remoteAddress: "127.0.0.1" })).statusCode;
  expect(await requested({ host: "localhost:3000" })).toBe(200);
  expect(await requested({ host: "127.0.0.1:9" })).toBe(200);
  // A stranger's page whose host name points to this machine.
  expect(await requested({ host: "evil.example" })).toBe(404);
  expect(await requested({ host: "localhost", "x-forwarded-host": "evil.example" })).toBe(404);
  expect(await requested({ host: "localhost.evil.example" })).toBe(404);
  await server.close();
});
