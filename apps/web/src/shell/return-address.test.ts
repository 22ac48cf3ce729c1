import { expect, it } from "vitest";
import { safeReturnPath, signInAddress } from "./return-address.ts";

it.each([
  "https://golpe.exemplo",
  "//golpe.exemplo",
  "///golpe.exemplo",
  "/\\golpe.exemplo",
  "\\\\golpe.exemplo",
  "/\t/golpe.exemplo",
  "/\n/golpe.exemplo",
  "/a/..//golpe.exemplo",
  "/%5c%5cgolpe\\x",
  "javascript:alert(1)",
  " javascript:alert(1)",
  "data:text/html,x",
  "lotes",
  "",
  undefined,
  null,
])("FST-008 stays in the application for %j", (text) => {
  expect(safeReturnPath(text)).toBeUndefined();
});

it.each(["/auth?token=x", "/logout", "/entrar", "/entrar/x", "/acesso-negado"])(
  "does not return to %s, which would ask or redirect again",
  (path) => {
    expect(safeReturnPath(path)).toBeUndefined();
  },
);

it("keeps path, search and hash, as BAT-023 requires", () => {
  expect(safeReturnPath("/pagamentos/lotes?lote=0198f000-0000-7000-8000-00000000000a#x")).toBe(
    "/pagamentos/lotes?lote=0198f000-0000-7000-8000-00000000000a#x",
  );
});

it("passes the sign-in page, wherever it is, where to return and why", () => {
  expect(signInAddress("/entrar", "/pagamentos/lotes?lote=1", "entrar")).toBe(
    "/entrar?redirectedFrom=%2Fpagamentos%2Flotes%3Flote%3D1&motivo=entrar",
  );
  expect(signInAddress("https://entrar.example/?a=b", "/pagamentos/saldo", "fim")).toBe(
    "https://entrar.example/?a=b&redirectedFrom=%2Fpagamentos%2Fsaldo&motivo=fim",
  );
  expect(signInAddress("/entrar", "//golpe.exemplo", "fim")).toBe("/entrar?motivo=fim");
  expect(signInAddress("/entrar", undefined, undefined)).toBe("/entrar");
});
