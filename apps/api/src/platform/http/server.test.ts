import { readBrand } from "@malote/contracts/session";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildTestApp, type TestApp } from "../../testing/app.ts";

let direct: TestApp;
let behindProxy: TestApp;
beforeAll(async () => {
  direct = await buildTestApp({ seed: false });
  behindProxy = await buildTestApp({ seed: false, config: { trustedProxies: ["127.0.0.1"] } });
});
afterAll(() => Promise.all([direct.close(), behindProxy.close()]));

const hstsOf = async (app: TestApp, headers: Record<string, string> = {}) =>
  (await app.call(readBrand, {}, { headers })).headers["strict-transport-security"];
const encrypted = { "x-forwarded-proto": "https" };

it("tells browsers to stay with https behind a proxy that ends the encryption, and nowhere else", async () => {
  expect(await hstsOf(behindProxy, encrypted)).toBe("max-age=31536000");
  expect(await hstsOf(behindProxy)).toBeUndefined();
  // A stranger's word for it is not believed.
  expect(await hstsOf(direct, encrypted)).toBeUndefined();
});

it("finds nothing under an address that is none or endless, and says so as everywhere", async () => {
  for (const id of ["x".repeat(2_000), "%E0%A4%A"]) {
    const answer = await direct.send("GET", `/api/payments/app/batch/${id}`);
    expect(answer).toMatchObject({ status: 404, body: { code: "not_found", errorCode: "not_found" } });
    expect(answer.body.requestId).toBe(answer.headers["x-request-id"]);
  }
});
