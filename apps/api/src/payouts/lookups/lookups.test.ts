/** The holder of a Pix key and the registration of a boleto, looked up before paying. */
import { saveBatch } from "@malote/contracts/batches";
import { addBoleto, changeBoleto, readBoleto } from "@malote/contracts/boletos";
import { readBatchChecks } from "@malote/contracts/checks";
import { listLookupFindings, lookUpBoleto, lookUpPixKey } from "@malote/contracts/lookups";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Person } from "../../testing/app.ts";
import {
  barcodeOf,
  boletoDraft,
  boletoOf,
  fetchBoletoStatuses,
  fetchBoletos,
} from "../../testing/boletos.ts";
import {
  auroraId,
  batch,
  closing,
  draft,
  openPayments,
  type PaymentsKit,
  pix,
} from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  // Wednesday, 12 August 2026, 10:00 in São Paulo.
  kit = await openPayments();
});
afterEach(() => kit.close());

const cpf = "52998224725";
const email = (pix_key: string) => ({ pix_key_type: "EMAIL", pix_key });
const holderOf = (by: Person, body: object) => by.call(lookUpPixKey, { body });

/** A boleto of the sandbox by its documented ending, with a value and a due date. */
const registered = (ending: string, value: number, dueDate: string) =>
  barcodeOf(value, dueDate, `${"9".repeat(10)}${"0".repeat(13)}${ending}`);
const registerOf = (by: Person, barcode: string, payment_date?: string) =>
  by.call(lookUpBoleto, { body: { barcode, ...(payment_date && { payment_date }) } });

async function tokens(): Promise<number> {
  const { rows } = await kit.services.db.withCompany(auroraId, (tx) =>
    sql<{ tokens: string }>`SELECT tokens FROM lookup_allowances`.execute(tx),
  );
  return Number(rows[0]?.tokens);
}
const setTokens = (tokens: number) =>
  kit.services.db.withCompany(auroraId, (tx) =>
    sql`INSERT INTO lookup_allowances VALUES (${tx.companyId}, ${tokens}, ${kit.clock.now()})
      ON CONFLICT (company_id) DO UPDATE SET tokens = excluded.tokens, counted_at = excluded.counted_at`.execute(
      tx,
    ),
  );
/** Findings that need a confirmation before paying: an overdue boleto is one of them. */
async function ticked(id: string) {
  const { body } = await kit.admin.call(readBatchChecks, { params: { id } });
  return {
    confirmations: body.missing.map(({ kind, fingerprint }) => ({
      kind,
      fingerprint,
    })),
  };
}
/** Number of queries to the directory and the register. */
function counting() {
  const requested: string[] = [];
  const { accountCheck, boletoRegister } = kit.services;
  kit.services.accountCheck = {
    ...accountCheck,
    findHolder(key, payee) {
      requested.push(key.key);
      return accountCheck.findHolder(key, payee);
    },
  };
  kit.services.boletoRegister = {
    find(barcode) {
      requested.push(barcode);
      return boletoRegister.find(barcode);
    },
  };
  return requested;
}

