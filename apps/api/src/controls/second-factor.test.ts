/** The code that is asked for from an amount on. */
import { randomUUID } from "node:crypto";
import { closeBatch } from "@malote/contracts/batches";
import { readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { cents } from "@malote/domain/money";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../testing/app.ts";
import { bearing, type ControlsKit, openControls, withdraw } from "../testing/controls-kit.ts";
import { batch, closing, draft, pix } from "../testing/payments-kit.ts";

let kit: ControlsKit;
let second: Person;
beforeEach(async () => {
  kit = await openControls();
  second = await kit.colleague();
  kit.mails.splice(0);
});
afterEach(() => kit.close());

describe("the code of the second factor", () => {
  let code: () => string;
  let helena: Person;
  beforeEach(async () => {
    const { secret } = (await kit.admin.call(readTwoFactorSecret)).body;
    // Codes go by real time, which does not move here while the business's moves.
    const real = Date.parse("2026-08-12T13:00:00Z");
    const at = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: real + steps * 30_000 });
    let step = -1;
    const on = await kit.admin.call(setTwoFactor, { body: { action: "enable", code: at(step) } });
    code = () => at(++step);
    helena = bearing(kit, kit.admin, on.body.new_token);
    await kit.inForce({ stepUpFrom: cents(1_000_00) });
  });
  const closeWith = (id: string, given?: string, key: string = randomUUID()) =>
    helena.call(
      closeBatch,
      { params: { id }, body: {} },
      { "idempotency-key": key, ...(given && { "second-factor-code": given }) },
    );

  it("is asked for from its amount on, good once, and a repeated call is answered as the first", async () => {
    const { id } = await draft(helena, [pix(1_000_00)]);
    expect(await closeWith(id)).toMatchObject({ status: 403, body: { code: "step_up_required" } });
    expect((await closeWith(id, "000000")).body.code).toBe("second_factor_invalid");
    const given = code();
    const key = randomUUID();
    const first = await closeWith(id, given, key);
    expect(first.body.is_batch_paid).toBe(true);
    expect((await closeWith(id, given, key)).body).toEqual(first.body);
    const other = await draft(helena, [pix(1_000_00)]);
    expect((await closeWith(other.id, given)).body.code).toBe("second_factor_invalid");
    expect((await withdraw(helena, 1_000_00)).body.code).toBe("step_up_required");
    expect((await withdraw(helena, 1_000_00, { "second-factor-code": code() })).status).toBe(200);
    await kit.drainJobs();
  });

  it("below it nobody is asked, nobody without a factor passes, and no machine does", async () => {
    const small = await draft(kit.operator, [pix(10_00)]);
    expect((await closeWith(small.id)).status).toBe(200);
    const { id } = await draft(kit.operator, [pix(1_000_00)]);
    expect((await closing(second, id)).body.code).toBe("step_up_factor_missing");
    const answer = await kit.byMachine(await kit.installed(), closeBatch, { params: { id } });
    expect(answer.body.code).toBe("approver_not_a_person");
    await kit.drainJobs();
  });

  it("is not guessed: after ten wrong ones no more are looked at", async () => {
    const { id } = await draft(helena, [pix(1_000_00)]);
    for (let tries = 0; tries < 10; tries++) expect((await closeWith(id, "000000")).status).toBe(422);
    expect((await closeWith(id, code())).body.code).toBe("too_many_tries");
    expect(await statusOfBy(helena, id)).toBe("DRAFT");
  });
  const statusOfBy = async (by: Person, id: string) => (await batch(by, id)).status;
});
