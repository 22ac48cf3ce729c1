import { describe, expect, it } from "vitest";
import { createLog, maskPersonalData } from "./log.ts";

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = "";
  write(
    createLog("debug", {
      write(line) {
        text += line;
      },
    }),
  );
  return text;
}

describe("the log", () => {
  it.each([
    ["529.982.247-25", "***"],
    ["12.ABC.345/01DE-35", "***"],
    ["52998224725", "52***25"],
    ["918273645", "91***45"],
    ["4111 1111 1111 1111", "***"],
    ["4111-1111-1111-1111", "***"],
    ["3782 822463 10005", "***"],
    ["4111111111111111", "41***11"],
    ["joana@exemplo.com.br", "j***@e***"],
    ["+55 (11) 98765-4321", "+55***"],
    ["senha=segredo-meu&x=1", "senha=***&x=1"],
    ["Bearer eyJhbGciOi.eyJzdWIi.c2lnbmF0dXJl", "Bearer ***"],
  ])("S9 masks %s", (written, masked) => {
    expect(maskPersonalData(`a ${written} b`)).toBe(`a ${masked} b`);
  });

  it("keeps the fields that distinguish one line from another", () => {
    const id = "01990000-0000-7000-8000-00000000a001";
    const e2e = "E1234567820261121123456789012345";
    expect(maskPersonalData(`${id} ${e2e} 1234`)).toBe(`${id} ${e2e} 1234`);
  });

  it("S9 masks the fields beside the message, at any depth", () => {
    const text = logged((log) =>
      log.warn(
        {
          to: "joana@exemplo.com.br",
          payment: { key: "52998224725", receiver: { document: "529.982.247-25" } },
          rows: [{ account: "918273645" }],
          password: "canario",
          card: { number: "canario", security_code: "canario" },
          securityCode: "canario",
          headers: { authorization: "Bearer x", cookie: "y" },
          company: "01990000-0000-7000-8000-00000000a001",
          requestId: "pedido-20261121",
          ms: 12,
        },
        "chave joana@exemplo.com.br",
      ),
    );
    for (const secret of ["joana@", "52998224725", "529.982.247-25", "918273645", "canario", "Bearer", '"y"'])
      expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({
      company: "01990000-0000-7000-8000-00000000a001",
      requestId: "pedido-20261121",
      ms: 12,
    });
  });

  it("S9 masks an error, but keeps its kind and code", () => {
    const error = Object.assign(new Error("no account of 529.982.247-25"), {
      code: "23505",
      detail: "52998224725",
    });
    const line = JSON.parse(logged((log) => log.error({ err: error }, "job failed")));
    expect(line.err).toMatchObject({ type: "Error", code: "23505", message: "no account of ***" });
    expect(JSON.stringify(line)).not.toMatch(/52998224725|529\.982/);
  });
});