describe("the holder of a Pix key", () => {
  it("is refused for an invalid key, without a query of the directory", async () => {
    const requested = counting();
    const answer = await holderOf(kit.operator, { pix_key_type: "CPF", pix_key: "123" });
    expect(answer).toMatchObject({ status: 422, body: { errorCode: "lookup_key_invalid" } });
    expect((await holderOf(kit.analyst, email("maria@exemplo.com.br"))).status).toBe(403);
    expect(requested).toEqual([]);
  });

  it("is shown with a masked document and its bank, once for a company, with requester and time", async () => {
    const requested = counting();
    const body = { ...email("maria@exemplo.com.br"), name: "Maria Souza", cpf_cnpj: "529.982.247-25" };
    const first = await holderOf(kit.operator, body);
    expect(first.body).toMatchObject({
      status: "found",
      name: "Maria Souza",
      cpf_cnpj: "***.982.247-**",
      bank: { name: expect.any(String) },
      is_salary_account: false,
      differs: false,
      asked_by: "Rui Tavares",
      asked_at: kit.clock.now().toISOString(),
    });
    kit.clock.advance({ hours: 2 });
    expect((await holderOf(kit.admin, body)).body).toEqual(first.body);
    expect(requested).toEqual(["maria@exemplo.com.br"]);
    kit.clock.advance({ hours: 23 });
    expect((await holderOf(kit.admin, body)).body.asked_by).toBe("Helena Prado");
    expect(requested).toHaveLength(2);

    const { rows } = await kit.services.db.withCompany(auroraId, (tx) =>
      sql`SELECT actor_name FROM audit_entries WHERE action = 'pix_key_looked_up' ORDER BY at`.execute(tx),
    );
    expect(rows).toHaveLength(3);
  });

  it("shows whether a key belongs to another holder, to no holder, or got no answer", async () => {
    const other = await holderOf(kit.operator, { ...email("chave.pix35@exemplo.com.br"), cpf_cnpj: cpf });
    expect(other.body).toMatchObject({ status: "found", differs: true });
    expect(other.body.cpf_cnpj).not.toBe("***.982.247-**");
    expect((await holderOf(kit.operator, email("chave.pix15@exemplo.com.br"))).body.status).toBe("not_found");
    expect((await holderOf(kit.operator, email("chave.pix16@exemplo.com.br"))).body).toMatchObject({
      is_salary_account: true,
    });
    expect((await holderOf(kit.operator, email("chave.pix25@exemplo.com.br"))).body).toMatchObject({
      status: "unavailable",
      name: null,
    });
  });

  it("counts like Bacen: one for an answer, twenty for an unknown key, one returned for a payment", async () => {
    await holderOf(kit.operator, email("maria@exemplo.com.br"));
    expect(await tokens()).toBe(999);
    await holderOf(kit.operator, email("chave.pix15@exemplo.com.br"));
    expect(await tokens()).toBe(979);
    kit.clock.advance({ minutes: 3 });
    await holderOf(kit.operator, email("joao@exemplo.com.br"));
    expect(await tokens()).toBe(984);

    await kit.deposit(10_00);
    const { id } = await draft(kit.admin, [pix(10_00)]);
    await closing(kit.admin, id);
    await kit.drainJobs();
    await kit.pass({ seconds: 1 });
    await kit.pass({ seconds: 1 });
    expect(await tokens()).toBe(985);
  });

  it("is not queried beyond the company's allowance, while known answers are still shown", async () => {
    const requested = counting();
    await holderOf(kit.operator, email("maria@exemplo.com.br"));
    await setTokens(0);
    expect((await holderOf(kit.operator, email("joao@exemplo.com.br"))).body).toMatchObject({
      status: "limited",
      name: null,
    });
    expect((await holderOf(kit.operator, email("maria@exemplo.com.br"))).body.status).toBe("found");
    expect(requested).toEqual(["maria@exemplo.com.br"]);
    kit.clock.advance({ minutes: 1 });
    expect((await holderOf(kit.operator, email("joao@exemplo.com.br"))).body.status).toBe("found");
  });

  it("can be looked up a hundred times by one person within fifteen minutes, independently of other people", async () => {
    const requested = () => holderOf(kit.operator, email("maria@exemplo.com.br"));
    for (let times = 0; times < 100; times++) expect((await requested()).status).toBe(200);
    const refused = await requested();
    expect([refused.status, refused.body.code]).toEqual([429, "too_many_lookups"]);
    expect(refused.body.message).toContain("os pagamentos podem ser salvos sem a consulta");
    expect((await holderOf(kit.admin, email("maria@exemplo.com.br"))).status).toBe(200);
  });

  it("is queried by a job for a whole draft, once per key, and shown on each payment", async () => {
    const requested = counting();
    const { id } = await draft(kit.admin, [
      pix(10_00),
      pix(20_00),
      pix(30_00, {
        destination_bank_account: {
          ...email("chave.pix35@exemplo.com.br"),
          name: "João Lima",
          cpf_cnpj: cpf,
        } as never,
      }),
      pix(40_00, { destination_bank_account: email("chave.pix15@exemplo.com.br") as never }),
    ]);
    const findings = async () => (await kit.admin.call(listLookupFindings, { params: { id } })).body.data;
    expect((await findings()).map(({ code }) => code)).toEqual(Array(4).fill("key_not_asked"));
    await kit.drainJobs();
    expect(requested.toSorted()).toEqual([
      "chave.pix15@exemplo.com.br",
      "chave.pix35@exemplo.com.br",
      "maria@exemplo.com.br",
    ]);
    const [, , third, fourth] = (await batch(kit.admin, id)).transfers;
    expect(await findings()).toEqual([
      {
        payment_id: third?.id,
        code: "key_holder_differs",
        text: expect.stringMatching(
          /^A chave é de .+, \*\*\*\.\d{3}\.\d{3}-\*\*, e não do documento informado$/,
        ),
      },
      { payment_id: fourth?.id, code: "key_not_found", text: "A chave Pix não foi encontrada" },
    ]);
    expect((await kit.stranger.call(listLookupFindings, { params: { id } })).status).toBe(404);
  });
});

