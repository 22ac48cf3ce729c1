/**
 * The domain has the rules for one payment, and SQL has them for a whole batch. Both agree whether time, another
 * payment or a new rule made a row wrong: each wrong row is shown, grouped, counted and refused, and no other row is.
 */
import { listIssueGroups } from "@malote/contracts/batch-issues";
import { createBatch, validateBatch } from "@malote/contracts/batches";
import { listFailedTransferIds, listTransfers, type TransferInput } from "@malote/contracts/transfers";
import { writeDynamicBrCode } from "@malote/domain/br-code";
import { cents } from "@malote/domain/money";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeSettings, readCompany } from "../../company/store.ts";
import { blockDocument } from "../../testing/operator-kit.ts";
import { auroraId, closing, openPayments, type PaymentsKit, pix, ted } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 12 August 2026, 10:00 in São Paulo.
  kit = await openPayments();
  await kit.deposit(1_000_00);
});
afterEach(() => kit.close());

const cpf = "52998224725";
const toCpf = (value: number, changes: Partial<TransferInput> = {}) =>
  pix(value, { destination_bank_account: { pix_key_type: "CPF", pix_key: cpf }, ...changes });
/** A code of the sandbox's other bank, whose address encodes its end. */
const code = (when: string, held = "01", amount = 150_00) =>
  writeDynamicBrCode({
    location: `pix.aurora.invalid/qr/v2/cob/${amount}/${when}/${held}`,
    merchantName: "Loja Exemplo Ltda",
    merchantCity: "CURITIBA",
  });
const byCode = (emv: string, changes: Partial<TransferInput> = {}): TransferInput => ({
  ...pix(150_00),
  emv,
  destination_bank_account: {},
  ...changes,
});
const query = (text: string, values: unknown[]) => kit.services.db.pool.query(text, values);
const endCodesAt = (batchId: string, instant: string) =>
  query(
    `UPDATE transfers SET emv_until = $2, emv_data = emv_data || jsonb_build_object('until', $3::text)
     WHERE batch_id = $1 AND emv IS NOT NULL`,
    [batchId, instant, instant],
  );
const block = (taxId: string) => blockDocument(kit.services, taxId);
const limit = (method: "PIX" | "TED" | "TEV", max: number) =>
  kit.services.db.withCompany(auroraId, async (tx) => {
    const { settings } = await readCompany(tx);
    await changeSettings(tx, { accountLimits: { ...settings.accountLimits, [method]: cents(max) } });
  });
async function drafted(...transfers: TransferInput[]): Promise<string> {
  const answer = await kit.operator.call(createBatch, { body: { name: "Regras", transfers } });
  expect(answer.status).toBe(200);
  return answer.body.id;
}

interface Shown {
  id: string;
  errors: { code: string; field: string }[];
}
const params = (id: string) => ({ params: { id } });
const keyOf = ({ code, field }: { code: string; field: string }) => `${code} ${field}`;

/** Returns the issues of each row, after checking that every other answer about the draft agrees. */
async function mistakes(id: string): Promise<string[][]> {
  const by = kit.operator;
  const shown: Shown[] = (await by.call(listTransfers, { ...params(id), query: {} })).body.data;
  const wrong = shown.filter(({ errors }) => errors.length > 0);
  // A draft's payment with an error counts as failed, whenever it became wrong (TRF-010).
  for (const status of ["WITH_ERRORS", "FAILED"]) {
    const found: Shown[] = (await by.call(listTransfers, { ...params(id), query: { status } })).body.data;
    expect([status, found.map((row) => row.id)]).toEqual([status, wrong.map((row) => row.id)]);
  }

  const { rows_count, data } = (await by.call(listIssueGroups, params(id))).body;
  const grouped: string[] = data.flatMap(
    ({ issue, count }: { issue: { code: string; field: string }; count: number }) =>
      Array.from({ length: count }, () => keyOf(issue)),
  );
  expect(grouped.toSorted()).toEqual(wrong.flatMap(({ errors }) => errors.map(keyOf)).toSorted());
  expect(rows_count).toBe(wrong.length);

  expect((await by.call(validateBatch, params(id))).body.errors_count).toBe(wrong.length);
  const failed: string[] = (await by.call(listFailedTransferIds, params(id))).body.ids;
  expect(failed.toSorted()).toEqual(wrong.map((row) => row.id).toSorted());
  return shown.map(({ errors }) => errors.map(keyOf));
}

