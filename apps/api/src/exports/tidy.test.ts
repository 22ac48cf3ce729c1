import { readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { downloadReceipts, readReceipts, requestReceipts } from "@malote/contracts/receipts";
import { exportsKept } from "@malote/domain/limits";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { fileKinds } from "../registry.ts";
import { auroraId, openPayments, type PaymentsKit, paidFor, pix } from "../testing/payments-kit.ts";
import { tidyExports } from "./tidy.ts";

let kit: PaymentsKit;
let batchId: string;

beforeAll(async () => {
  kit = await openPayments();
  batchId = await paidFor(kit, [pix(100_00)]);
  await kit.drainJobs();
  await kit.pass({ minutes: 5 });
});
beforeEach(async () => {
  await kit.services.db.pool.query("DELETE FROM exports; DELETE FROM pgboss.job");
  await tidyExports(fileKinds, kit.services);
  kit.mails.splice(0);
});
afterAll(() => kit.close());

const files = () =>
  readdirSync(kit.services.config.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.includes("exports"))
    .map((entry) => join(entry.parentPath, entry.name));

async function makeCall(): Promise<string> {
  const answer = await kit.operator.call(requestReceipts, { body: { batch_id: batchId } });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.id;
}
const fetchState = async (id: string) =>
  (await kit.operator.call(readReceipts, { params: { id } })).body.state as string;
const trail = async (id: string) => {
  const { rows } = await kit.services.db.pool.query<{ action: string; actor_kind: string }>(
    "SELECT action, actor_kind FROM audit_entries WHERE subject_id = $1 ORDER BY id",
    [id],
  );
  return rows.map(({ action, actor_kind }) => `${actor_kind} ${action}`);
};

it("TRF-064 ends a link after its days, and deletes its file", async () => {
  const before = files().length;
  const id = await makeCall();
  await kit.drainJobs();
  kit.clock.advance({ days: exportsKept.days, seconds: -1 });
  await tidyExports(fileKinds, kit.services);
  expect(await fetchState(id)).toBe("ready");
  expect(files().length).toBe(before + 1);

  kit.clock.advance({ seconds: 1 });
  // The file expires at once, before the clean-up runs.
  for (const tidies of [false, true]) {
    if (tidies) await tidyExports(fileKinds, kit.services);
    expect(await fetchState(id)).toBe("expired");
    expect(await kit.operator.call(downloadReceipts, { params: { id } })).toMatchObject({
      status: 404,
      body: { code: "receipts_expired" },
    });
  }
  expect(files().length).toBe(before);
  expect(await trail(id)).toEqual(["user receipts_requested", "system receipts_removed"]);
  kit.clock.advance({ days: -exportsKept.days });
});

it("gives up an export without a job with a message, and does not change one that has a job", async () => {
  const [lost, living] = [await makeCall(), await makeCall()];
  kit.enqueued.splice(0);
  await kit.services.db.pool.query("INSERT INTO pgboss.job VALUES ('make-export', 'retry', $1)", [
    { companyId: auroraId, exportId: living },
  ]);
  await tidyExports(fileKinds, kit.services);
  expect(await fetchState(lost)).toBe("making");

  kit.clock.advance({ hours: exportsKept.makingHours, seconds: 1 });
  await tidyExports(fileKinds, kit.services);
  await tidyExports(fileKinds, kit.services);
  await kit.drainJobs();
  expect([await fetchState(lost), await fetchState(living)]).toEqual(["failed", "making"]);
  expect(kit.mails).toMatchObject([
    { to: "rui@aurora.example", subject: "Não foi possível preparar seus comprovantes" },
  ]);
  expect(await trail(lost)).toEqual(["user receipts_requested", "system receipts_given_up"]);
});

it("deletes partial files of killed workers after a day, and nothing else", async () => {
  const before = files();
  const id = await makeCall();
  await kit.drainJobs();
  const kept = files().filter((path) => !before.includes(path));
  const lost = [...["old", "new", "half.part"].map((name) => `exports/${auroraId}/${id}/${name}`)];
  // Older versions stored the files here.
  lost.push(...["receipts", "reports", "infraction-exports"].map((folder) => `${folder}/exports/old`));
  for (const key of lost) await kit.services.files.put(key, Readable.from(["x"]));
  const old = new Date(Date.now() - 25 * 3_600_000);
  for (const path of files()) if (!path.endsWith("new")) utimesSync(path, old, old);
  await tidyExports(fileKinds, kit.services);
  expect(
    files()
      .filter((path) => !before.includes(path))
      .sort(),
  ).toEqual([...kept, ...files().filter((path) => path.endsWith("new"))].sort());
  expect(await fetchState(id)).toBe("ready");
});
