import fastify from "fastify";
import { describe, expect, it } from "vitest";
import { AppError } from "../app-error.ts";
import { sendError } from "./refusals.ts";

async function answerTo(failure: Error) {
  const server = fastify();
  server.setErrorHandler(sendError);
  server.get("/", async () => {
    throw failure;
  });
  const answer = await server.inject("/");
  await server.close();
  return { status: answer.statusCode, body: answer.json() };
}

describe("an error response", () => {
  it("SES-061 has message, errorCode, data and code", async () => {
    const { status, body } = await answerTo(new AppError("batch_has_errors", { count: 3 }));
    expect(status).toBe(422);
    expect(body).toEqual({
      code: "batch_has_errors",
      errorCode: "batch_has_errors",
      message: "Corrija os 3 pagamentos com erro antes de continuar.",
      data: { count: 3 },
      requestId: expect.any(String),
    });
  });

  it("SES-061 has no data if there is none", async () => {
    expect((await answerTo(new AppError("not_found"))).body).toMatchObject({ code: "not_found", data: null });
  });

  it("SES-061 has the same shape for an error of ours, without a technical word", async () => {
    const { status, body } = await answerTo(new Error('relation "batches" does not exist'));
    expect(status).toBe(500);
    expect(body).toMatchObject({ code: "internal", errorCode: "internal", data: null });
    expect(body.message).not.toMatch(/relation|batches/);
  });

  it.each(["ENOSPC", "EDQUOT", "53100"])(
    "reports for a full disk (%s) that nothing was stored and when to retry",
    async (code) => {
      const { status, body } = await answerTo(
        Object.assign(new Error("write ENOSPC"), { code, syscall: "write" }),
      );
      expect(status).toBe(503);
      expect(body).toMatchObject({ code: "no_space", message: expect.stringContaining("sem espaço") });
      expect(body.message).not.toMatch(/nosso time/);
    },
  );
});
