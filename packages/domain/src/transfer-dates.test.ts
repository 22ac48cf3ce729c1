import { describe, expect, it } from "vitest";
import { writeDynamicBrCode } from "./br-code.ts";
import type { CalendarDate } from "./calendar.ts";
import { issueText } from "./issues.ts";
import { cents } from "./money.ts";
import { ownInstitution } from "./own-institution.ts";
import type { PixCharge } from "./pix-charge.ts";
import { buildFacts, buildPix, buildTed, errorsOf } from "./testing/transfers.ts";
import { checkTransfer, normaliseTransfer, type TransferDraft, type TransferFacts } from "./transfer.ts";

describe("payment dates", () => {
  const late = buildFacts({ now: "16:30:01" });
  const warningsOf = (draft: TransferDraft, facts: TransferFacts) =>
    checkTransfer(draft, facts).warnings.map((issue) => issueText(issue));

  it("BAT-050 warns of a TED without date after the cut-off, not at its last second", () => {
    expect(warningsOf(buildTed(), late)).toEqual(["A TED será feita no próximo dia útil, 19/11/2026"]);
    expect(errorsOf(buildTed(), late)).toEqual([]);
    expect(warningsOf(buildTed(), buildFacts({ now: "16:30:00" }))).toEqual([]);
  });

  it("BAT-049 refuses a TED scheduled for today after the cut-off", () => {
    expect(checkTransfer(buildTed({ paymentDate: "2026-11-18" }), late).errors).toEqual([
      { code: "payment_time_expired", field: "payment_date" },
    ]);
    expect(errorsOf(buildTed({ paymentDate: "2026-11-18" }))).toEqual([]);
  });

  it("TRF-044 accepts Pix and internal transfers for today at any hour", () => {
    for (const draft of [buildPix(), buildTed({ bankIspb: ownInstitution().ispb })]) {
      const facts = buildFacts({ now: "23:59:59" });
      expect(checkTransfer({ ...draft, paymentDate: "2026-11-18" }, facts)).toEqual({
        errors: [],
        warnings: [],
      });
    }
  });

  it("TRF-004 accepts a dynamic code until its last second in São Paulo, and not later", () => {
    const emv = writeDynamicBrCode({
      location: "pix.exemplo.com.br/qr/v2/1",
      merchantName: "Loja Exemplo Ltda",
      merchantCity: "CURITIBA",
    });
    const charge: PixCharge = {
      type: "IMMEDIATE_COLLECTION",
      status: "ACTIVE",
      key: "loja@exemplo.com.br",
      receiver: { name: "Loja Exemplo Ltda", taxId: null },
      amount: cents(100_00),
      dueDate: null,
      fine: null,
      interest: null,
      discount: null,
      abatement: null,
      txid: null,
      until: "2026-11-18T18:42:09.000Z",
    };
    const codesAt = (now: string) =>
      checkTransfer({ ...buildPix(), emv, charge }, buildFacts({ now })).errors.map(({ code }) => code);
    expect(codesAt("15:42:08")).toEqual([]);
    expect(codesAt("15:42:09")).toEqual(["qr_expired"]);
  });

  describe("payee of a code", () => {
    const coded = (location: string, charge: PixCharge | null) => ({
      ...buildTed(),
      pixKeyType: "EMAIL" as const,
      pixKey: "outra@exemplo.com.br",
      value: null,
      emv: writeDynamicBrCode({ location, merchantName: "Loja", merchantCity: "CURITIBA" }),
      charge,
    });
    const charge: PixCharge = {
      type: "IMMEDIATE_COLLECTION",
      status: "ACTIVE",
      key: "loja@exemplo.com.br",
      receiver: { name: "Loja Exemplo Ltda", taxId: "12ABC34501DE35" },
      amount: cents(100_00),
      dueDate: null,
      fine: null,
      interest: null,
      discount: null,
      abatement: null,
      txid: null,
      until: null,
    };

    it("ignores fields typed beside the code", () => {
      const draft = coded("pix.exemplo.com.br/qr/v2/1", charge);
      expect(normaliseTransfer(draft)).toMatchObject({
        name: "Loja Exemplo Ltda",
        taxId: "12ABC34501DE35",
        bankIspb: null,
        agency: null,
        agencyDigit: null,
        account: null,
        accountDigit: null,
        accountType: null,
        pixKeyType: "EMAIL",
        pixKey: "loja@exemplo.com.br",
        value: 100_00,
        emv: draft.emv,
        charge,
      });
    });

    it("is absent while the charge is unknown", () => {
      expect(normaliseTransfer(coded("pix.exemplo.com.br/qr/v2/1", null))).toMatchObject({
        name: null,
        taxId: null,
        bankIspb: null,
        account: null,
        pixKeyType: "CHAVE_ALEATORIA",
        pixKey: null,
        value: null,
        charge: null,
      });
    });
  });

  it("TRF-044 accepts a day at most a calendar year ahead", () => {
    const errors = (paymentDate: string) => checkTransfer(buildPix({ paymentDate }), buildFacts()).errors;
    expect(errors("2027-11-18")).toEqual([]);
    expect(errors("2027-11-19")).toEqual([{ code: "payment_date_too_far", field: "payment_date" }]);
    // From another day, the last one differs.
    const later = buildFacts({ today: "2026-11-19" as CalendarDate });
    expect(checkTransfer(buildPix({ paymentDate: "2027-11-19" }), later).errors).toEqual([]);
  });

  it("BAT-050 warns of a TED for a holiday or weekend", () => {
    expect(checkTransfer(buildTed({ paymentDate: "2026-11-20" }), buildFacts()).warnings).toEqual([
      { code: "ted_next_business_day", field: "payment_date", data: { date: "23/11/2026" } },
    ]);
    expect(warningsOf(buildTed({ paymentDate: "2026-11-20" }), buildFacts())).toEqual([
      "A TED será feita no próximo dia útil, 23/11/2026",
    ]);
    const saturday = buildFacts({ today: "2026-11-21" as CalendarDate, now: "20:00:00" });
    expect(warningsOf(buildTed({ paymentDate: "2026-11-21" }), saturday)).toHaveLength(1);
    expect(warningsOf(buildPix({ paymentDate: "2026-11-21" }), saturday)).toEqual([]);
  });
});
