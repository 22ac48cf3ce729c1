import { downloadPayinReport, readPayinReport, requestPayinReport } from "@malote/contracts/payins";
import { fetchedSheets } from "@malote/domain/limits";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fileKinds } from "../registry.ts";
import { openPayments, type PaymentsKit } from "../testing/payments-kit.ts";
import { tidyExports } from "./tidy.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

const idsKept = async (): Promise<string[]> =>
  (await kit.services.db.pool.query<{ id: string }>("SELECT id FROM exports ORDER BY id")).rows.map(
    ({ id }) => id,
  );

it("ends a streamed export after a day, even before the clean-up, and gives it another day when it is requested again", async () => {
  const makeCall = async (search: string) =>
    (await kit.admin.call(requestPayinReport, { body: { search } })).body.id as string;
  const statuses = async (id: string) =>
    Promise.all(
      [readPayinReport, downloadPayinReport].map(
        async (contract) => (await kit.admin.call(contract, { params: { id } })).status,
      ),
    );
  const [once, again] = [await makeCall("luz"), await makeCall("gás")];
  kit.clock.advance({ hours: fetchedSheets.keptHours, seconds: -1 });
  expect(await statuses(once)).toEqual([200, 200]);
  expect(await makeCall("gás")).toBe(again);
  await tidyExports(fileKinds, kit.services);
  expect(await idsKept()).toEqual([once, again].sort());

  kit.clock.advance({ seconds: 1 });
  expect(await statuses(once)).toEqual([404, 404]);
  expect(await statuses(again)).toEqual([200, 200]);
  await tidyExports(fileKinds, kit.services);
  expect(await idsKept()).toEqual([again]);
});
