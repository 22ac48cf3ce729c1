import { createCheckpoint, readCheckpoint } from "@malote/contracts/company";
import { expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks, sentReports } from "../testing/marks.ts";
import { brandQuery } from "./brand.ts";
import { checkpoints } from "./checkpoints.ts";
import { createQueryClient } from "./query-client.ts";

it("FST-025 failed reads and records of a mark are reported, and a failed record throws nothing", async () => {
  refuseMarks();
  fakeServer.on(readCheckpoint, () => refuse("internal"));
  const client = createQueryClient();
  await client.fetchQuery(brandQuery);
  await expect(client.fetchQuery(checkpoints.exists("HAS_OPENED_PAYMENT"))).rejects.toThrow();
  await expect(checkpoints.create("HAS_OPENED_PAYMENT")).resolves.toBeUndefined();
  expect(recordedMarks()).toEqual(["HAS_OPENED_PAYMENT"]);
  await expectQuietReport();
  expect(sentReports()).toContainEqual(expect.objectContaining({ call: "readCheckpoint", status: 500 }));
});

it("FST-021 FST-022 reads a person's mark, reads the company's and records one, each by its own call", async () => {
  const id = "HAS_OPENED_PAYMENT";
  fakeServer.on(readCheckpoint, ({ query }) => ({ exists: query.in_company === undefined }));
  fakeServer.on(createCheckpoint, () => ({ ok: true as const }));
  expect(await createQueryClient().fetchQuery(checkpoints.exists(id))).toBe(true);
  expect(await checkpoints.existsInCompany(id)).toBe(false);
  const asked = fakeServer.calls(readCheckpoint).map(({ params, query }) => [params["id"], query]);
  expect(asked).toEqual([
    [id, {}],
    [id, { in_company: "true" }],
  ]);
  await checkpoints.create(id);
  expect(fakeServer.calls(createCheckpoint).map(({ body }) => body)).toEqual([{ location: id }]);
});