async function refusal(id: string): Promise<string> {
  const { status, body } = await closing(kit.admin, id);
  return status === 200 ? "closed" : body.code;
}

describe("a dynamic Pix code", () => {
  it("is expired from the second of its end on, in each answer", async () => {
    const id = await drafted(byCode(code("202608131200")), pix(1_00));
    await endCodesAt(id, "2026-08-12T12:00:59.300-03:00");
    await kit.passUntil("2026-08-12T12:00:59.900-03:00");
    expect(await mistakes(id)).toEqual([[], []]);
    await kit.passUntil("2026-08-12T12:01:00.000-03:00");
    expect(await mistakes(id)).toEqual([["qr_expired emv"], []]);
    expect(await refusal(id)).toBe("batch_has_expired_dates");
  });

  it("is wrong for a payment's day after its end, and expired once it has ended", async () => {
    const id = await drafted(byCode(code("202608132359"), { payment_date: "2026-08-14" }));
    expect(await mistakes(id)).toEqual([["qr_expired_by_then payment_date"]]);
    await kit.passUntil("2026-08-14T00:00:00-03:00");
    expect(await mistakes(id)).toEqual([["qr_expired emv"]]);
    expect(await refusal(id)).toBe("batch_has_errors");
  });

  it("cannot be paid on a day that begins at its end", async () => {
    const id = await drafted(byCode(code("202608142359"), { payment_date: "2026-08-14" }), pix(1_00));
    await endCodesAt(id, "2026-08-14T00:00:00.001-03:00");
    expect(await mistakes(id)).toEqual([[], []]);
    await endCodesAt(id, "2026-08-14T00:00:00.000-03:00");
    expect(await mistakes(id)).toEqual([["qr_expired_by_then payment_date"], []]);
    expect(await refusal(id)).toBe("batch_has_expired_dates");
  });

  it("is duplicated only in the later of two payments", async () => {
    const emv = code("202608202359");
    const first = await drafted(byCode(emv));
    await kit.pass({ seconds: 1 });
    const second = await drafted(byCode(emv), pix(1_00), byCode(emv));
    expect(await mistakes(first)).toEqual([[]]);
    expect(await mistakes(second)).toEqual([["qr_duplicated emv"], [], ["qr_duplicated emv"]]);
    expect(await refusal(second)).toBe("batch_has_errors");
    expect(await refusal(first)).toBe("closed");
    expect(await mistakes(second)).toEqual([["qr_duplicated emv"], [], ["qr_duplicated emv"]]);
  });

  it("is only reported as paid or cancelled, also after its end", async () => {
    const id = await drafted(
      byCode(code("202608121200", "16")),
      byCode(code("202608121200", "15", 80_00), { value: 80_00 }),
    );
    const before = [["qr_paid emv"], ["qr_removed emv"]];
    expect(await mistakes(id)).toEqual(before);
    await kit.pass({ days: 1 });
    expect(await mistakes(id)).toEqual(before);
  });

  it("is reported as ended, as duplicated and as paid to a blocked document", async () => {
    const emv = code("202608121200");
    await drafted(byCode(emv));
    await kit.pass({ seconds: 1 });
    const id = await drafted(byCode(emv));
    const { rows } = await query("SELECT tax_id FROM transfers WHERE batch_id = $1", [id]);
    await block(rows[0].tax_id);
    await kit.pass({ days: 1 });
    expect((await mistakes(id)).map((row) => row.toSorted())).toEqual([
      ["qr_duplicated emv", "qr_expired emv", "tax_id_blocked cpf_cnpj"],
    ]);
    expect(await refusal(id)).toBe("batch_has_errors");
  });
});

