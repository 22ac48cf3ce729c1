/** Kinds of findings about a batch. */
import { randomUUID } from "node:crypto";
import { deleteBatch, enableBatchEdit } from "@malote/contracts/batch-life";
import {
  listFailedTransferIds,
  listTransfers,
  refundTransfer,
  type TransferInput,
} from "@malote/contracts/transfers";
import { addDays, type CalendarDate } from "@malote/domain/calendar";
import { isFarValue, isSteady } from "@malote/domain/checks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { barcodeOf, boletoDraft, boletoOf } from "../../testing/boletos.ts";
import { bare, checkCalls, confirm, toKey } from "../../testing/checks-kit.ts";
import { batch, closing, draft, openPayments, type PaymentsKit, ted } from "../../testing/payments-kit.ts";

let kit: PaymentsKit;
beforeEach(async () => {
  kit = await openPayments();
});
afterEach(() => kit.close());

const { read, kinds, alerts, ticks, pay } = checkCalls(() => kit);

describe("finds", () => {
  it("the same receiver and value twice, by key, by document and by account, but not with two different documents", async () => {
    const account = ted(50_00, { integration_id: null });
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br"),
      toKey("rita@exemplo.com.br"),
      account,
      // The key is the same document.
      bare(50_00, {
        destination_bank_account: { name: "Padaria", pix_key_type: "CNPJ", pix_key: "11222333000181" },
      }),
      toKey("ana@exemplo.com.br", { pix_description: "NF 101" }, "Ana Prado"),
      toKey("ana@exemplo.com.br", { pix_description: "NF 102" }, "Ana Prado"),
      toKey("bia@exemplo.com.br", { pix_description: "NF 7" }, "Bia Prado"),
      toKey("bia@exemplo.com.br", { pix_description: "nf. 007" }, "Bia Prado"),
    ]);
    const same = (await read(id)).data.find(({ kind }) => kind === "same_payment");
    expect(same).toMatchObject({ count: 3, value: 1_234_56 * 2 + 50_00, severity: "tick" });
    expect(same?.findings.map(({ text }) => text)).toEqual(
      Array(3).fill("Mesmo recebedor e valor neste mesmo lote"),
    );
  });

  it("the same key or account, also if only one of the two names its document", async () => {
    const named = (key: string, cpf_cnpj: string | null): TransferInput =>
      bare(70_00, {
        destination_bank_account: { name: "Rita Lima", pix_key_type: "EMAIL", pix_key: key, cpf_cnpj },
      });
    const { id } = await draft(kit.admin, [
      named("rita@exemplo.com.br", "52998224725"),
      named("rita@exemplo.com.br", null),
      // With two people at one address, the intended one is unknown.
      named("casa@exemplo.com.br", "52998224725"),
      named("casa@exemplo.com.br", "11144477735"),
    ]);
    const same = (await read(id)).data.find(({ kind }) => kind === "same_payment");
    expect(same?.findings.map(({ payment }) => payment.name)).toEqual(["Rita Lima", "Rita Lima"]);
    expect((await closing(kit.admin, id)).body.code).toBe("checks_not_confirmed");
  });

  it("the same payment in the last 45 days unless it was returned or deleted, since a failed one can still be resent", async () => {
    const earlier = await pay([toKey("rita@exemplo.com.br")], "Fornecedores");
    const now = await draft(kit.operator, [toKey("rita@exemplo.com.br")]);
    const [found] = (await read(now.id)).data;
    expect(found).toMatchObject({ kind: "same_payment", count: 1 });
    expect(found?.findings[0]).toMatchObject({
      text: "Mesmo recebedor e valor em 12/08/2026, no lote “Fornecedores” (pago), de Helena Prado",
      other: {
        batch_id: earlier,
        batch_name: "Fornecedores",
        batch_status: "FINISHED",
        person: "Helena Prado",
      },
    });
    await kit.pass({ days: 45 });
    expect(await alerts(now.id)).toEqual([["same_payment", 1]]);
    await kit.pass({ days: 1 });
    expect(await alerts(now.id)).toEqual([]);

    const failing = await pay([toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa")]);
    expect((await batch(kit.admin, failing)).failed_count).toBe(1);
    const twin = await draft(kit.admin, [toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa")]);
    expect((await read(twin.id)).data[0]).toMatchObject({
      kind: "same_payment",
      findings: [{ text: expect.stringContaining("(pode ainda sair: falhou e pode ser tentado de novo)") }],
    });
    const params = { id: failing, tid: (await batch(kit.admin, failing)).transfers[0].id };
    await kit.admin.call(refundTransfer, { params }, { "idempotency-key": randomUUID() });
    expect(await alerts(twin.id)).toEqual([]);

    // A draft pays no one, so only the batch that is closed second is checked.
    const one = await draft(kit.admin, [toKey("uma@exemplo.com.br")]);
    const two = await draft(kit.admin, [toKey("uma@exemplo.com.br")]);
    expect(await alerts(one.id)).toEqual([]);
    await kit.admin.call(deleteBatch, { params: { id: two.id } });
  });

  it("payments that wait for approval or balance, and no longer those that were reopened", async () => {
    const waiting = await draft(kit.admin, [toKey("uma@exemplo.com.br", { value: 100_000_00 })]);
    expect((await closing(kit.admin, waiting.id)).body.status).toBe("WAITING");
    const two = await draft(kit.admin, [toKey("uma@exemplo.com.br", { value: 100_000_00 })]);
    expect((await read(two.id)).data[0]?.findings[0]?.text).toContain("(aguardando saldo)");
    await kit.admin.call(enableBatchEdit, { params: { id: waiting.id } });
    expect(await alerts(two.id)).toEqual([]);
  });

  it("equal payments at equal intervals, which need no confirmation, by the rule of the domain", async () => {
    const stories = [
      ["2026-05-12", "2026-06-12", "2026-07-12"],
      ["2026-06-12", "2026-07-12"],
      ["2026-07-12"],
      ["2026-05-01", "2026-07-12"],
      ["2026-07-22", "2026-07-29", "2026-08-05"],
      ["2026-08-10", "2026-08-11"],
    ].map((days, n) => ({ key: `aluguel${n}@exemplo.com.br`, days: days as CalendarDate[] }));
    const paid = await pay(
      stories.flatMap(({ key, days }) =>
        days.map((_, n) => toKey(key, { pix_description: `Aluguel ${n}${n}` })),
      ),
    );
    const { transfers } = await batch(kit.admin, paid);
    for (const { key, days } of stories) {
      const own = transfers.filter(
        (t: { destination_bank_account: { pix_key: string } }) => t.destination_bank_account.pix_key === key,
      );
      for (const [n, day] of days.entries())
        await kit.services.db.pool.query("UPDATE transfers SET created_at = $1 WHERE id = $2", [
          `${day}T15:00:00Z`,
          own.at(n).id,
        ]);
    }
    // The descriptions distinguish the documents; without them, equal payments look like a rent.
    await kit.services.db.pool.query("UPDATE transfers SET pix_description = NULL WHERE batch_id = $1", [
      paid,
    ]);
    const { id } = await draft(
      kit.admin,
      stories.map(({ key }) => toKey(key)),
    );
    const { data } = await read(id);
    const names = (kind: string) =>
      data.find((one) => one.kind === kind)?.findings.map(({ payment }) => payment.id) ?? [];
    const drafted = (await batch(kit.admin, id)).transfers;
    for (const { key, days } of stories) {
      const mine = drafted.find(
        (t: { destination_bank_account: { pix_key: string } }) => t.destination_bank_account.pix_key === key,
      );
      const steady = isSteady([...days, "2026-08-12" as CalendarDate]);
      expect([key, names("steady_payment").includes(mine.id)]).toEqual([key, steady]);
      expect([key, names("same_payment").includes(mine.id)]).toEqual([key, !steady]);
    }
  });

  it("the same document of the same receiver with another value, but no day, month or year", async () => {
    await pay([
      toKey("rita@exemplo.com.br", { pix_description: "NF 4.567" }),
      toKey("ana@exemplo.com.br", { pix_description: "Salário 10/2026" }, "Ana Prado"),
      toKey("bia@exemplo.com.br", { pix_description: "Ajuda de custo" }, "Bia Prado"),
    ]);
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br", { value: 99_00, pix_description: "nf 04567" }),
      toKey("ana@exemplo.com.br", { value: 99_00, pix_description: "Salário 10/2026" }, "Ana Prado"),
      toKey("bia@exemplo.com.br", { value: 99_00, pix_description: "Ajuda de custo" }, "Bia Prado"),
      toKey("nova@exemplo.com.br", { value: 99_00, pix_description: "NF 4.567" }, "Outra Pessoa"),
    ]);
    expect(await alerts(id)).toEqual([["same_reference", 1]]);
    expect((await read(id)).data[0]?.findings[0]?.text).toMatch(
      /^“nf 04567” já paga R\$\s1\.234,56 em 12\/08\/2026/,
    );
  });

  it("a receiver that is paid to another account or key than ever before", async () => {
    const to = (changes: object) => ({
      ...ted(10_00),
      destination_bank_account: { ...ted(10_00).destination_bank_account, ...changes },
    });
    await pay([ted(10_00)]);
    expect(await alerts((await draft(kit.admin, [ted(20_00)])).id)).toEqual([]);
    expect(await alerts((await draft(kit.admin, [to({ agency: "01234" })])).id)).toEqual([]);
    const other = await draft(kit.admin, [
      to({ bank_id: "00360305", account: "123456", account_digit: "8" }),
    ]);
    const [changed] = (await read(other.id)).data;
    expect(changed).toMatchObject({ kind: "changed_account", count: 1, severity: "tick" });
    expect(changed?.findings[0]?.text).toContain(
      "Agora Caixa Econômica Federal agência 1234 conta 123456-8; antes Itaú Unibanco agência 1234 conta 56789-7",
    );
    // A receiver without an earlier payment is new, and not changed.
    expect(await kinds((await draft(kit.admin, [ted(1_00, {}, "11444777000161")])).id)).toContainEqual([
      "new_receiver",
      1,
    ]);
  });

  it("a value far above the receiver's earlier payments, by the rule of the domain", async () => {
    for (const value of [1_000_00, 900_00, 800_00]) await pay([bare(value)]);
    for (const value of [3_000_00, 3_001_00, 999_00]) {
      const found = await alerts((await draft(kit.admin, [bare(value)])).id);
      const isFar = isFarValue(value, { paid: 3, largest: 1_000_00 });
      expect([value, found]).toEqual([value, isFar ? [["value_far", 1]] : []]);
    }
  });

  it("a similar name with the same value on the same day in another account", async () => {
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br", {}, "Elétrica Luz Ltda"),
      toKey("luz@exemplo.com.br", {}, "ELETRICA LUZ LTDA ME"),
      toKey("sol@exemplo.com.br", {}, "Elétrica Sol Ltda"),
      toKey("lua@exemplo.com.br", { value: 1_00 }, "Elétrica Luz Ltda"),
    ]);
    expect(await alerts(id)).toEqual([["like_name", 1]]);
    expect((await read(id)).data[0]?.findings[0]?.text).toBe(
      "Mesmo valor e dia para Elétrica Luz Ltda, em outra conta",
    );
  });

  it.each([
    ["Cyrillic letters", "Elétric\u0430 \u0421arvalh\u043e"],
    ["Greek capitals", "EL\u0395TRIC\u0391 CARVALH\u039f"],
    ["full-width letters", "Ｅｌｅｔｒｉｃａ Carvalho"],
    ["I and 1 for l, 0 for o", "EIétrica Carva1h0"],
    ["l and 1 for I among capitals", "ELETR1CA LlMA", "Elétrica Lima"],
    ["a legal form with dots", "Elétrica Carvalho S.A.", "Elétrica Carvalho S/A"],
    ["rn for m", "Elétrica Carvalho de Sornbras", "Elétrica Carvalho de Sombras"],
    ["a sign without ink after a small word's letter", "E\u{1d159}létrica Carvalho"],
    ["a braille blank for a space", "Elétrica\u2800Carvalho"],
    ["a middle dot for a space", "Elétrica\u00b7Carvalho"],
  ])("a name of similar characters: %s", async (_, drawn, name = "Elétrica Carvalho") => {
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br", {}, name),
      toKey("luz@exemplo.com.br", {}, drawn),
      toKey("sol@exemplo.com.br", {}, "Hidráulica Carvalho"),
    ]);
    expect(await alerts(id)).toContainEqual(["like_name", 1]);
  });

  it("a new receiver whose name has characters of another alphabet, but no name in Portuguese", async () => {
    const named = (name: string) => toKey("rita@exemplo.com.br", {}, name);
    await pay([toKey("paga@exemplo.com.br", {}, "M\u0430ria Lima")]);
    const { id } = await draft(kit.admin, [
      named("Cl\u0585ud Service\u0455"),
      toKey("ana@exemplo.com.br", { value: 1_00 }, "José d’Ávila–Müller & Cia. nº 1 ª ™"),
      toKey("paga@exemplo.com.br", { value: 2_00 }, "M\u0430ria Lima"),
    ]);
    const found = (await read(id)).data.find(({ kind }) => kind === "other_alphabet");
    expect(found).toMatchObject({ severity: "tick", count: 1 });
    expect(found?.findings.map(({ text }) => text)).toEqual([
      "O nome traz sinais de outro alfabeto, que podem parecer letras latinas: \u0585\u0455",
    ]);
  });

  it.each([
    ["Ana Maia", "Ana Mala"],
    ["Lara Dias", "Iara Dias"],
    ["Ana Sá Maia", "Ana Maia"],
  ])("no similar name in %s and %s", async (one, other) => {
    const { id } = await draft(kit.admin, [
      toKey("rita@exemplo.com.br", {}, one),
      toKey("luz@exemplo.com.br", {}, other),
    ]);
    expect(await alerts(id)).toEqual([]);
  });

  it("a key whose holder in the directory is not the named one", async () => {
    const key = "chave.pix35@exemplo.com.br";
    const to = { name: "Rita Lima", cpf_cnpj: "52998224725", pix_key_type: "EMAIL", pix_key: key } as const;
    const { id } = await draft(kit.admin, [bare(10_00, { destination_bank_account: to }), bare(20_00)]);
    expect(await alerts(id)).toEqual([]);
    await kit.drainJobs();
    expect(await alerts(id)).toEqual([["holder_differs", 1]]);
    const [found] = (await read(id)).data;
    expect(found).toMatchObject({ severity: "tick", value: 10_00 });
    expect(found?.findings[0]?.text).toMatch(/^A chave é de .+ e não do documento informado$/);
    await kit.deposit(30_00);
    expect((await closing(kit.admin, id)).body.code).toBe("checks_not_confirmed");
    expect((await closing(kit.admin, id, randomUUID(), { confirmations: await ticks(id) })).status).toBe(200);
  });

  it("TRF-007 TRF-010 TRF-011 a receiver whose last payment did not arrive, on its card too", async () => {
    const failing = toKey("chave.pix15@exemplo.com.br", {}, "Falha Certa");
    const paid = await pay([failing]);
    const { id } = await draft(kit.admin, [failing, toKey("outra@exemplo.com.br")]);
    const [failed] = (await batch(kit.admin, paid)).transfers;
    const [card, other] = (await batch(kit.admin, id)).transfers;
    expect(card.destination_bank_account).toMatchObject({
      status: "FAILED",
      status_description: "Chave PIX não encontrada.",
    });
    expect(other.destination_bank_account).toMatchObject({ status: null, status_description: null });
    // A failed payment carries the finding about its account too.
    expect([failed.status, failed.destination_bank_account.status_description]).toEqual([
      "FAILED",
      "Chave PIX não encontrada.",
    ]);
    const listed = await kit.admin.call(listTransfers, { params: { id }, query: { status: "FAILED" } });
    expect(listed.body.data.map((one) => one.id)).toEqual([card.id]);
    // The filter names it 'Criada' too (TRF-007).
    const created = await kit.admin.call(listTransfers, { params: { id }, query: { status: "CREATED" } });
    expect(created.body.data.map((one) => one.id)).toEqual([card.id, other.id]);
    // It may be paid, so 'Excluir falhas' does not remove it (decision 0027).
    expect(listed.body.failedTransfersSummary).toEqual({ count: 0, value: 0, ids: [] });
    expect((await kit.admin.call(listFailedTransferIds, { params: { id } })).body).toEqual({
      ids: [],
      value: 0,
    });
    const note = (await read(id)).data.find(({ kind }) => kind === "failed_receiver");
    expect(note).toMatchObject({ count: 1, severity: "note" });
    expect(note?.findings[0]?.text).toBe("O último pagamento não chegou: Chave PIX não encontrada.");
  });

  it("data that Malote corrected and no person checked", async () => {
    const { id } = await draft(kit.admin, [bare(1_00), bare(2_00)]);
    const [first] = (await batch(kit.admin, id)).transfers;
    const marks = [
      {
        field: "account_digit",
        origin: "suggested",
        before: "",
        after: "8",
        by: null,
        at: "2026-08-12T13:00:00Z",
      },
    ];
    await kit.services.db.pool.query("UPDATE transfers SET data_marks = $1 WHERE id = $2", [
      JSON.stringify(marks),
      first.id,
    ]);
    expect(await alerts(id)).toEqual([["suggested_data", 1]]);
    expect((await read(id)).data[0]?.findings[0]).toMatchObject({
      payment: { id: first.id },
      text: "Dado sugerido, dígito da conta: vazio → 8",
    });
  });

  it("the beneficiary of each boleto beside the company's name for it", async () => {
    const { id } = await boletoDraft(kit.admin, [boletoOf(10_00, { description: "Luz 1" })]);
    const largest = async () => (await read(id)).summary.largest[0]?.name;
    expect(await largest()).toBe("Luz 1");
    await kit.drainJobs();
    expect(await largest()).toMatch(/^.+ Ltda · Luz 1$/);
  });

  it("a boleto past its due date, one long before it, and one that was reissued with another code", async () => {
    // The day is a Sunday: a boleto due on Saturday is paid on Monday without charges, and is late nevertheless.
    await kit.passUntil("2026-08-16T13:00:00Z");
    const { id } = await boletoDraft(kit.admin, [
      boletoOf(10_00, { barcode: barcodeOf(10_00, "2026-08-15") }),
      boletoOf(20_00, { barcode: barcodeOf(20_00, "2026-08-31") }),
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-20") }),
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-20") }),
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-19") }),
    ]);
    expect(await kinds(id)).toEqual([
      ["same_payment", 1],
      ["billet_overdue", 1],
      ["billet_early", 1],
      ["balance_short", 1],
    ]);
    const texts = (await read(id)).data.flatMap(({ findings }) => findings.map(({ text }) => text));
    expect(texts).toContain("Vencido há 1 dia: confira juros e multa");
    expect(texts).toContain("Pago 15 dias antes do vencimento, 31/08/2026");
    await kit.deposit(1_000_00);
    const confirmations = await ticks(id);
    expect((await closing(kit.admin, id, randomUUID(), { confirmations })).status).toBe(200);
    // The same holds in another batch.
    const again = await boletoDraft(kit.admin, [
      boletoOf(30_00, { barcode: barcodeOf(30_00, "2026-08-20") }),
    ]);
    expect(await alerts(again.id)).toEqual([["same_payment", 1]]);
  });

  it("BAT-049 a past date, which cannot be confirmed", async () => {
    const day = addDays("2026-08-12" as CalendarDate, 1);
    const { id } = await draft(kit.admin, [bare(1_00, { payment_date: day })]);
    await kit.pass({ days: 2 });
    const [expired] = (await read(id)).data;
    expect(expired).toMatchObject({ kind: "expired_date", severity: "block", count: 1 });
    expect(
      (await confirm(kit.admin, id, [{ kind: "expired_date", fingerprint: expired?.fingerprint }])).status,
    ).toBe(200);
    expect((await closing(kit.admin, id)).body.code).toBe("batch_has_expired_dates");
  });

  it("BAT-051 integration ids of another payment, which need no confirmation", async () => {
    const earlier = await draft(kit.admin, [bare(1_00, { integration_id: "pedido-1" })], "Pedidos");
    const { id } = await draft(kit.admin, [bare(2_00, { integration_id: "pedido-1" })]);
    const repeated = (await read(id)).data.find(({ kind }) => kind === "repeated_integration_id");
    expect(repeated).toMatchObject({ count: 1, severity: "note" });
    expect(repeated?.findings[0]?.text).toContain(
      "O ID “pedido-1” também está em 12/08/2026, no lote “Pedidos” (em rascunho)",
    );
    expect(earlier.id).not.toBe(id);
  });
});
