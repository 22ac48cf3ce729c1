/** The code of the second factor that is required from an amount on. */
import { randomUUID } from "node:crypto";
import { closeBatch } from "@malote/contracts/batch-life";
import { listPayins, refundPayin } from "@malote/contracts/payins";
import { authorize, confirmIdentity, readTwoFactorSecret, setTwoFactor } from "@malote/contracts/session";
import { cents } from "@malote/domain/money";
import { Secret, TOTP } from "otpauth";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { demoPassword } from "../adapters/sandbox/demo/seed.ts";
import type { Person } from "../testing/app.ts";
import { defend, pdf, receiveInfraction } from "../testing/contestations.ts";
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
    // Codes follow real time, which stands still here while the installation's clock moves.
    const real = Date.parse("2026-08-12T13:00:00Z");
    const at = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: real + steps * 30_000 });
    let step = -1;
    const on = await kit.admin.call(setTwoFactor, { body: { action: "enable", code: at(step) } });
    code = () => at(++step);
    helena = bearing(kit, kit.admin, on.body.new_token);
    await kit.inForce({ stepUpFrom: cents(1_000_00) });
  });
  async function signedInAgain(given: string): Promise<Person> {
    const byPassword = { grant_type: "password", email: "helena@aurora.example", password: demoPassword };
    const { challenge } = (await kit.call(authorize, { body: byPassword })).body.second_factor;
    const body = { grant_type: "second_factor", challenge, code: given };
    return bearing(kit, kit.admin, (await kit.call(authorize, { body })).body.access_token);
  }
  const closeWith = (id: string, given?: string, key: string = randomUUID()) =>
    helena.call(
      closeBatch,
      { params: { id }, body: {} },
      { "idempotency-key": key, ...(given && { "second-factor-code": given }) },
    );

  it("BAT-056 STM-029 is required from its amount on and valid once, and a repeated call gets the first answer", async () => {
    const { id } = await draft(helena, [pix(1_000_00)]);
    expect(await closeWith(id)).toMatchObject({ status: 403, body: { code: "step_up_required" } });
    expect((await withdraw(helena, 1_000_00)).body.code).toBe("step_up_required");
    expect((await withdraw(helena, 999_99)).status).toBe(200);
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

  it("is not required below its amount, and above it stops people without a factor and credentials", async () => {
    const small = await draft(kit.operator, [pix(10_00)]);
    expect((await closeWith(small.id)).status).toBe(200);
    const { id } = await draft(kit.operator, [pix(1_000_00)]);
    expect((await closing(second, id)).body.code).toBe("step_up_factor_missing");
    const answer = await kit.byMachine(await kit.installed(), closeBatch, { params: { id } });
    expect(answer.body.code).toBe("approver_not_a_person");
    await kit.drainJobs();
  });

  it("resists guessing: after ten wrong codes no further code is checked", async () => {
    const { id } = await draft(helena, [pix(1_000_00)]);
    for (let tries = 0; tries < 10; tries++) expect((await closeWith(id, "000000")).status).toBe(422);
    expect((await closeWith(id, code())).body.code).toBe("too_many_tries");
    expect(await statusOfBy(helena, id)).toBe("DRAFT");
  });

  it("is not checked, used up or counted if the action requires none", async () => {
    for (let tries = 0; tries < 11; tries++)
      expect((await withdraw(helena, 1_00, { "second-factor-code": "000000" })).status).toBe(200);
    const given = code();
    expect((await withdraw(helena, 1_00, { "second-factor-code": given })).status).toBe(200);
    expect((await withdraw(helena, 1_000_00, { "second-factor-code": given })).status).toBe(200);
  });

  it("PAY-032 is required for a refund from its amount on, and not below it", async () => {
    const endToEndId = await kit.deposit(2_000_00);
    const { items } = (await helena.call(listPayins, { query: { search: endToEndId } })).body;
    const refund = (amount: number, given?: string) =>
      helena.call(
        refundPayin,
        { params: { id: items[0].id }, body: { amount } },
        { "idempotency-key": randomUUID(), ...(given && { "second-factor-code": given }) },
      );
    // The amount is exact: an earlier refund would be added to it.
    expect(await refund(1_000_00)).toMatchObject({ status: 403, body: { code: "step_up_required" } });
    expect((await refund(1_00)).status).toBe(200);
    expect((await refund(1_000_00, "000000")).body.code).toBe("second_factor_invalid");
    expect(await refund(1_000_00, code())).toMatchObject({ status: 200, body: { amount: 1_000_00 } });
    await kit.drainJobs();
  });

  it("is required for an answer to an infraction that is sent as a form, and the form is read once", async () => {
    const { id } = await receiveInfraction(kit, 1_000_00);
    const accept = (given?: string) =>
      defend(
        kit,
        helena.token,
        id,
        {
          analysis: "accepted",
          analysis_description: "Houve fraude, e a empresa concorda em devolver o valor recebido.".padEnd(
            200,
            ".",
          ),
          files: [{ name: "prova.pdf", content: pdf() }],
        },
        given === undefined ? {} : { "second-factor-code": given },
      );
    expect((await accept()).body.code).toBe("step_up_required");
    expect((await accept("000000")).body.code).toBe("second_factor_invalid");
    expect(await accept(code())).toMatchObject({ status: 200, body: { analysis_status: "accepted" } });
  });

  it("counts wrong codes per person: the ten include those of other sessions and of other checks", async () => {
    const other = await signedInAgain(code());
    for (let tries = 0; tries < 5; tries++) {
      expect((await withdraw(helena, 1_000_00, { "second-factor-code": "000000" })).status).toBe(422);
      const confirming = await other.call(confirmIdentity, {
        body: { password: demoPassword, code: "000000" },
      });
      expect(confirming.body.code).toBe("second_factor_invalid");
    }
    expect((await withdraw(other, 1_000_00, { "second-factor-code": code() })).body.code).toBe(
      "too_many_tries",
    );
    expect((await withdraw(helena, 1_00)).status).toBe(200);
  });
  const statusOfBy = async (by: Person, id: string) => (await batch(by, id)).status;
});
