/** Resent payments count like any other outflow, however they are divided. */
import { randomUUID } from "node:crypto";
import { approveRequest, listApprovalRequests } from "@malote/contracts/controls";
import { listFailures, resendFailures } from "@malote/contracts/failures";
import { changeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import { errorOf } from "../../testing/answer.ts";
import type { Person } from "../../testing/app.ts";
import { boletoDraft, boletoOf, magicBarcode } from "../../testing/boletos.ts";
import { bandsOf, type ControlsKit, openControls } from "../../testing/controls-kit.ts";
import { batch, closing, draft, fetchStatuses, pix } from "../../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
let third: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  third = await kit.colleague("terceira@aurora.example", "Terceira Admin");
});
afterEach(() => kit.close());

const bands = bandsOf([0, 0], [1_000_00, 1], [5_000_00, 2]);

/** Rui prepared it and Helena closed it before there was a policy; the network refused all of it a day ago. */
async function failedBatch(values: readonly number[]): Promise<{ id: string; ids: string[] }> {
  const payments = values.map((value, n) =>
    pix(value, {
      destination_bank_account: {
        name: `Pessoa ${n} Silva`,
        pix_key_type: "EMAIL",
        pix_key: "chave.pix15@exemplo.com.br",
      },
    }),
  );
  const { id } = await draft(kit.operator, payments);
  expect((await closing(kit.admin, id)).body.is_batch_paid).toBe(true);
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  await kit.pass({ hours: 24 });
  expect(new Set(await fetchStatuses(kit.admin, id))).toEqual(new Set(["FAILED"]));
  return { id, ids: (await batch(kit.admin, id)).transfers.map((one) => one.id) };
}

const to = (key: string, value: number) =>
  pix(value, {
    destination_bank_account: { name: "Outra Pessoa", pix_key_type: "EMAIL", pix_key: key },
  });
const correct = (by: Person, id: string, tid: string | undefined, key: string, value: number) =>
  by.call(changeTransfer, { params: { id, tid: tid ?? "" }, body: to(key, value) });
const resendChosen = (by: Person, id: string, ids: readonly (string | undefined)[]) =>
  by.call(
    resendFailures,
    { params: { id }, body: { ids: ids as string[] } },
    { "idempotency-key": randomUUID() },
  );
const openRequests = async (): Promise<{ id: string; digest: string; missing: number; amount: number }[]> =>
  (await second.call(listApprovalRequests)).body.data.filter(({ status }) => status === "pending");
const approve = (by: Person, { id, digest }: { id: string; digest: string }) =>
  by.call(approveRequest, { params: { id }, body: { digest } }, { "idempotency-key": randomUUID() });

it("requires another person as soon as the sum of single corrections does, and counts it in the maker's limit of the day", async () => {
  const { id, ids } = await failedBatch([910_00, 911_00, 912_00]);
  await kit.inForce({ bands });
  const keys = ["um@exemplo.com.br", "dois@exemplo.com.br", "tres@exemplo.com.br"];
  expect((await correct(kit.admin, id, ids[0], keys[0] ?? "", 910_00)).body.status).toBe("RECEIVED");
  const waits = { status: "FAILED", awaits_approval: true };
  expect((await correct(kit.admin, id, ids[1], keys[1] ?? "", 911_00)).body).toMatchObject(waits);
  expect((await fetchStatuses(kit.admin, id)).filter((status) => status === "FAILED")).toHaveLength(2);
  const own = await draft(kit.admin, [pix(100_00)]);
  expect((await closing(kit.admin, own.id)).body.code).toBe("approver_is_creator");
  // The batch is the same one days later.
  await kit.pass({ hours: 48 });
  expect((await correct(kit.admin, id, ids[2], keys[2] ?? "", 912_00)).body).toMatchObject(waits);
});

