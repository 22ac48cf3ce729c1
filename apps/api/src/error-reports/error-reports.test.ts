/** SES-063: the path of an error report from a browser to the installation's service. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { reportErrors } from "@malote/contracts/error-reports";
import { readBrand } from "@malote/contracts/session";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { buildTestApp, type TestApp } from "../testing/app.ts";
import { messagesPerMinute } from "./feature.ts";
import { sendErrorReports } from "./send.ts";

const requestId = "0198f000-0000-7000-8000-0000000000e1";
const report = { call: "listBatches", status: 500, code: "internal", request_id: requestId };

let app: TestApp;
let service: Server;
let url: string;
/** Received reports and the answers of the service. */
let came: { type: string | undefined; body: { reports: Record<string, unknown>[] } }[];
let answer: number;
/** Number of open transactions when the service was called. */
let openWhileSending: number[];

beforeEach(async () => {
  came = [];
  answer = 202;
  openWhileSending = [];
  service = createServer((request, response) => {
    let text = "";
    request.on("data", (piece) => {
      text += piece;
    });
    request.on("end", async () => {
      const { rows } = await app.services.db.pool.query(
        "SELECT count(*)::int AS open FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
      );
      openWhileSending.push(rows[0].open);
      came.push({ type: request.headers["content-type"], body: JSON.parse(text) });
      response.writeHead(answer).end();
    });
  });
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/erros`;
  app = await open(url);
});
afterEach(async () => {
  await app.close();
  await new Promise((closed) => service.close(closed));
});

const open = (errorReportUrl: string | undefined) => buildTestApp({ config: { errorReportUrl } });
const send = (reports: object[], address?: string) =>
  app.call(reportErrors, { body: { reports } }, address ? { address } : {});
const waiting = async () =>
  (await app.services.db.pool.query("SELECT * FROM error_reports ORDER BY call DESC")).rows as Record<
    string,
    unknown
  >[];
const work = () => sendErrorReports(app.services);

describe("a report from a browser", () => {
  const wrong: [string, object[]][] = [
    ["nothing", []],
    ["more than it gathers", Array.from({ length: 21 }, () => report)],
    ["an answer that was none of those", [{ ...report, status: 200 }]],
    ["a status of another kind", [{ ...report, status: 600 }]],
    ["a call with words in it", [{ ...report, call: "Maria da Silva <b>" }]],
    ["a code with words in it", [{ ...report, code: "CPF 529.982.247-25" }]],
    ["a request id that is text", [{ ...report, request_id: "<script>" }]],
  ];
  it.each(wrong)("is refused: %s", async (_what, reports) => {
    expect(await send(reports)).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(await waiting()).toEqual([]);
  });

  it("SES-063 is accepted from the first of these statuses to the last", async () => {
    for (const status of [400, 599]) expect((await send([{ ...report, status }])).status).toBe(200);
    expect((await waiting()).map(({ status }) => status).sort()).toEqual([400, 599]);
  });

  it("is refused above the largest size of a report", async () => {
    const answered = await send([{ ...report, more: "x".repeat(9_000) }]);
    expect(answered.status).toBe(413);
  });

  it("stores only known fields, whatever else is sent", async () => {
    const sent = [
      { ...report, note: "Maria, CPF 529.982.247-25", call: "readBalance" },
      { call: "MariaDaSilva", status: 400 },
      { call: "listBatches", status: 404, code: "Maria52998224725" },
    ];
    expect((await send(sent)).body).toEqual({ ok: true });
    const kept = await waiting();
    expect(kept.map(({ call, status, code }) => [call, status, code])).toEqual([
      ["readBalance", 500, "internal"],
      ["listBatches", 404, null],
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/Maria|529/);
  });

  it("is limited per network, and in total, until the minute is over", async () => {
    const statuses = new Map<number, number>();
    for (let n = 0; n < messagesPerMinute.network + 2; n++) {
      const { status } = await send([report], "203.0.113.7");
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    expect([...statuses]).toEqual([
      [200, messagesPerMinute.network],
      [429, 2],
    ]);
    // Another network is accepted as long as the total stays low.
    expect((await send([report], "203.0.113.8")).status).toBe(200);
    let refused = 0;
    for (let n = 0; n < messagesPerMinute.overall; n++)
      if ((await send([report], `198.51.100.${n % 250}`)).status === 429) refused++;
    expect(refused).toBe(messagesPerMinute.network + 1);
    app.clock.advance({ minutes: 1 });
    expect((await send([report], "203.0.113.7")).status).toBe(200);
  });

  it("waits in a bounded queue", async () => {
    await app.services.db.pool.query(
      `INSERT INTO error_reports (id, call, status, source, seen_at, try_at)
       SELECT uuidv7(), 'listBatches', 500, n, now(), now() FROM generate_series(1, 1000) n`,
    );
    expect((await send([report])).status).toBe(200);
    expect(await waiting()).toHaveLength(1_000);
  });

  it("takes at most a fifth of the queue from one network, and never all of it from many", async () => {
    const flood = async (network: number) => {
      for (let n = 0; n < 12; n++)
        expect((await send(Array(20).fill(report), `203.0.113.${network}`)).status).toBe(200);
    };
    const countWaiting = async () => (await waiting()).length;
    await flood(1);
    expect(await countWaiting()).toBe(200);
    // Another report is accepted, and again after ten networks tried to fill the queue.
    expect((await send([report], "198.51.100.1")).status).toBe(200);
    expect(await countWaiting()).toBe(201);
    for (let network = 2; network <= 10; network++) await flood(network);
    const before = await countWaiting();
    expect(before).toBeLessThan(1_000);
    expect((await send([report], "198.51.100.2")).status).toBe(200);
    expect(await countWaiting()).toBe(before + 1);
    // The stored part of the network identifies no person.
    expect(JSON.stringify(await waiting())).not.toMatch(/203\.0|198\.51/);
  });
});

describe("without a service", () => {
  it("SES-063 informs browsers that no service receives reports, and neither stores nor sends any", async () => {
    const deaf = await open(undefined);
    try {
      expect((await deaf.call(readBrand)).body.reportsErrors).toBe(false);
      expect((await deaf.call(reportErrors, { body: { reports: [report] } })).status).toBe(200);
      const { rows } = await deaf.services.db.pool.query("SELECT * FROM error_reports");
      expect(rows).toEqual([]);
      await sendErrorReports(deaf.services);
      expect(came).toEqual([]);
    } finally {
      await deaf.close();
    }
  });
});

describe("the worker", () => {
  it("SES-063 sends each report to the service once, outside any transaction", async () => {
    expect((await app.call(readBrand)).body.reportsErrors).toBe(true);
    await send([report, { call: "readBalance", status: 404 }]);
    expect(came).toEqual([]);
    await work();
    await work();
    came[0]?.body.reports.sort((a, b) => Number(b["status"]) - Number(a["status"]));
    expect(came).toEqual([
      {
        type: "application/json",
        body: {
          reports: [
            { id: expect.any(String), ...report, seen_at: "2026-08-12T13:00:00.000Z" },
            {
              id: expect.any(String),
              call: "readBalance",
              status: 404,
              code: null,
              request_id: null,
              seen_at: "2026-08-12T13:00:00.000Z",
            },
          ],
        },
      },
    ]);
    expect(openWhileSending).toEqual([0]);
    expect(await waiting()).toEqual([]);
  });

  it("retries with backoff, and gives up after a day", async () => {
    answer = 503;
    await send([report]);
    await expect(work()).rejects.toThrow("503");
    // The retry is not due yet.
    await work();
    expect(came).toHaveLength(1);
    app.clock.advance({ seconds: 10 });
    await expect(work()).rejects.toThrow("503");
    app.clock.advance({ seconds: 10 });
    await work();
    expect(came).toHaveLength(2);
    app.clock.advance({ seconds: 10 });
    answer = 204;
    await work();
    expect(came).toHaveLength(3);
    // The report has the same id.
    expect(new Set(came.map(({ body }) => body.reports[0]?.["id"])).size).toBe(1);
    expect(await waiting()).toEqual([]);

    answer = 500;
    await send([report]);
    await expect(work()).rejects.toThrow("500");
    app.clock.advance({ hours: 25 });
    await work();
    expect(await waiting()).toEqual([]);
    expect(came).toHaveLength(4);
  });

  it("loses no report while the service is down", async () => {
    await send([report]);
    const nowhere = {
      ...app.services,
      config: { ...app.services.config, errorReportUrl: "http://127.0.0.1:9/" },
    };
    await expect(sendErrorReports(nowhere)).rejects.toThrow();
    app.clock.advance({ seconds: 10 });
    await work();
    expect(came.flatMap(({ body }) => body.reports)).toHaveLength(1);
  });

  it("splits many reports into several messages", async () => {
    for (let n = 0; n < 6; n++) await send(Array.from({ length: 20 }, () => report));
    await work();
    expect(came.map(({ body }) => body.reports.length)).toEqual([100, 20]);
  });
});
