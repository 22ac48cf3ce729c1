import { readCheckpoint } from "@malote/contracts/company";
import { expect, it } from "vitest";
import { fakeServer, refuse } from "../testing/fake-server.ts";
import { expectQuietReport, recordedMarks, refuseMarks, sentReports } from "../testing/marks.ts";
import { brandQuery } from "./brand.ts";
import { checkpoints } from "./checkpoints.ts";
import { createQueryClient } from "./query-client.ts";

it("FST-025 a question and a mark that fail are reported, and a failed mark throws nothing", async () => {
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
