/** SES-063, end to end in a page: from a failed call to the report that leaves the browser. */
import { createBatch } from "@malote/contracts/batches";
import type { BodyOf } from "@malote/contracts/contract";
import { reportErrors } from "@malote/contracts/error-reports";
import type { ErrorCode } from "@malote/contracts/errors";
import { readBrand } from "@malote/contracts/session";
import { readBalance } from "@malote/contracts/statement";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { brandOfPage, brandQuery } from "./brand.ts";
import { call, onSessionRefused } from "./call.ts";
import { createQueryClient } from "./query-client.ts";
import { listenToFailures, reportFailure } from "./reporting.ts";
import { storeToken } from "./session.ts";

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  fakeServer.on(reportErrors, () => ({ ok: true as const }));
});
afterEach(() => {
  listenToFailures(false);
  listenToFailures(undefined);
});

/** The brand answer shows whether the installation has a service. */
function readTheBrand(reportsErrors: boolean) {
  fakeServer.on(readBrand, () => ({ ...brandOfPage(), reportsErrors }));
  return createQueryClient().fetchQuery(brandQuery);
}
const sent = () => fakeServer.calls(reportErrors).map(({ body }) => body as BodyOf<typeof reportErrors>);
const fails = (code: ErrorCode) => {
  fakeServer.on(readBalance, () => refuse(code));
  return call(readBalance).catch(() => undefined);
};
const aMoment = () => vi.advanceTimersByTimeAsync(1_100);

it("SES-063 reports every answer from 400 to 599, each with its call, status, code and request", async () => {
  await readTheBrand(true);
  const codes = [
    "invalid_request",
    "forbidden",
    "not_found",
    "batch_empty",
    "too_many_requests",
    "internal",
    "unavailable",
  ] as const;
  for (const code of codes) await fails(code);
  await aMoment();
  const [message] = sent();
  expect(message?.reports.map(({ status }) => status)).toEqual([400, 403, 404, 422, 429, 500, 503]);
  expect(message?.reports.map(({ code }) => code)).toEqual([...codes]);
  for (const report of message?.reports ?? [])
    expect(report).toMatchObject({
      call: "readBalance",
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
});

it("SES-063 reports the first and the last of these statuses, and none outside them", async () => {
  await readTheBrand(true);
  for (const status of [399, 400, 599, 600]) reportFailure({ callId: "readBalance", status });
  await aMoment();
  expect(sent().flatMap(({ reports }) => reports.map(({ status }) => status))).toEqual([400, 599]);
});

it("SES-063 reports an answer without a code, as that of a proxy", async () => {
  await readTheBrand(true);
  const answered = globalThis.fetch;
  vi.stubGlobal("fetch", async (...asked: Parameters<typeof fetch>) =>
    String(asked[0]).endsWith(readBalance.path)
      ? new Response("<h1>Bad Gateway</h1>", { status: 502 })
      : answered(...asked),
  );
  await call(readBalance).catch(() => undefined);
  await aMoment();
  expect(sent().flatMap(({ reports }) => reports)).toEqual([{ call: "readBalance", status: 502 }]);
});

it("SES-063 reports a 401 too, of a call that was repeated after it", async () => {
  await readTheBrand(true);
  storeToken("old");
  onSessionRefused(async () => {
    storeToken("new");
    return true;
  });
  fakeServer.on(readBalance, ({ headers }) =>
    headers.get("authorization") === "Bearer new"
      ? { value: 1, waiting_value: 0 }
      : refuse("not_authenticated"),
  );
  expect(await call(readBalance)).toEqual({ value: 1, waiting_value: 0 });
  await aMoment();
  expect(sent().flatMap(({ reports }) => reports)).toEqual([
    { call: "readBalance", status: 401, code: "not_authenticated", request_id: expect.any(String) },
  ]);
  onSessionRefused(async () => false);
});

it("SES-063 reports nothing that was typed, and nothing of an invalid answer", async () => {
  await readTheBrand(true);
  fakeServer.on(createBatch, () => refuse("batch_empty", { name: "Maria, CPF 529.982.247-25" }));
  await call(createBatch, { body: { name: "Salário da Maria 529.982.247-25" } }).catch(() => undefined);
  fakeServer.on(readBalance, () => ({ value: 1, waiting_value: 0 }));
  await call(readBalance);
  await aMoment();
  const expected = [
    { reports: [{ call: "createBatch", status: 422, code: "batch_empty", request_id: expect.any(String) }] },
  ];
  expect(sent()).toEqual(expected);
  fakeServer.goOffline();
  await call(readBalance).catch(() => undefined);
  await aMoment();
  expect(sent()).toEqual(expected);
});

it("SES-063 reports nothing when the environment names no service", async () => {
  await fails("internal");
  await readTheBrand(false);
  await fails("internal");
  await aMoment();
  expect(sent()).toEqual([]);
});

it("SES-063 keeps failures that happen before the page knows whether reports are accepted", async () => {
  await fails("internal");
  await aMoment();
  expect(sent()).toEqual([]);
  await readTheBrand(true);
  await aMoment();
  expect(sent()[0]?.reports).toHaveLength(1);
});

it("does not report that a report failed", async () => {
  await readTheBrand(true);
  fakeServer.on(reportErrors, () => refuse("internal"));
  await fails("internal");
  await aMoment();
  await aMoment();
  expect(sent()).toHaveLength(1);
});

it("SES-063 sends waiting reports when the page is left", async () => {
  await readTheBrand(true);
  await fails("internal");
  window.dispatchEvent(new Event("pagehide"));
  await vi.advanceTimersByTimeAsync(0);
  expect(sent()).toHaveLength(1);
});

/** The last test, because it uses up the page's quota. */
it("limits a message to twenty reports, and the page to a quota", async () => {
  await readTheBrand(true);
  for (let round = 0; round < 12; round++) {
    for (let n = 0; n < 25; n++) await fails("internal");
    await aMoment();
  }
  const lengths = sent().map(({ reports }) => reports.length);
  expect(Math.max(...lengths)).toBe(20);
  expect(lengths.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(200);
});
