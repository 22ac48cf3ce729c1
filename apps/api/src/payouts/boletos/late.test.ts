/** BAT-050 for boletos: whether some of a batch are paid later than on their date. */
import { validateBatch } from "@malote/contracts/batches";
import { afterEach, beforeEach, expect, it } from "vitest";
import { barcodeOf, boletoDraft, boletoOf } from "../../testing/boletos.ts";
import { closing, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 10:00 in São Paulo.
  kit = await openPayments();
});
afterEach(() => kit.close());

const makeDraft = async (...boletos: Parameters<typeof boletoDraft>[1]) =>
  (await boletoDraft(kit.operator, boletos)).id;
const isLate = async (id: string) =>
  (await kit.operator.call(validateBatch, { params: { id } })).body.hasTimeWarning;

it("BAT-050 warns of boletos from one second after 22h on, and of those with an early cut-off after 17h", async () => {
  const usual = await makeDraft(boletoOf(10_00));
  const ofToday = await makeDraft(boletoOf(10_00, { payment_date: "2026-08-12" }));
  const ofTomorrow = await makeDraft(boletoOf(10_00, { payment_date: "2026-08-13" }));
  const early = await makeDraft(boletoOf(10_00), boletoOf(250_000_00));
  const all = async () => [
    await isLate(usual),
    await isLate(ofToday),
    await isLate(ofTomorrow),
    await isLate(early),
  ];
  expect(await all()).toEqual([false, false, false, false]);
  await kit.passUntil("2026-08-12T20:00:00Z");
  expect(await all()).toEqual([false, false, false, false]);
  await kit.pass({ seconds: 1 });
  expect(await all()).toEqual([false, false, false, true]);
  await kit.passUntil("2026-08-13T01:00:00Z");
  expect(await all()).toEqual([false, false, false, true]);
  await kit.pass({ seconds: 1 });
  expect(await all()).toEqual([true, true, false, true]);
  // On the next morning the chosen day has passed, which is an error and not a warning.
  await kit.passUntil("2026-08-13T13:00:00Z");
  expect(await all()).toEqual([false, false, false, false]);
});

it("BAT-050 warns of a payment date without settlement, also of today", async () => {
  const ofSaturday = await makeDraft(boletoOf(10_00, { payment_date: "2026-08-15" }));
  const without = await makeDraft(boletoOf(10_00));
  expect([await isLate(ofSaturday), await isLate(without)]).toEqual([true, false]);
  await kit.passUntil("2026-08-15T13:00:00Z");
  expect([await isLate(ofSaturday), await isLate(without)]).toEqual([true, true]);
});

it("BAT-050 does not warn of a boleto that cannot be paid in time on any day, nor after the batch was released", async () => {
  const due = await makeDraft(boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-12") }));
  const gone = await makeDraft(boletoOf(10_00));
  await kit.deposit(10_00);
  expect((await closing(kit.admin, gone)).body.is_batch_paid).toBe(true);
  await kit.passUntil("2026-08-13T01:00:01Z");
  expect((await kit.operator.call(validateBatch, { params: { id: due } })).body).toMatchObject({
    hasTimeError: true,
    hasTimeWarning: false,
  });
  expect(await isLate(gone)).toBe(false);
});
