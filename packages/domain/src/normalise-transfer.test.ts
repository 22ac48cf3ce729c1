import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { severityOf } from "./issues.ts";
import { draftValueMax } from "./limits.ts";
import { buildFacts, buildPix, buildTed, errorsOf } from "./testing/transfers.ts";
import {
  checkTransfer,
  correctKnownErrors,
  normaliseTransfer,
  storableTransfer,
  type TransferDraft,
} from "./transfer.ts";

describe("normaliseTransfer", () => {
  const nothingTyped = Object.fromEntries(Object.keys(buildTed()).map((key) => [key, null])) as TransferDraft;

  it("stores typed text in one form", () => {
    const typed = buildTed({
      name: "  Maria da Silva ",
      taxId: "529.982.247-25",
      email: " Maria@Exemplo.com ",
      agency: "1234-5",
      account: "12.345-1",
      accountDigit: "",
      accountType: "Conta Corrente",
      paymentDate: "1/12/2026",
      pixDescription: " ",
      integrationId: " nf-1 ",
    });
    expect(normaliseTransfer(typed)).toMatchObject({
      name: "Maria da Silva",
      taxId: "52998224725",
      email: "maria@exemplo.com",
      agency: "1234",
      agencyDigit: "5",
      account: "12345",
      accountDigit: "1",
      accountType: "CONTA_CORRENTE",
      paymentDate: "2026-12-01",
      pixDescription: null,
      integrationId: "nf-1",
    });
  });

  it("TRF-025 TRF-026 converts keys to their own form and type", () => {
    expect(normaliseTransfer(buildPix({ pixKeyType: "celular", pixKey: "(11) 98765-4321" }))).toMatchObject({
      pixKeyType: "TELEFONE",
      pixKey: "+5511987654321",
    });
    expect(normaliseTransfer(buildPix({ pixKeyType: "CPF", pixKey: "12.ABC.345/01DE-35" }))).toMatchObject({
      pixKeyType: "CNPJ",
      pixKey: "12ABC34501DE35",
    });
  });

  it("TRF-027 drops an obfuscated CPF from a Pix and an empty document to validate", () => {
    const hidden = "***.982.247-**";
    expect(normaliseTransfer(buildPix({ taxId: hidden, pixKeyValidation: " " }))).toMatchObject({
      taxId: null,
      pixKeyValidation: null,
    });
    expect(normaliseTransfer(buildPix({ pixKeyValidation: hidden })).pixKeyValidation).toBeNull();
    expect(normaliseTransfer(buildPix({ pixKeyValidation: "529.982.247-25" })).pixKeyValidation).toBe(
      "52998224725",
    );
    expect(normaliseTransfer(buildTed({ taxId: hidden })).taxId).not.toBeNull();
    expect(errorsOf(normaliseTransfer(buildTed({ taxId: hidden })))).toEqual([
      "cpf_cnpj: Conta bancária inválida",
    ]);
  });

  it("keeps unreadable text, so that it can be shown and refused", () => {
    const broken = normaliseTransfer(buildTed({ paymentDate: "amanhã", accountType: "salário" }));
    expect(broken).toMatchObject({ paymentDate: "amanhã", accountType: "salário" });
    expect(errorsOf(broken)).toHaveLength(2);
  });

  it("keeps a type without its key, and a key without a known type", () => {
    expect(normaliseTransfer(buildPix({ pixKeyType: "celular", pixKey: " " }))).toMatchObject({
      pixKeyType: "TELEFONE",
      pixKey: null,
    });
    expect(normaliseTransfer(buildPix({ pixKeyType: "fax", pixKey: " 1234 " }))).toMatchObject({
      pixKeyType: "fax",
      pixKey: "1234",
    });
  });

  it("drops values that fit no column, but keeps their issue", () => {
    const stored = (changes: Partial<TransferDraft>) => storableTransfer(buildTed(changes));
    for (const value of [null, -1, 1.5, Number.NaN, draftValueMax + 1]) {
      expect(stored({ value }).value).toBeNull();
    }
    for (const value of [0, 1, draftValueMax]) expect(stored({ value }).value).toBe(value);
    expect(stored({ paymentDate: "amanhã" }).paymentDate).toBeNull();
    expect(stored({ paymentDate: null }).paymentDate).toBeNull();
    expect(stored({ paymentDate: "2026-11-20" })).toEqual(buildTed({ paymentDate: "2026-11-20" }));
  });

  it.each<[string, Partial<TransferDraft>]>([
    ["an empty bank", { bankIspb: "", pixKeyType: "!", taxId: "***.982.247-**" }],
    ["a blank bank", { bankIspb: " ", pixKeyType: "CPF", taxId: "***.982.247-**" }],
    ["an account of marks alone", { account: "-", pixKeyType: "CPF", taxId: "***.982.247-**" }],
    ["a blank key", { pixKey: " ", bankIspb: "60701190", agency: "1234", taxId: "***.982.247-**" }],
    ["a blank type of key", { pixKeyType: " ", taxId: "***.982.247-**" }],
    ["signs for a document", { bankIspb: "", pixKeyType: "!", taxId: "*" }],
  ])("is idempotent: %s", (_, changes) => {
    const once = normaliseTransfer({ ...nothingTyped, ...changes });
    expect(normaliseTransfer(once)).toEqual(once);
  });

  it("TRF-027 refuses mask characters that hide nothing as a wrong document, and does not drop them", () => {
    expect(errorsOf(normaliseTransfer(buildPix({ taxId: "*" })))).toEqual([
      "cpf_cnpj: Conta bancária inválida",
    ]);
    expect(normaliseTransfer(buildPix({ pixKeyValidation: "*" })).pixKeyValidation).toBe("*");
  });

  it("is idempotent for any text", () => {
    const text = fc.option(fc.string({ maxLength: 30 }));
    const draft = fc.record(
      Object.fromEntries(
        Object.keys(buildTed()).map((key) => [key, key === "value" ? fc.option(fc.integer()) : text]),
      ),
    ) as fc.Arbitrary<TransferDraft>;
    fc.assert(
      fc.property(draft, (typed) => {
        const once = normaliseTransfer(typed);
        expect(normaliseTransfer(once)).toEqual(once);
        // Every text fails the check only by an issue.
        for (const issue of checkTransfer(once, buildFacts()).errors) expect(severityOf(issue)).toBe("error");
      }),
    );
  });
});