describe("the register of a boleto", () => {
  it("refuses an invalid code", async () => {
    expect(await registerOf(kit.operator, "3419 12")).toMatchObject({
      status: 422,
      body: { errorCode: "billet_invalid" },
    });
  });

  it("shows beneficiary, value and due date, and that there is no fine or interest", async () => {
    const answer = await registerOf(kit.operator, barcodeOf(150_00, "2026-08-20"));
    expect(answer.body).toMatchObject({
      status: "payable",
      code: null,
      beneficiary: {
        name: expect.stringMatching(/ Ltda$/),
        cpf_cnpj: expect.stringMatching(/^\d{2}\.\d{3}\.\d{3}\/0001-\d\d$/),
      },
      value: 150_00,
      due_date: "2026-08-20",
      on_day: { days_late: 0, total: 150_00, until: "2026-08-20" },
      asked_by: "Rui Tavares",
    });
  });

  it("BIL-012 makes an overdue boleto valid that is still accepted, at its price of the day", async () => {
    // Due on Monday, so two days at 2 % and 1 % a month on R$ 1.000,00.
    const barcode = registered("45", 1_000_00, "2026-08-10");
    const answer = await registerOf(kit.operator, barcode);
    expect(answer.body).toMatchObject({
      status: "payable",
      code: "BIL_16",
      limit_date: "2026-10-09",
      on_day: { days_late: 2, fine: 20_00, interest: 67, total: 1_020_67, until: "2026-08-12" },
    });

    const { id } = await boletoDraft(kit.admin, []);
    const added = await kit.admin.call(addBoleto, {
      params: { id },
      body: { value: 1_000_00, barcode, description: "Aluguel" },
    });
    expect(added.body).toMatchObject({
      value: 1_020_67,
      errors: [],
      warnings: [{ code: "billet_overdue_charged", field: "barcode", data: { days: 2, total: 1_020_67 } }],
      register: { beneficiary: { name: answer.body.beneficiary.name } },
    });
    const later = await kit.admin.call(changeBoleto, {
      params: { id },
      body: { id: added.body.id, value: null, barcode, description: "Aluguel", payment_date: "2026-08-14" },
    });
    expect(later.body).toMatchObject({ value: 1_021_33, errors: [] });

    await kit.deposit(2_000_00);
    expect((await closing(kit.admin, id, undefined, await ticked(id))).status).toBe(200);
    await kit.passUntil("2026-08-14T15:00:00Z");
    await kit.pass({ seconds: 5 });
    expect(await fetchBoletoStatuses(kit.admin, id)).toEqual(["PAID"]);
  });

  it("changes the amount a day later, so that the draft cannot be closed before it is saved again", async () => {
    const barcode = registered("45", 1_000_00, "2026-08-10");
    const { id } = await boletoDraft(kit.admin, []);
    const added = await kit.admin.call(addBoleto, {
      params: { id },
      body: { value: null, barcode, description: "Aluguel" },
    });
    await kit.deposit(2_000_00);
    kit.clock.advance({ days: 1 });
    const shown = await kit.admin.call(readBoleto, { params: { id: added.body.id } });
    expect(shown.body.errors).toEqual([
      { code: "billet_amount_changed", field: "value", data: { total: 1_021_00 } },
    ]);
    expect((await closing(kit.admin, id)).status).toBe(422);
    await kit.admin.call(changeBoleto, {
      params: { id },
      body: { id: added.body.id, value: null, barcode, description: "Aluguel" },
    });
    expect((await closing(kit.admin, id, undefined, await ticked(id))).status).toBe(200);
  });

  it("BIL-012 clears the mistake of an overdue boleto of a draft once it answers, before anyone opens the boleto", async () => {
    const taken = boletoOf(1_000_00, { barcode: registered("45", 1_000_00, "2026-08-10") });
    const late = boletoOf(50_00, { barcode: barcodeOf(50_00, "2026-08-10") });
    const { id, revision } = await boletoDraft(kit.admin, [taken, late, boletoOf(10_00)]);
    expect(await batch(kit.admin, id)).toMatchObject({ errors_count: 2, value: 1_060_00 });
    await kit.drainJobs();
    const after = await batch(kit.admin, id);
    const [first, second] = await fetchBoletos(kit.admin, id);
    expect(first).toMatchObject({ value: 1_020_67, errors: [] });
    expect(second?.errors).toMatchObject([{ field: "barcode" }]);
    expect(after).toMatchObject({ errors_count: 1, value: 1_080_67 });
    expect(after.revision).toBeGreaterThan(revision);
  });

  it("BIL-012 refuses an overdue boleto that its issuer no longer accepts", async () => {
    const { id } = await boletoDraft(kit.admin, []);
    const added = await kit.admin.call(addBoleto, {
      params: { id },
      body: { value: 50_00, barcode: barcodeOf(50_00, "2026-08-07"), description: "Luz" },
    });
    expect(added.body).toMatchObject({ value: 50_00, errors: [{ code: "billet_overdue" }] });
  });

  it("applies the discount until its day, and not later", async () => {
    const barcode = registered("46", 200_00, "2026-08-24");
    expect((await registerOf(kit.operator, barcode)).body.on_day).toMatchObject({
      discount: 10_00,
      total: 190_00,
      until: "2026-08-19",
    });
    expect((await registerOf(kit.operator, barcode, "2026-08-20")).body.on_day).toMatchObject({
      discount: 0,
      total: 200_00,
    });
  });

  it("is reported if it does not answer: the boleto stays in the draft, nothing is guessed, and it is queried again", async () => {
    const barcode = registered("45", 1_000_00, "2026-08-10");
    const { boletoRegister } = kit.services;
    kit.services.boletoRegister = { find: () => Promise.reject(new Error("down")) };
    expect((await registerOf(kit.operator, barcode)).body).toMatchObject({
      status: "unavailable",
      beneficiary: null,
      on_day: null,
    });
    const { id } = await boletoDraft(kit.admin, []);
    const input = { value: null, barcode, description: "Aluguel" };
    const added = await kit.admin.call(addBoleto, { params: { id }, body: input });
    expect(added.body).toMatchObject({
      value: 1_000_00,
      errors: [{ code: "billet_overdue" }],
      register: { status: "unavailable" },
    });
    expect((await closing(kit.admin, id)).status).toBe(422);

    kit.services.boletoRegister = boletoRegister;
    const again = await kit.admin.call(changeBoleto, {
      params: { id },
      body: { ...input, id: added.body.id },
    });
    expect(again.body).toMatchObject({ value: 1_020_67, errors: [] });
  });

  it("is queried by a job for a whole draft, and each boleto shows the result", async () => {
    const requested = counting();
    const { id } = await boletoDraft(kit.admin, []);
    await kit.admin.call(saveBatch, {
      params: { id },
      body: {
        name: "Contas",
        billets: [
          boletoOf(10_00),
          boletoOf(10_00, { barcode: registered("16", 10_00, "2026-08-20") }),
          boletoOf(10_00, { barcode: registered("15", 10_00, "2026-08-20") }),
          // Due on Saturday and paid on Monday without charges; today is Wednesday.
          boletoOf(10_00, { barcode: registered("25", 10_00, "2026-08-20") }),
        ],
      },
    });
    await kit.drainJobs();
    expect(requested).toHaveLength(4);
    const [, paid, unknown, silent] = await fetchBoletos(kit.admin, id);
    const { body } = await kit.admin.call(listLookupFindings, { params: { id } });
    expect(body.data).toEqual([
      { payment_id: paid?.id, code: "billet_paid", text: "O registro informa que o boleto já foi pago" },
      { payment_id: unknown?.id, code: "billet_not_registered", text: "O boleto não está registrado" },
      {
        payment_id: silent?.id,
        code: "billet_not_asked",
        text: "O registro do boleto ainda não foi consultado",
      },
    ]);
    expect(paid?.warnings).toMatchObject([{ code: "billet_register_paid" }]);
  });
});
