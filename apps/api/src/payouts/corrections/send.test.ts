import { afterEach, beforeEach, expect, it } from "vitest";
import { AppError } from "../../platform/app-error.ts";
import { failedBatches } from "../../testing/failures-kit.ts";
import { auroraId, fetchStatuses, openPayments, type PaymentsKit } from "../../testing/payments-kit.ts";
import { correctionKinds } from "./kinds.ts";
import { resendPayments } from "./send.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { failedBatch } = failedBatches(() => kit);

it("aborts the transaction without a refusal if the payment is no longer failed after its limits were changed", async () => {
  const { id, ids } = await failedBatch();
  const [first = ""] = ids;
  const { services } = kit;
  const now = kit.clock.now();
  const acting = { actor: { kind: "user", id: auroraId, name: "Helena" } as const, now };
  const error = await services.db
    .withCompany(auroraId, async (tx) => {
      // Prepares the same payment twice, without the batch's lock.
      const kind = correctionKinds.TRANSFER;
      const twice = [await kind.prepare(tx, first, now), await kind.prepare(tx, first, now)];
      for (const one of twice) await resendPayments(tx, services, one, acting);
    })
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ message: expect.stringContaining("not failed") });
  expect(error).not.toBeInstanceOf(AppError);
  expect(await fetchStatuses(kit.admin, id)).toEqual(["FAILED", "FAILED", "FAILED", "FINISHED"]);
});