it("counts payments that are resent one by one like new ones", async () => {
  const { id, ids } = await failedBatch([610_00, 611_00, 612_00]);
  await kit.inForce({ bands });
  const outcome = async (n: number) => (await resendChosen(kit.admin, id, [ids[n]])).body.data[0].outcome;
  expect(await outcome(0)).toBe("sent");
  expect(await outcome(1)).toBe("waits_for_approval");
  const own = await draft(kit.admin, [pix(500_00)]);
  expect((await closing(kit.admin, own.id)).body.code).toBe("approver_is_creator");
});

it("sends one of two concurrent corrections at the limit of the band, and makes the other wait", async () => {
  const batches = await Promise.all([failedBatch([910_00]), failedBatch([911_00])]);
  await kit.inForce({ bands });
  const answers = await Promise.all(
    batches.map(({ id, ids }, n) =>
      correct(kit.admin, id, ids[0], `pessoa${n}@exemplo.com.br`, 910_00 + n * 1_00),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers.filter(({ body }) => body.awaits_approval)).toHaveLength(1);
});

it("counts earlier resends toward the approval band", async () => {
  const { id, ids } = await failedBatch([2_000_00, 2_001_00, 2_002_00]);
  await kit.inForce({ bands });
  for (const n of [0, 1, 2])
    expect(
      (await correct(kit.admin, id, ids[n], `pessoa${n}@exemplo.com.br`, 2_000_00 + n * 1_00)).body,
    ).toMatchObject({ awaits_approval: true });
  const requests = await openRequests();
  expect(requests.map(({ missing }) => missing)).toEqual([1, 1, 1]);
  const [one, two, last] = requests;
  for (const request of [one, two]) {
    expect((await approve(second, request!)).body.status).toBe("approved");
    await kit.drainJobs();
  }
  expect((await openRequests()).map(({ missing }) => missing)).toEqual([2]);
  expect((await approve(second, last!)).body).toEqual({ status: "pending", missing: 1 });
  expect((await fetchStatuses(kit.admin, id)).filter((status) => status === "FAILED")).toHaveLength(1);
  expect((await approve(third, last!)).body.status).toBe("approved");
});

it("sums a receiver's corrected payment with those of batches, in either order", async () => {
  const [one, two] = await Promise.all([failedBatch([910_00]), failedBatch([911_00])]);
  await kit.inForce({ bands });
  const ofRui = await draft(kit.operator, [to("alvo@exemplo.com.br", 900_00)]);
  expect((await closing(kit.admin, ofRui.id)).body.is_batch_paid).toBe(true);
  expect((await correct(kit.admin, one.id, one.ids[0], "alvo@exemplo.com.br", 910_00)).body).toMatchObject({
    awaits_approval: true,
  });
  expect((await correct(second, two.id, two.ids[0], "outro@exemplo.com.br", 911_00)).body.status).toBe(
    "RECEIVED",
  );
  const again = await draft(kit.admin, [to("outro@exemplo.com.br", 100_00)]);
  expect((await closing(kit.admin, again.id)).body.code).toBe("approver_is_creator");
});

it("counts resent boletos as well", async () => {
  const values = [911_00, 912_00];
  const { id, revision } = await boletoDraft(
    kit.operator,
    values.map((value) => boletoOf(value, { barcode: magicBarcode(value, "15") })),
  );
  await closing(kit.admin, id, undefined, { revision });
  await kit.drainJobs();
  await kit.pass({ seconds: 2 });
  const { data } = (await kit.admin.call(listFailures, { params: { id } })).body;
  expect(data).toHaveLength(2);
  await kit.inForce({ bands });
  const outcomes: string[] = [];
  for (const one of data) {
    const { checks } = errorOf(await resendChosen(kit.admin, id, [one.id])).data;
    const confirmations = checks.map(({ kind, fingerprint }: { kind: string; fingerprint: string }) => ({
      kind,
      fingerprint,
    }));
    const input = { params: { id }, body: { ids: [one.id], confirmations } };
    const answer = await kit.admin.call(resendFailures, input, { "idempotency-key": randomUUID() });
    outcomes.push(answer.body.data[0].outcome);
  }
  expect(outcomes).toEqual(["sent", "waits_for_approval"]);
});
