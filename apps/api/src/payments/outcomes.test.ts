/** Each outcome of the network, and the day on which a payment runs. */
import { listTransfers } from "@malote/contracts/transfers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { magicValues as everyMagicValue } from "../adapters/sandbox/network/index.ts";
import {
  batch,
  closing,
  draft,
  fetchBalance,
  fetchStatement,
  openPayments,
  type PaymentsKit,
  pix,
  ted,
} from "../testing/payments-kit.ts";
import { sendingCalls } from "../testing/sending-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { released, statuses, fetchTransfers } = sendingCalls(() => kit);

describe("outcomes", () => {
  const keyTypes: Record<string, "CHAVE_ALEATORIA" | "EMAIL" | "TELEFONE" | "CPF" | "CNPJ"> = {
    "Chave aleatória": "CHAVE_ALEATORIA",
    "Chave e-mail": "EMAIL",
    "Chave telefone": "TELEFONE",
    "Chave CPF": "CPF",
    "Chave CNPJ": "CNPJ",
  };

  const magicValues = everyMagicValue().filter(({ kind }) => !kind.startsWith("Boleto"));

  it("TRF-011 gives every magic value its documented outcome and keeps the money of failed payments reserved", async () => {
    const id = await released(
      magicValues.map(({ kind, value }) => {
        const type = keyTypes[kind];
        return type
          ? pix(10_00, { destination_bank_account: { pix_key_type: type, pix_key: value } })
          : ted(10_00, {}, value);
      }),
    );
    await kit.drainJobs();
    await kit.pass({ minutes: 5 });
    await kit.pass({ days: 2 });
    const shown = (await fetchTransfers(id)).map(
      (t: { status: string; status_description: string }, i: number) => [
        magicValues[i]?.value,
        t.status,
        t.status_description,
      ],
    );
    expect(shown).toEqual(
      magicValues.map(({ value, outcome }) =>
        outcome.startsWith("É paga")
          ? [value, "RETURNED", outcome.replace("É paga e volta no dia útil seguinte. ", "")]
          : [value, "FAILED", outcome],
      ),
    );
    const failed = magicValues.filter(({ outcome }) => !outcome.startsWith("É paga")).length;
    // Ruling D19: returned money is on the balance, failed payments stay reserved.
    expect(await fetchBalance(kit.admin)).toBe(10_000_00 - failed * 10_00);
    const answer = await kit.admin.call(listTransfers, { params: { id } });
    expect(answer.body.failedTransfersSummary).toMatchObject({ count: failed, value: failed * 10_00 });
    expect(await batch(kit.admin, id)).toMatchObject({
      status: "RECEIVED",
      failed_count: failed,
      returned_count: 2,
    });
  });

  it("TRF-007 runs a TED handed over at 16:30:00 the same day, and one at 16:30:01 on the next business day", async () => {
    kit.clock.set("2026-08-14T19:30:00Z");
    const inTime = await released([ted(10_00)]);
    await kit.drainJobs();
    kit.clock.set("2026-08-14T19:30:01Z");
    const late = await released([ted(20_00)]);
    await kit.drainJobs();
    expect(await statuses(late)).toEqual(["SCHEDULED"]);
    await kit.pass({ minutes: 4 });
    expect([await statuses(inTime), await statuses(late)]).toEqual([["TRANSFERRED"], ["SCHEDULED"]]);
    // A TED after Friday's cut-off goes on Monday, from 06:30 on.
    await kit.passUntil("2026-08-17T09:29:59Z");
    expect(await statuses(late)).toEqual(["SCHEDULED"]);
    await kit.passUntil("2026-08-17T09:30:00Z");
    expect(await statuses(late)).toEqual(["EXECUTING"]);
    await kit.pass({ minutes: 4 });
    expect(await statuses(late)).toEqual(["TRANSFERRED"]);
    await kit.passUntil("2026-08-18T11:00:00Z");
    expect([await statuses(inTime), await statuses(late)]).toEqual([["FINISHED"], ["FINISHED"]]);
  });

  it("TRF-007 sends a TED of a bank holiday on the next business day, and a Pix on the holiday itself", async () => {
    kit.clock.set("2026-09-04T15:00:00Z");
    const id = await released([
      ted(10_00, { payment_date: "2026-09-08" }),
      pix(20_00, { payment_date: "2026-09-07" }),
    ]);
    await kit.drainJobs();
    expect(await statuses(id)).toEqual(["SCHEDULED", "SCHEDULED"]);
    // A Pix leaves at the first second of its day in São Paulo.
    await kit.passUntil("2026-09-07T02:59:59Z");
    expect(await statuses(id)).toEqual(["SCHEDULED", "SCHEDULED"]);
    await kit.passUntil("2026-09-07T03:00:00Z");
    expect(await statuses(id)).toEqual(["SCHEDULED", "EXECUTING"]);
    await kit.pass({ seconds: 1 });
    expect(await statuses(id)).toEqual(["SCHEDULED", "FINISHED"]);
    await kit.passUntil("2026-09-08T09:30:00Z");
    await kit.pass({ minutes: 3 });
    expect(await statuses(id)).toEqual(["TRANSFERRED", "FINISHED"]);
  });

  it("TRF-007 sends a TED closed on a holiday on the next business day", async () => {
    kit.clock.set("2026-09-07T15:00:00Z");
    const id = await released([ted(10_00)]);
    await kit.drainJobs();
    expect(await statuses(id)).toEqual(["SCHEDULED"]);
    await kit.passUntil("2026-09-08T09:30:00Z");
    await kit.pass({ minutes: 3 });
    expect(await statuses(id)).toEqual(["TRANSFERRED"]);
  });

  it("TRF-046 shows a TED that is sent back the next business day as a REFUND on the statement, and offers its money to waiting batches", async () => {
    const id = await released([ted(100_00, {}, "61420738526")], 100_00);
    await kit.drainJobs();
    await kit.pass({ minutes: 4 });
    expect(await batch(kit.admin, id)).toMatchObject({ status: "FINISHED", paid_count: 1 });
    const waiting = await draft(kit.admin, [pix(80_00)]);
    expect((await closing(kit.admin, waiting.id)).body).toEqual({ is_batch_paid: false, status: "WAITING" });
    await kit.passUntil("2026-08-13T11:00:00Z");
    await kit.pass({ seconds: 1 });
    expect(await batch(kit.admin, id)).toMatchObject({ paid_count: 0, returned_count: 1 });
    expect((await fetchStatement(kit.admin)).entries).toMatchObject([
      { type: "BATCH", value: -80_00, balance: 20_00 },
      { type: "REFUND", value: 100_00, balance: 100_00, complement: { isTed: true, batch_id: id } },
      { type: "BATCH", value: -100_00 },
      { type: "DEPOSIT", value: 100_00 },
    ]);
    expect(await statuses(waiting.id)).toEqual(["FINISHED"]);
  });
});
