/** A person's outflow of a day, with failed and resent payments: each counts once, however it is divided. */
import { randomUUID } from "node:crypto";
import { resendFailures } from "@malote/contracts/failures";
import { changeTransfer } from "@malote/contracts/transfers";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import { bandsOf, type ControlsKit, openControls } from "../../testing/controls-kit.ts";
import { batch, closing, draft, fetchStatuses, pix } from "../../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  await kit.inForce({ bands: bandsOf([0, 0], [1_000_00, 1]) });
});
afterEach(() => kit.close());

let people = 0;
const elsewhere = (value: number) =>
  pix(value, {
    destination_bank_account: {
      name: "Outra Pessoa",
      pix_key_type: "EMAIL",
      pix_key: `pessoa${++people}@exemplo.com.br`,
    },
  });

interface Failed {
  id: string;
  ids: string[];
}
/** One admin prepared and closed it, and the network refused it within seconds. */
async function failed(by: Person, values: readonly number[]): Promise<Failed> {
  // Each payment has its own receiver, because the sum of one receiver is another limit.
  const { id } = await draft(by, values.map(elsewhere));
  const { pool } = kit.services.db;
  await pool.query("UPDATE transfers SET pix_key = 'chave.pix15@exemplo.com.br' WHERE batch_id = $1", [id]);
  expect((await closing(by, id)).body).toMatchObject({ is_batch_paid: true });
  await settle();
  expect(new Set(await fetchStatuses(by, id))).toEqual(new Set(["FAILED"]));
  return { id, ids: (await batch(by, id)).transfers.map((one) => one.id) };
}
async function settle() {
  await kit.drainJobs();
  await kit.pass({ seconds: 1 });
  await kit.pass({ seconds: 1 });
}
async function again(by: Person, { id }: Pick<Failed, "id">, ids: readonly string[]): Promise<void> {
  const { body } = await by.call(
    resendFailures,
    { params: { id }, body: { ids: [...ids] } },
    { "idempotency-key": randomUUID() },
  );
  expect(body.data.map(({ outcome }) => outcome)).toEqual(ids.map(() => "sent"));
  await settle();
}
/** R$ 1.000,00 requires another person: one centavo less passes, and the last centavo does not. */
async function expectSum(by: Person, sum: number): Promise<void> {
  const over = await draft(by, [elsewhere(1_000_00 - sum)]);
  expect((await closing(by, over.id)).body.code).toBe("approver_is_creator");
  const under = await draft(by, [elsewhere(999_99 - sum)]);
  expect((await closing(by, under.id)).body).toMatchObject({ is_batch_paid: true });
}

const vectors: Record<string, () => Promise<[Person, number][]>> = {
  "all of a batch, by its preparer": async () => {
    const one = await failed(kit.admin, [300_00, 299_00]);
    await again(kit.admin, one, one.ids);
    return [[kit.admin, 599_00]];
  },
  "one payment after another": async () => {
    const one = await failed(kit.admin, [300_00, 299_00]);
    for (const id of one.ids) await again(kit.admin, one, [id]);
    return [[kit.admin, 599_00]];
  },
  "a part of it": async () => {
    const one = await failed(kit.admin, [300_00, 299_00]);
    await again(kit.admin, one, one.ids.slice(0, 1));
    return [[kit.admin, 599_00]];
  },
  "twice, as it fails twice": async () => {
    const one = await failed(kit.admin, [599_00]);
    await again(kit.admin, one, one.ids);
    await again(kit.admin, one, one.ids);
    return [[kit.admin, 599_00]];
  },
  "to another receiver": async () => {
    const one = await failed(kit.admin, [599_00]);
    const params = { id: one.id, tid: one.ids[0] ?? "" };
    const answer = await kit.admin.call(changeTransfer, { params, body: elsewhere(599_00) });
    expect(answer.body.status).toBe("RECEIVED");
    await settle();
    return [[kit.admin, 599_00]];
  },
  "by another admin, whose day it uses up as well": async () => {
    const one = await failed(kit.admin, [300_00, 299_00]);
    await again(second, one, one.ids.slice(0, 1));
    return [
      [kit.admin, 599_00],
      [second, 300_00],
    ];
  },
  "of two batches, both of which count": async () => {
    const one = await failed(kit.admin, [300_00]);
    const other = await failed(kit.admin, [299_00]);
    await again(kit.admin, one, one.ids);
    await again(kit.admin, other, other.ids);
    return [[kit.admin, 599_00]];
  },
  "of a batch of the day before, in pieces": async () => {
    const one = await failed(kit.admin, [300_00, 299_00]);
    await kit.pass({ hours: 24 });
    for (const id of one.ids) await again(kit.admin, one, [id]);
    return [[kit.admin, 599_00]];
  },
  "of a batch of the day before, beside one of this day": async () => {
    const one = await failed(kit.admin, [300_00]);
    await kit.pass({ hours: 24 });
    const other = await failed(kit.admin, [299_00]);
    await again(kit.admin, one, one.ids);
    await again(kit.admin, other, other.ids);
    return [[kit.admin, 599_00]];
  },
};

it.each(Object.entries(vectors))("failed payments that are resent count once: %s", async (_, act) => {
  for (const [by, sum] of await act()) await expectSum(by, sum);
});

it("counts a failed batch that is resent in parts once", async () => {
  const one = await failed(kit.admin, [999_99]);
  await again(kit.admin, one, one.ids);
  const more = await draft(kit.admin, [elsewhere(1)]);
  expect((await closing(kit.admin, more.id)).body.code).toBe("approver_is_creator");
});