describe("automatic correction", () => {
  const itau = (changes: Partial<TransferDraft> = {}) =>
    normaliseTransfer({
      ...buildTed(),
      bankIspb: "60701190",
      agency: "1234",
      agencyDigit: null,
      account: "56789",
      accountDigit: "8",
      ...changes,
    });
  const correct = (draft: TransferDraft) =>
    correctKnownErrors(draft, checkTransfer(draft, buildFacts()).errors);

  it("SET-012 sets the digit that the bank's own rule demands", () => {
    const { draft, corrections } = correct(itau());
    expect(corrections).toEqual([{ field: "account_digit", before: "8", after: "7" }]);
    expect(checkTransfer(draft, buildFacts()).errors).toEqual([]);
  });

  it.each<[string, Partial<TransferDraft>]>([
    ["a right digit", { accountDigit: "7" }],
    ["a number of the wrong length", { account: "1234567" }],
    ["an unnamed bank", { bankIspb: null }],
    ["a bank without a certain rule", { bankIspb: "00416968" }],
    ["no account type", { accountType: null }],
  ])("SET-012 leaves %s unchanged", (_, changes) => {
    const draft = itau(changes);
    expect(correct(draft)).toEqual({ draft, corrections: [] });
  });

  it("SET-012 corrects both digits of an account together, but no document", () => {
    const draft = itau({
      bankIspb: "00000000",
      agency: "1234",
      agencyDigit: "0",
      account: "12345678",
      accountDigit: "0",
      taxId: "11222333000182",
    });
    const { draft: corrected, corrections } = correct(draft);
    expect(corrections.map(({ field }) => field).sort()).toEqual(["account_digit", "agency_digit"]);
    expect(corrected.taxId).toBe(draft.taxId);
    expect(checkTransfer(corrected, buildFacts()).errors).toMatchObject([{ code: "tax_id_invalid" }]);
  });
});
