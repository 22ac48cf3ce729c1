/** Each kind of report that arrives, and of file that a defence attaches. */
import { reportInfraction } from "@malote/contracts/simulator-payins";
import { situationTypes } from "@malote/domain/infraction";
import { afterAll, beforeAll, expect, it } from "vitest";
import { defend, fetchInfraction, fetchInfractions, receiveInfraction } from "../testing/contestations.ts";
import { openPayments, type PaymentsKit } from "../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeAll(async () => {
  kit = await openPayments();
});
afterAll(() => kit.close());

it.each(situationTypes)("MED-008 reads an infraction that is reported as %s", async (situation_type) => {
  const { id } = await receiveInfraction(kit, 10_00, { situation_type });
  expect((await fetchInfraction(kit.admin, id)).situation_type).toBe(situation_type);
});

it("MED-006 MED-012 counts the four days from the notification, though its report arrives later", async () => {
  const endToEndId = await kit.deposit(10_00);
  const notified = kit.clock.now();
  await kit.call(reportInfraction, { body: { end_to_end_id: endToEndId, situation_type: "scam" } });
  kit.clock.advance({ hours: 1 });
  await kit.infractions.deliverDue();
  await kit.drainJobs();
  const { items } = await fetchInfractions(kit.admin, { transaction_id: endToEndId });
  expect(items).toMatchObject([
    {
      infraction_date: notified.toISOString(),
      analysis_due_date: new Date(notified.getTime() + 4 * 24 * 3_600_000).toISOString(),
    },
  ]);
});

it.each([
  ["pdf", "%PDF-1.7\n", "application/pdf"],
  ["zip", "PK\x03\x04\x14\x00\x00\x00", "application/zip"],
  ["rar", "Rar!\x1a\x07\x01\x00", "application/vnd.rar"],
  ["png", "\x89PNG\r\n\x1a\n", "image/png"],
  ["jpg", "\xff\xd8\xff\xe0\x00\x10JF", "image/jpeg"],
])("MED-031 takes a %s file, and returns it as it was", async (ending, head, type) => {
  const { id } = await receiveInfraction(kit, 10_00);
  const content = Buffer.concat([Buffer.from(head, "latin1"), Buffer.alloc(64, "x")]);
  const { body } = await defend(kit, kit.operator.token, id, {
    analysis: "rejected",
    analysis_description: "O cliente recebeu o produto.",
    files: [{ name: "prova", content }],
  });
  expect(body.files).toEqual([{ name: `prova.${ending}`, signed_url: expect.any(String) }]);
  const file = await kit.server.inject({ url: body.files[0].signed_url });
  expect([file.statusCode, file.headers["content-type"]]).toEqual([200, type]);
  expect(file.rawPayload.equals(content)).toBe(true);
});