describe("time", () => {
  it("TRF-010 makes a TED of today late one second after its hour, and a day late at midnight", async () => {
    const today = { payment_date: "2026-08-12" };
    const id = await drafted(ted(1_00, today), pix(2_00, today), ted(3_00));
    await kit.passUntil("2026-08-12T16:30:00-03:00");
    expect(await mistakes(id)).toEqual([[], [], []]);
    await kit.passUntil("2026-08-12T16:30:01-03:00");
    expect(await mistakes(id)).toEqual([["payment_time_expired payment_date"], [], []]);
    await kit.passUntil("2026-08-12T23:59:59-03:00");
    expect(await mistakes(id)).toEqual([["payment_time_expired payment_date"], [], []]);
    await kit.passUntil("2026-08-13T00:00:00-03:00");
    const late = ["payment_date_expired payment_date"];
    expect(await mistakes(id)).toEqual([late, late, []]);
    expect(await refusal(id)).toBe("batch_has_expired_dates");
  });

  it("replaces a row's stored issues of its day", async () => {
    await kit.passUntil("2026-08-12T17:00:00-03:00");
    const id = await drafted(ted(1_00, { payment_date: "2026-08-12" }), pix(0));
    expect(await mistakes(id)).toEqual([["payment_time_expired payment_date"], ["value_invalid value"]]);
    await kit.pass({ days: 1 });
    expect(await mistakes(id)).toEqual([["payment_date_expired payment_date"], ["value_invalid value"]]);
  });
});

describe("a later rule", () => {
  it("blocks a document as receiver and as key, once if both are the same", async () => {
    const both = { name: "Maria Souza", cpf_cnpj: cpf, pix_key_type: "CPF" as const, pix_key: cpf };
    const id = await drafted(
      toCpf(1_00),
      ted(2_00, {}, cpf),
      pix(3_00, { destination_bank_account: both }),
      pix(4_00),
    );
    expect(await mistakes(id)).toEqual([[], [], [], []]);
    await block(cpf);
    expect(await mistakes(id)).toEqual([
      ["tax_id_blocked pix_key"],
      ["tax_id_blocked cpf_cnpj"],
      ["tax_id_blocked cpf_cnpj"],
      [],
    ]);
    expect(await refusal(id)).toBe("batch_has_errors");
  });

  it("TRF-030 blocks the document of a company as key too", async () => {
    const key = { pix_key_type: "CNPJ" as const, pix_key: "11222333000181" };
    const id = await drafted(pix(1_00, { destination_bank_account: key }), pix(2_00));
    expect(await mistakes(id)).toEqual([[], []]);
    await block(key.pix_key);
    expect(await mistakes(id)).toEqual([["tax_id_blocked pix_key"], []]);
    expect(await refusal(id)).toBe("batch_has_errors");
  });

  it("TRF-037 lowers a limit to the centavo, separately for each method", async () => {
    const { destination_bank_account: to } = ted(1_00);
    const internal = (value: number) =>
      ted(value, {
        destination_bank_account: {
          ...to,
          bank_id: "99999593",
          agency: "0001",
          account: "10184",
          account_digit: "7",
        },
      });
    const id = await drafted(
      pix(10_00),
      pix(10_01),
      ted(10_01),
      ted(20_01),
      internal(30_00),
      internal(30_01),
    );
    await limit("PIX", 10_00);
    await limit("TED", 20_00);
    await limit("TEV", 30_00);
    const above = ["value_above_max value"];
    expect(await mistakes(id)).toEqual([[], above, [], above, [], above]);
    expect(await refusal(id)).toBe("batch_has_errors");
  });
});
