import { describe, expect, it } from "vitest";
import { buildToken, payments, validation } from "../testing/token.ts";
import { decideArrival, readModalToken, tokenCookie } from "./arrival.ts";

const batchId = "0198f000-0000-7000-8000-00000000000a";
const facts = { cookieToken: undefined, homePathOf: () => "/pagamentos", securityPath: undefined };

describe("arrival", () => {
  it("SES-028 has no session without a token, or with an unreadable one", () => {
    expect(decideArrival({ ...facts, query: new URLSearchParams() })).toEqual({ kind: "no_token" });
    expect(decideArrival({ ...facts, query: new URLSearchParams({ token: "x.y.z" }) })).toEqual({
      kind: "no_token",
    });
  });

  it("SES-025 prefers the token of the query to that of the cookie, which also works alone", () => {
    const [inQuery, inCookie] = [buildToken({ name: "Query" }), buildToken({ name: "Cookie" })];
    const query = new URLSearchParams({ token: inQuery });
    expect(decideArrival({ ...facts, query, cookieToken: inCookie })).toMatchObject({ token: inQuery });
    const fromCookieOnly = decideArrival({ ...facts, query: new URLSearchParams(), cookieToken: inCookie });
    expect(fromCookieOnly).toMatchObject({ kind: "arrived", token: inCookie, goTo: "/pagamentos" });
  });

  it("SES-029 sends an admin without two-factor to the security page, once it exists", () => {
    const securityPath = "/minha-conta/seguranca";
    const go = (given: Parameters<typeof buildToken>[0]) =>
      decideArrival({ ...facts, securityPath, query: new URLSearchParams({ token: buildToken(given) }) });
    expect(go({ profile: "admin" })).toMatchObject({ goTo: securityPath });
    const inValidation = { application: validation, allowed_applications: [validation] };
    expect(go({ profile: "admin", ...inValidation })).toMatchObject({ goTo: securityPath });
    for (const profile of ["operator", "analyst"] as const)
      expect(go({ profile })).toMatchObject({ goTo: "/pagamentos" });
    expect(go({ two_factor: { enabled: true, enforced: false } })).toMatchObject({ goTo: "/pagamentos" });
  });

  it("SES-027 SES-029 opens the requested page at once, or after the security page", () => {
    const securityPath = "/minha-conta/seguranca";
    const modalToken = JSON.stringify({ kind: "openBatch", id: batchId });
    const go = (given: Parameters<typeof buildToken>[0], asked: Record<string, string>) =>
      decideArrival({
        ...facts,
        securityPath,
        query: new URLSearchParams({ token: buildToken(given), ...asked }),
      });
    const on = { two_factor: { enabled: true, enforced: false } };
    expect(go(on, { modalToken })).toMatchObject({ goTo: `/pagamentos/lotes?lote=${batchId}` });
    const inValidation = { application: validation, allowed_applications: [payments, validation] };
    expect(go({ ...on, ...inValidation }, { modalToken })).toMatchObject({
      goTo: `/pagamentos/lotes?lote=${batchId}`,
    });
    expect(go(on, { redirectedFrom: "/pagamentos/saldo?mes=2026-11" })).toMatchObject({
      goTo: "/pagamentos/saldo?mes=2026-11",
    });
    expect(go(on, { redirectedFrom: "//golpe.exemplo" })).toMatchObject({ goTo: "/pagamentos" });
    const back = encodeURIComponent(`/pagamentos/lotes?lote=${batchId}`);
    expect(go({}, { modalToken })).toMatchObject({ goTo: `${securityPath}?redirectedFrom=${back}` });
    expect(go({}, { redirectedFrom: "//golpe.exemplo" })).toMatchObject({ goTo: securityPath });
  });

  it("SES-025 finds the cookie by the name that the installation configures", () => {
    // biome-ignore lint/suspicious/noDocumentCookie: what a sign-in site leaves behind
    document.cookie = "entrada=a.b%2Bc.d";
    expect(tokenCookie("entrada")).toBe("a.b+c.d");
    expect(tokenCookie("malote_token")).toBeUndefined();
  });

  it("SES-028 finds no token in a cookie that cannot be decoded", () => {
    // biome-ignore lint/suspicious/noDocumentCookie: what a sign-in site leaves behind
    document.cookie = "estragada=%E0%A4%A";
    expect(document.cookie).toContain("estragada=%E0%A4%A");
    expect(tokenCookie("estragada")).toBeUndefined();
  });

  it("SES-030 ends the session for an unknown application, which may be none or another than the two", () => {
    for (const application of [undefined, { ...payments, id: "" }, { id: "loans", name: "Crédito" }]) {
      const token = buildToken({ application: application as never });
      expect(decideArrival({ ...facts, query: new URLSearchParams({ token }) })).toEqual({
        kind: "unknown_application",
      });
    }
    for (const application of [payments, validation]) {
      const token = buildToken({ application, allowed_applications: [payments, validation] });
      expect(decideArrival({ ...facts, query: new URLSearchParams({ token }) })).toMatchObject({
        kind: "arrived",
      });
    }
  });

  it("SES-027 reads an openBatch token in plain text or base64, and nothing else", () => {
    const text = JSON.stringify({ kind: "openBatch", id: batchId });
    expect(readModalToken(text)).toEqual({ kind: "openBatch", id: batchId });
    expect(readModalToken(btoa(text))).toEqual({ kind: "openBatch", id: batchId });
    expect(readModalToken(JSON.stringify({ kind: "deleteBatch", id: batchId }))).toBeUndefined();
    expect(readModalToken(JSON.stringify({ kind: "openBatch", id: "javascript:alert(1)" }))).toBeUndefined();
    expect(readModalToken("%%%")).toBeUndefined();
  });
});
