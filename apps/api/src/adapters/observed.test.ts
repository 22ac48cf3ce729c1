import { expect, it } from "vitest";
import { adapterSeconds } from "../platform/http/metrics.ts";
import { createLog } from "../platform/log.ts";
import type { Ports } from "../ports/ports.ts";
import { observed } from "./observed.ts";

const observe = (ports: Partial<Ports>) => observed(ports as Ports, createLog("silent"));

/** Returns how many calls to the service have ended, by result. */
async function ended(port: string, call: string): Promise<Record<string, number>> {
  const { values } = await adapterSeconds.get();
  return Object.fromEntries(
    values
      .filter(
        ({ metricName, labels }) =>
          metricName?.endsWith("_count") && labels.port === port && labels.call === call,
      )
      .map(({ labels, value }) => [String(labels.result), value]),
  );
}

it("measures calls that fail apart from those that are answered", async () => {
  const before = await ended("pixCodes", "read");
  const answers = [Promise.resolve(undefined), Promise.reject(new Error("busy")), Promise.resolve(undefined)];
  const { pixCodes } = observe({ pixCodes: { read: () => answers.shift() ?? Promise.reject() } });
  for (const _ of [1, 2, 3]) await pixCodes.read("x", "2026-08-12" as never).catch(() => undefined);
  const after = await ended("pixCodes", "read");
  expect((after["answered"] ?? 0) - (before["answered"] ?? 0)).toBe(2);
  expect((after["failed"] ?? 0) - (before["failed"] ?? 0)).toBe(1);
});

it("counts a Pix directory that gives no answer as a failed call", async () => {
  const before = (await ended("accountCheck", "findHolder"))["unanswered"] ?? 0;
  const silent = async () => undefined;
  const { accountCheck } = observe({ accountCheck: { findKey: silent, findHolder: silent } });
  await accountCheck.findHolder({ type: "EMAIL", key: "a@b.example" } as never, { name: null, taxId: null });
  expect((await ended("accountCheck", "findHolder"))["unanswered"]).toBe(before + 1);
});

it("passes the request, the answer and the failure through unchanged", async () => {
  const failure = new Error("refused");
  const requested: unknown[] = [];
  const { mailer } = observe({
    mailer: {
      async send(mail) {
        requested.push(mail);
        throw failure;
      },
    },
  });
  await expect(mailer.send({ id: "one" } as never)).rejects.toBe(failure);
  expect(requested).toEqual([{ id: "one" }]);
});
