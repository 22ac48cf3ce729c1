import { closeBatch } from "@malote/contracts/batch-life";
import { listBatches } from "@malote/contracts/batches";
import { uploadLogo } from "@malote/contracts/company";
import { createCredential } from "@malote/contracts/developer";
import { type ErrorCode, errors, errorText, isErrorCode, statusOf } from "@malote/contracts/errors";
import { contracts } from "@malote/contracts/index";
import { logout } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { afterEach, describe, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { buildToken, payments, validation } from "../testing/token.ts";
import {
  addressOf,
  CallError,
  call,
  errorSentence,
  generalText,
  onIdentityAsked,
  onSessionRefused,
} from "./call.ts";
import { storeToken } from "./session.ts";

const id = "0198f000-0000-7000-8000-00000000000a";

async function failureOf(work: Promise<unknown>): Promise<CallError> {
  const error = await work.catch((reason: unknown) => reason);
  if (!(error instanceof CallError)) throw new Error("the call did not fail");
  return error;
}

afterEach(() => {
  onSessionRefused(async () => false);
  onIdentityAsked(undefined);
});

/** Codes that keep their own sentence by the decision about SES-064. */
const ownWords: ErrorCode[] = ["unavailable", "no_space", "read_too_slow", "bank_receipt_unavailable"];

describe("call", () => {
  it("SES-034 carries the bearer token, JSON and the idempotency key", async () => {
    const token = buildToken();
    storeToken(token);
    fakeServer.on(closeBatch, () => ({ is_batch_paid: true, status: "PENDING" as const }));
    await call(closeBatch, { params: { id }, body: { revision: 3 }, idempotencyKey: "key-1" });
    const [seen] = fakeServer.calls(closeBatch);
    expect(seen?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(seen?.headers.get("content-type")).toBe("application/json");
    expect(seen?.headers.get("accept")).toBe("application/json");
    expect(seen?.headers.get("idempotency-key")).toBe("key-1");
    expect(seen?.body).toEqual({ revision: 3 });
  });

  it("SES-034 a multipart upload carries the bearer token and no JSON", async () => {
    const token = buildToken();
    storeToken(token);
    fakeServer.on(uploadLogo, () => refuse("logo_too_low"));
    const body = new FormData();
    body.append("fileName", "logo.png");
    await failureOf(call(uploadLogo, { body }));
    const [seen] = fakeServer.calls(uploadLogo);
    expect(seen?.headers.get("authorization")).toBe(`Bearer ${token}`);
    expect(seen?.headers.get("content-type") ?? "").not.toContain("json");
    expect(seen?.body).toBe(body);
  });

  it("omits unset parameters, and puts path parameters into the path", () => {
    const query = { initialDate: "2026-11-01", endDate: "2026-11-30", page: 0, search: undefined };
    expect(addressOf(listBatches, { query })).toBe(
      "/api/payments/app/batch?initialDate=2026-11-01&endDate=2026-11-30&page=0",
    );
    expect(addressOf(closeBatch, { params: { id: "a/b" } })).toBe("/api/payments/batch/a%2Fb/close");
  });

  it("SES-062 asks for a fresh session after a 401 and repeats the call once", async () => {
    storeToken("old");
    const rescue = vi.fn(async () => {
      storeToken("new");
      return true;
    });
    onSessionRefused(rescue);
    fakeServer.on(readBalance, ({ headers }) =>
      headers.get("authorization") === "Bearer new"
        ? { value: 1, waiting_value: 0 }
        : refuse("not_authenticated"),
    );
    expect(await call(readBalance)).toEqual({ value: 1, waiting_value: 0 });
    expect(rescue).toHaveBeenCalledExactlyOnceWith("old");
  });

  it("stays the original refusal when the person leaves the password question, and shows no message", async () => {
    fakeServer.on(createCredential, () => refuse("identity_unconfirmed"));
    onIdentityAsked(async () => false);
    const failure = await failureOf(call(createCredential, { body: { name: "ERP" } }));
    expect(failure).toMatchObject({ status: 403, code: "identity_unconfirmed" });
    expect(errorSentence(failure, "Falhou")).toBeUndefined();
    expect(fakeServer.calls(createCredential)).toHaveLength(1);
  });

  it("reports when the call is refused for another reason after the password was given", async () => {
    const answers = [refuse("identity_unconfirmed"), refuse("forbidden")];
    fakeServer.on(createCredential, () => answers.shift() as never);
    onIdentityAsked(async () => true);
    const failure = await failureOf(call(createCredential, { body: { name: "ERP" } }));
    expect(errorSentence(failure, "Falhou")).toBe(errorText("forbidden"));
  });

  it("SES-037 a page of the application that was left sends no call with the other application's token", async () => {
    storeToken(buildToken({ application: validation, allowed_applications: [payments, validation] }));
    const failure = await call(readBalance).catch((error: unknown) => error);
    expect(fakeServer.calls(readBalance)).toEqual([]);
    // A cancelled call shows no error.
    expect(errorSentence(failure, "Falhou")).toBeUndefined();
  });

  it("SES-037 repeats no pending call with the other application's token after a switch", async () => {
    const both = { allowed_applications: [payments, validation] };
    storeToken(buildToken({ application: payments, ...both }));
    onSessionRefused(async () => true);
    fakeServer.on(readBalance, () => {
      storeToken(buildToken({ application: validation, ...both }));
      return refuse("not_authenticated");
    });
    const failure = await call(readBalance).catch((error: unknown) => error);
    expect(fakeServer.calls(readBalance)).toHaveLength(1);
    expect(errorSentence(failure)).toBeUndefined();
  });

  it.each(["login", "payments", "contacerta", "cards"] as const)(
    "SES-062 asks for a fresh session after a 401 of the API %s",
    async (base) => {
      const contract = contracts.find(
        (one) => one.base === base && one.policy.access === "session" && !one.path.includes(":") && !one.body,
      );
      const rescue = vi.fn(async () => false);
      onSessionRefused(rescue);
      storeToken("old");
      vi.stubGlobal("fetch", async () => Response.json({ code: "not_authenticated" }, { status: 401 }));
      await failureOf(call(contract as typeof readBalance));
      expect(rescue).toHaveBeenCalledExactlyOnceWith("old");
    },
  );

  it("SES-062 returns the refusal when the person did not sign in again", async () => {
    fakeServer.on(readBalance, () => refuse("not_authenticated"));
    expect(await failureOf(call(readBalance))).toMatchObject({ status: 401, errorCode: "not_authenticated" });
    expect(fakeServer.calls(readBalance)).toHaveLength(1);
  });

  it("SES-064 a server fault shows the one sentence, with an id to quote", async () => {
    fakeServer.on(readBalance, () => refuse("internal"));
    const error = await failureOf(call(readBalance));
    expect(error.message).toBe(
      "Ops, ocorreu um erro! Agora nosso time já sabe e corrigirá o que for preciso.",
    );
    expect(error.requestId).toBeTruthy();
  });

  it.each(ownWords)(
    "SES-064 the fault %s keeps its own sentence, which explains what to do",
    async (code) => {
      fakeServer.on(readBalance, () => refuse(code));
      const error = await failureOf(call(readBalance));
      expect(error.status).toBe(503);
      expect(errorSentence(error, "Falhou")).toBe(errorText(code));
    },
  );

  it("SES-064 lists all faults with a code of ours, except the one with the general sentence", () => {
    const faults = (Object.keys(errors) as ErrorCode[]).filter((code) => statusOf(code) >= 500);
    expect(faults.sort()).toEqual([...ownWords, "internal"].sort());
  });

  it.each([500, 502, 503, 504, 599])(
    "SES-064 a %d without a code of ours shows the one sentence",
    async (status) => {
      vi.stubGlobal("fetch", async () => Response.json({ message: "raw" }, { status }));
      expect(errorSentence(await failureOf(call(readBalance)), "Falhou")).toBe(generalText);
    },
  );

  it.each(["batch_empty", "UPSTREAM_DOWN"])(
    "SES-064 a fault with the code %s, which is none of those, shows the one sentence",
    async (code) => {
      for (const status of [500, 502, 599]) {
        vi.stubGlobal("fetch", async () =>
          Response.json({ code, errorCode: code, message: "raw" }, { status }),
        );
        expect(errorSentence(await failureOf(call(readBalance)), "Falhou")).toBe(generalText);
      }
    },
  );

  it("SES-065 reports that the browser is offline", async () => {
    fakeServer.goOffline();
    expect(await failureOf(call(readBalance))).toMatchObject({
      status: 0,
      message: "Você parece estar offline",
    });
  });

  it("SES-066 builds the message from the code and its data", async () => {
    fakeServer.on(readBalance, () => refuse("batch_has_errors", { count: 3 }));
    expect((await failureOf(call(readBalance))).message).toBe(
      "Corrija os 3 pagamentos com erro antes de continuar.",
    );
    fakeServer.on(readBalance, () => refuse("batch_has_errors", { count: 1 }));
    expect((await failureOf(call(readBalance))).message).toBe(
      "Corrija o pagamento com erro antes de continuar.",
    );
  });

  it("SES-066 takes the code from errorCode, also where code is another word or is missing", async () => {
    for (const body of [{ errorCode: "batch_empty" }, { code: "empty", errorCode: "batch_empty" }]) {
      vi.stubGlobal("fetch", async () => Response.json({ ...body, message: "raw" }, { status: 422 }));
      expect((await failureOf(call(readBalance))).message).toBe(errorText("batch_empty"));
    }
  });

  it("SES-067 prefers a code to the fallback, the fallback to the raw message, and shows nothing for none", () => {
    const coded = new CallError({ status: 422, code: "batch_empty", message: errorText("batch_empty") });
    expect(generalText).toBe(errorText("internal"));
    expect(errorSentence(coded, "Falhou")).toBe(errorText("batch_empty"));
    const raw = new CallError({ status: 400, message: "texto cru" });
    expect(errorSentence(raw, "Falhou")).toBe("Falhou");
    expect(errorSentence(raw)).toBe("texto cru");
    expect(errorSentence(new CallError({ status: 400, message: "" }))).toBeUndefined();
  });
});

describe("catalogue of error codes", () => {
  const codes = Object.keys(errors) as ErrorCode[];
  const answerWith = (status: number, body: object) =>
    vi.stubGlobal("fetch", async () => Response.json(body, { status }));

  // `identity_unconfirmed` asks for the password and repeats the call: see account-safety.test.tsx.
  it.each(codes.filter((code) => code !== "identity_unconfirmed"))(
    "SES-068 %s is shown by its own Portuguese sentence, whatever the server's message",
    async (code) => {
      answerWith(statusOf(code), { code, errorCode: code, message: "raw english text", data: null });
      const failure = await failureOf(call(readBalance));
      expect(failure.errorCode).toBe(code);
      const sentence = errorSentence(failure, "Falhou") ?? "";
      expect(sentence).toBe(errorText(statusOf(code) >= 500 && !ownWords.includes(code) ? "internal" : code));
      expect(sentence, "a sentence, without a code in it").toMatch(/^[A-ZÁÉÍÓÚÂÊÔÃÕÇ][^_]+$/);
    },
  );

  it.each(["BIL_16", "toString", "not_known"])(
    "SES-068 the code %s, not in the table yet, shows the generic sentence",
    async (code) => {
      expect(isErrorCode(code)).toBe(false);
      answerWith(422, { code, errorCode: code, message: "raw english text", data: null });
      expect(errorSentence(await failureOf(call(readBalance)))).toBe(errorText("internal"));
    },
  );
});

describe("an answer without content", () => {
  it("SES-069 is returned as text for a 204", async () => {
    vi.stubGlobal("fetch", async () => new Response(null, { status: 204 }));
    expect(await call(logout)).toBe("");
  });

  it("SES-069 is read as JSON for any other success", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ value: 1, waiting_value: 0 }, { status: 200 }));
    expect(await call(readBalance)).toEqual({ value: 1, waiting_value: 0 });
  });
});
