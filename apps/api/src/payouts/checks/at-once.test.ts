/** Equal payments that two processes send at the same moment: the second finds the first. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { type ControlsKit, openControls } from "../../testing/controls-kit.ts";
import { closing, draft } from "../../testing/payments-kit.ts";

let kit: ControlsKit;
let other: Awaited<ReturnType<ControlsKit["another"]>>;
beforeEach(async () => {
  kit = await openControls({ balance: 1_000_000_00 });
  other = await kit.another();
});
afterEach(async () => {
  await other.close();
  await kit.close();
});

const rent = {
  value: 100_00,
  destination_bank_account: {
    name: "Maria Souza",
    pix_key_type: "EMAIL" as const,
    pix_key: "maria@exemplo.com.br",
  },
};

it("closes one of three equal concurrent drafts without a confirmation, and reports for the others whom they would pay twice", async () => {
  const drafts = await Promise.all([1, 2, 3].map(() => draft(kit.admin, [rent])));
  const answers = await Promise.all(
    drafts.map(({ id }, n) => closing((n % 2 === 0 ? kit : other).admin, id)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  for (const { body } of answers.filter(({ status }) => status === 422))
    expect(body).toMatchObject({
      code: "checks_not_confirmed",
      data: { checks: [{ kind: "same_payment" }] },
    });
});

it("does not delay another company's equal payment", async () => {
  const [ours, theirs] = await Promise.all([draft(kit.admin, [rent]), draft(kit.stranger, [rent])]);
  const answers = await Promise.all([closing(kit.admin, ours.id), closing(other.stranger, theirs.id)]);
  expect(answers.map(({ body }) => body.code)).not.toContain("checks_not_confirmed");
});
