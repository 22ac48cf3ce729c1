import { tokenStorageKey } from "@malote/contracts/session";
import { describe, expect, it } from "vitest";
import { buildToken, payments } from "../testing/token.ts";
import { decideArrival, readModalToken } from "./arrival.ts";
import { tokenKey } from "./session.ts";

const batchId = "0198f000-0000-7000-8000-00000000000a";
const facts = { cookieToken: undefined, homePathOf: () => "/pagamentos", securityPath: undefined };

describe("arrival", () => {
  it("SES-028 without any token, or with one that cannot be read, there is no session", () => {
    expect(decideArrival({ ...facts, query: new URLSearchParams() })).toEqual({ kind: "no_token" });
    expect(decideArrival({ ...facts, query: new URLSearchParams({ token: "x.y.z" }) })).toEqual({
      kind: "no_token",
    });
  });

  it("SES-025 the query wins over the cookie, and the cookie serves alone", () => {
    const [inQuery, inCookie] = [buildToken({ name: "Query" }), buildToken({ name: "Cookie" })];
    const query = new URLSearchParams({ token: inQuery });
    expect(decideArrival({ ...facts, query, cookieToken: inCookie })).toMatchObject({ token: inQuery });
    const alone = decideArrival({ ...facts, query: new URLSearchParams(), cookieToken: inCookie });
    expect(alone).toMatchObject({ kind: "arrived", token: inCookie, goTo: "/pagamentos" });
  });

  it("SES-029 an admin without two-factor goes to the security page, once it exists", () => {
    const securityPath = "/minha-conta/seguranca";
    const go = (given: Parameters<typeof buildToken>[0]) =>
      decideArrival({ ...facts, securityPath, query: new URLSearchParams({ token: buildToken(given) }) });
    expect(go({ profile: "admin" })).toMatchObject({ goTo: securityPath });
    expect(go({ profile: "operator" })).toMatchObject({ goTo: "/pagamentos" });
    expect(go({ two_factor: { enabled: true, enforced: false } })).toMatchObject({ goTo: "/pagamentos" });
  });

  it("SES-030 an unknown application ends the session", () => {
    const token = buildToken({ application: { ...payments, id: "" as never } });
    expect(decideArrival({ ...facts, query: new URLSearchParams({ token }) })).toEqual({
      kind: "unknown_application",
    });
  });

  it("SES-027 reads an openBatch token written plainly or in base64, and nothing else", () => {
    const text = JSON.stringify({ kind: "openBatch", id: batchId });
    expect(readModalToken(text)).toEqual({ kind: "openBatch", id: batchId });
    expect(readModalToken(btoa(text))).toEqual({ kind: "openBatch", id: batchId });
    expect(readModalToken(JSON.stringify({ kind: "deleteBatch", id: batchId }))).toBeUndefined();
    expect(readModalToken(JSON.stringify({ kind: "openBatch", id: "javascript:alert(1)" }))).toBeUndefined();
    expect(readModalToken("%%%")).toBeUndefined();
  });

  it("SES-031 keeps the token under the one key of the contract", () => {
    expect(tokenKey).toBe(tokenStorageKey);
  });
});
