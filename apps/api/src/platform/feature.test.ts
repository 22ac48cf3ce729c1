import { expect, it } from "vitest";
import { type Feature, forEachCompany, jobsOf } from "./feature.ts";
import type { Queue } from "./jobs/jobs.ts";

const rules = { concurrencyMax: 1, tries: 1, retryDelaySecondsMax: 1, run: async () => undefined };

it("finds each job by its queue, and refuses two features on one queue", () => {
  const sending: Feature = { jobs: { "send-payments": rules } };
  const closing: Feature = { jobs: { "close-batch": rules } };
  expect([...jobsOf([sending, {}, closing]).keys()]).toEqual([
    "send-payments",
    "close-batch",
  ] satisfies Queue[]);
  expect(() => jobsOf([sending, closing, sending])).toThrow("send-payments");
});

it("continues with the next company when one fails, and logs whose work failed", async () => {
  const warned: unknown[] = [];
  const log = { warn: (...words: unknown[]) => void warned.push(words) } as never;
  const worked: string[] = [];
  await forEachCompany({ log }, "sending", ["a", "b", "c"], async (companyId) => {
    if (companyId === "b") throw new Error("broken");
    worked.push(companyId);
  });
  expect(worked).toEqual(["a", "c"]);
  expect(warned).toEqual([[{ err: new Error("broken"), company: "b" }, "sending"]]);
});
