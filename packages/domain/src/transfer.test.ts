import { describe, expect, it } from "vitest";
import { issueCodes, issueText } from "./issues.ts";
import { ownInstitution } from "./own-institution.ts";
import { canMovePayment, type PaymentStatus, paymentStatuses, paymentTransitions } from "./payment-status.ts";
import { buildFacts, buildPix, buildTed, errorsOf, noAccount } from "./testing/transfers.ts";
import {
  checkDestination,
  checkTransfer,
  defaultTransferMethod,
  type TransferDraft,
  transferMethodOf,
  transferMethods,
} from "./transfer.ts";
import { transferFieldOf } from "./transfer-fields.ts";

const caixa = "00360305";

describe("checkDestination", () => {
  const blockedPerson = { pixKeyType: "EMAIL", pixKey: "a@b.com", taxId: "52998224725" };
  it.each<[string, TransferDraft]>([
    ["a right account", buildTed()],
    ["a right key", buildPix()],
    ["an account without anything", buildTed({ ...noAccount, name: null, taxId: null })],
    ["a wrong key", buildPix({ pixKey: "1133334444", email: "a@" })],
    ["a blocked person", buildPix(blockedPerson)],
    ["an unassigned agency", buildTed({ bankIspb: ownInstitution().ispb, agency: "77" })],
  ])("RCV-011 checks %s as for a payment to it, whatever the payment", (_, draft) => {
    const facts = buildFacts({ blocked: (taxId) => taxId === blockedPerson.taxId });
    const wrongPayment = { value: null, paymentDate: "2020-01-01", pixDescription: "x".repeat(141) };
    const ofPayment = new Set(["value", "payment_date", "pix_description"]);
    const { errors, warnings } = checkTransfer({ ...draft, ...wrongPayment }, facts);
    expect(checkDestination(draft, facts)).toEqual({
      errors: errors.filter(({ field }) => !ofPayment.has(field)),
      warnings: warnings.filter(({ field }) => !ofPayment.has(field)),
    });
  });
});

describe("checkTransfer", () => {
  it("accepts a correct TED, TEV and Pix without issues", () => {
    for (const draft of [buildTed(), buildTed({ bankIspb: ownInstitution().ispb }), buildPix()]) {
      expect(checkTransfer(draft, buildFacts())).toEqual({ errors: [], warnings: [] });
    }
  });

  it.each<[string, Partial<TransferDraft>, string]>([
    ["TRF-023 a bad CPF key", { pixKeyType: "CPF", pixKey: "52998224726" }, "pix_key: CPF inválido"],
    ["TRF-023 a bad CNPJ key", { pixKeyType: "CNPJ", pixKey: "12ABC34501DE36" }, "pix_key: CNPJ inválido"],
    ["TRF-023 a bad e-mail key", { pixKeyType: "EMAIL", pixKey: "maria" }, "pix_key: E-mail inválido"],
    [
      "TRF-023 a bad phone key",
      { pixKeyType: "TELEFONE", pixKey: "1133334444" },
      "pix_key: Telefone inválido",
    ],
    [
      "TRF-023 a bad random key",
      { pixKeyType: "CHAVE_ALEATORIA", pixKey: "abc" },
      "pix_key: Chave PIX inválida",
    ],
    ["TRF-023 an unknown key type", { pixKeyType: "OUTRO", pixKey: "abc" }, "pix_key: Chave PIX inválida"],
    ["TRF-023 a key type without key", { pixKeyType: "CPF", pixKey: null }, "pix_key: CPF inválido"],
    [
      "TRF-032 a bad document to validate",
      { pixKeyValidation: "52998224726" },
      "pix_key_validation: O CPF/CNPJ para validação deve ser válido",
    ],
    ["TRF-028 a bad document", { taxId: "52998224726" }, "cpf_cnpj: Conta bancária inválida"],
    ["TRF-028 a short name", { name: "Jo" }, "name: Conta bancária inválida"],
    ["TRF-029 a bad e-mail", { email: "maria@" }, "email: E-mail inválido"],
    ["TRF-037 too much", { value: 500_01 }, "value: O valor máximo é R$ 500,00"],
  ])("refuses a Pix with %s", (_what, changes, error) => {
    expect(errorsOf(buildPix(changes))).toEqual([error]);
  });

  it.each<[string, Partial<TransferDraft>, string]>([
    ["TRF-028 no name", { name: null }, "name: Conta bancária inválida"],
    ["TRF-028 a name of two letters", { name: "A1 2b" }, "name: Conta bancária inválida"],
    ["TRF-028 no bank", { bankIspb: null }, "bank_id: Conta bancária inválida"],
    ["TRF-028 an unknown bank", { bankIspb: "12121212" }, "bank_id: Conta bancária inválida"],
    ["TRF-028 no account type", { accountType: null }, "account_type: Conta bancária inválida"],
    ["TRF-028 no document", { taxId: null }, "cpf_cnpj: Conta bancária inválida"],
    ["TRF-028 no agency", { agency: null }, "agency: Conta bancária inválida"],
    ["ruling D14 a wrong digit", { accountDigit: "2" }, "account_digit: Conta ou dígito da conta inválido"],
    ["TRF-029 a bad e-mail", { email: "maria@" }, "email: E-mail inválido"],
    [
      "TRF-034 a public entity at Itaú",
      { accountType: "ENTIDADES_PUBLICAS" },
      "account_type: Entidade pública inválida",
    ],
    ["TRF-037 no value", { value: null }, "value: Valor inválido"],
    ["TRF-037 nothing to pay", { value: 0 }, "value: Valor inválido"],
    ["TRF-037 a negative value", { value: -1 }, "value: Valor inválido"],
    ["TRF-037 half a centavo", { value: 1.5 }, "value: Valor inválido"],
    ["TRF-037 too much", { value: 1_000_01 }, "value: O valor máximo é R$ 1.000,00"],
    [
      "TRF-041 a long description",
      { pixDescription: "a".repeat(141) },
      "pix_description: Tamanho máximo do campo é 140 caracteres",
    ],
    [
      "TRF-042 unsafe html",
      { pixDescription: "<script>" },
      "pix_description: Descrição Pix não permite código html inseguro",
    ],
    [
      "TRF-043 a character above 255",
      { pixDescription: "pago ✓" },
      "pix_description: Descrição Pix contém caracteres inválidos",
    ],
    ["TRF-044 yesterday", { paymentDate: "2026-11-17" }, "payment_date: Data de pagamento inválida"],
    ["TRF-044 no date at all", { paymentDate: "31/02/2026" }, "payment_date: Data de pagamento inválida"],
    [
      "a long integration id",
      { integrationId: "x".repeat(256) },
      "integration_id: Tamanho máximo do campo é 255 caracteres",
    ],
  ])("refuses a TED with %s", (_what, changes, error) => {
    expect(errorsOf(buildTed(changes))).toEqual([error]);
  });

  it.each(["Ana", "A. B. C", "Zé 3 d"])("TRF-028 accepts '%s', a name of three letters", (name) => {
    expect(errorsOf(buildTed({ name }))).toEqual([]);
    expect(errorsOf(buildPix({ name }))).toEqual([]);
  });

  it("TRF-037 accepts one centavo and the maximum itself", () => {
    expect(errorsOf(buildTed({ value: 1_000_00 }))).toEqual([]);
    expect(errorsOf(buildPix({ value: 500_00 }))).toEqual([]);
    expect(errorsOf(buildPix({ value: 1 }))).toEqual([]);
  });

  it("accepts an integration id of exactly the longest length", () => {
    expect(errorsOf(buildTed({ integrationId: "x".repeat(255) }))).toEqual([]);
  });

  it("TRF-030 refuses a blocked document, as receiver and as key", () => {
    const facts = buildFacts({ blocked: (taxId) => taxId === "52998224725" });
    expect(errorsOf(buildTed({ taxId: "52998224725" }), facts)).toEqual(["cpf_cnpj: CPF ou CNPJ bloqueado"]);
    expect(errorsOf(buildPix({ pixKeyType: "CPF", pixKey: "52998224725" }), facts)).toEqual([
      "pix_key: CPF ou CNPJ bloqueado",
    ]);
    const company = buildFacts({ blocked: (taxId) => taxId === "12ABC34501DE35" });
    const key = { pixKey: "12ABC34501DE35" };
    expect(errorsOf(buildPix({ pixKeyType: "CNPJ", ...key, taxId: null }), company)).toEqual([
      "pix_key: CPF ou CNPJ bloqueado",
    ]);
    // Reported once when both are the same; and a key of another kind is no document.
    expect(errorsOf(buildPix({ pixKeyType: "CNPJ", ...key, taxId: "12ABC34501DE35" }), company)).toEqual([
      "cpf_cnpj: CPF ou CNPJ bloqueado",
    ]);
    const phone = buildFacts({ blocked: (taxId) => taxId === "+5511987654321" });
    expect(errorsOf(buildPix({ taxId: null }), phone)).toEqual([]);
  });

  it("TRF-034 pays a public entity at Caixa, or anywhere when the company's setting says so", () => {
    const atCaixa = {
      bankIspb: caixa,
      account: "00112345678",
      accountDigit: "2",
      accountType: "ENTIDADES_PUBLICAS",
    };
    expect(errorsOf(buildTed(atCaixa))).toEqual([]);
    expect(errorsOf(buildTed({ ...atCaixa, taxId: "52998224725" }))).toHaveLength(1);
    expect(
      errorsOf(
        buildTed({ accountType: "ENTIDADES_PUBLICAS" }),
        buildFacts({ publicEntityNeedsCaixa: false }),
      ),
    ).toEqual([]);
  });

  it("requires neither name nor document for a Pix", () => {
    expect(errorsOf(buildPix({ name: null, taxId: null }))).toEqual([]);
  });

  it("reports every bad field together", () => {
    const empty = Object.fromEntries(Object.keys(buildTed()).map((key) => [key, null])) as TransferDraft;
    expect(checkTransfer(empty, buildFacts()).errors.map((issue) => issue.field)).toEqual([
      "name",
      "cpf_cnpj",
      "bank_id",
      "agency",
      "account",
      "account_type",
      "value",
    ]);
  });

  it("ruling D16 suggests the document with its lost zeros", () => {
    const [issue] = checkTransfer(buildTed({ taxId: "360305000104" }), buildFacts()).errors;
    expect(issue?.suggestion).toEqual({ cpf_cnpj: "00360305000104" });
  });

  it("ruling D16 suggests it for a key that is a document too, and for no other key", () => {
    const suggested = (pixKeyType: string, pixKey: string) =>
      checkTransfer(buildPix({ pixKeyType, pixKey }), buildFacts()).errors.map((issue) => issue.suggestion);
    expect(suggested("CNPJ", "360305000104")).toEqual([{ pix_key: "00360305000104" }]);
    expect(suggested("CPF", "360305000104")).toEqual([{ pix_key: "00360305000104" }]);
    expect(suggested("CPF", "123")).toEqual([undefined]);
    expect(suggested("EMAIL", "360305000104")).toEqual([undefined]);
  });
});

describe("transferMethodOf", () => {
  it("TRF-006 has three methods, each with its own maximum", () => {
    expect([...transferMethods].sort()).toEqual(Object.keys(buildFacts().maxCents).sort());
  });

  it("TRF-006 TRF-039 follows destination and key", () => {
    expect(transferMethodOf(buildTed())).toBe("TED");
    expect(transferMethodOf(buildTed({ bankIspb: ownInstitution().ispb }))).toBe("TEV");
    expect(transferMethodOf(buildPix())).toBe("PIX");
    expect(transferMethodOf(buildPix({ pixKey: null }))).toBe("PIX");
    expect(transferMethodOf(buildTed({ pixKeyType: "CNPJ" }))).toBe("TED");
    const own = { bankIspb: ownInstitution().ispb };
    expect(transferMethodOf(buildTed({ ...own, pixKeyType: "CNPJ", pixKey: "12ABC34501DE35" }))).toBe("PIX");
    expect(transferMethodOf(buildTed({ pixKeyType: "CNPJ", pixKey: "12ABC34501DE35" }))).toBe("PIX");
  });

  it("TRF-040 takes the default from the bank", () => {
    expect(defaultTransferMethod(ownInstitution().ispb)).toBe("TEV");
    expect(defaultTransferMethod("00000000")).toBe("TED");
    expect(defaultTransferMethod(null)).toBe("TED");
  });
});

describe("transfer statuses", () => {
  it.each<[PaymentStatus, PaymentStatus]>([
    ["CREATED", "TRANSFERRED"],
    ["RETURNED", "RECEIVED"],
    ["FINISHED", "FAILED"],
    ["TRANSFERRED", "RECEIVED"],
    ["EXECUTING", "RECEIVED"],
    ["FAILED_INTERNAL", "RECEIVED"],
    ["EM_REMESSA", "EXECUTING"],
    ["RECEIVED", "FAILED"],
    ["FAILED", "TRANSFERRED"],
  ])("TRF-007 %s never becomes %s", (from, to) => {
    expect(canMovePayment(from, to)).toBe(false);
  });

  it.each<[PaymentStatus, PaymentStatus]>([
    ["CREATED", "RECEIVED"],
    ["RECEIVED", "EXECUTING"],
    ["EXECUTING", "TRANSFERRED"],
    ["TRANSFERRED", "FINISHED"],
    ["EXECUTING", "FAILED"],
    ["FAILED", "RECEIVED"],
    ["FAILED", "RETURNED"],
  ])("TRF-045 TRF-046 %s may become %s", (from, to) => {
    expect(canMovePayment(from, to)).toBe(true);
  });

  it("TRF-007 every status can be reached and only RETURNED is final", () => {
    const reached = new Set<PaymentStatus>(["CREATED"]);
    for (const status of reached) for (const next of paymentTransitions[status]) reached.add(next);
    expect([...reached].sort()).toEqual([...paymentStatuses].sort());
    expect(paymentStatuses.filter((status) => paymentTransitions[status].length === 0)).toEqual(["RETURNED"]);
  });
});

describe("effort", () => {
  it("reads as much of the thousandth row as of the first, and checks each document once", () => {
    let read = 0;
    const counted = (draft: TransferDraft) =>
      new Proxy(draft, {
        get(target, field, receiver) {
          read++;
          return Reflect.get(target, field, receiver);
        },
      });
    const asked: string[] = [];
    const facts = buildFacts({
      blocked(taxId) {
        asked.push(taxId);
        return false;
      },
    });
    const rows = [
      buildTed({ pixDescription: "Fatura de novembro" }),
      buildTed({ value: 0 }),
      buildPix(),
      buildPix({ pixKeyType: "CPF", pixKey: "52998224725" }),
      buildPix({ pixKey: "errada" }),
    ];
    const workOf = (row: TransferDraft) => {
      read = 0;
      asked.length = 0;
      checkTransfer(counted(row), facts);
      expect(read).toBeGreaterThan(0);
      expect(new Set(asked).size).toBe(asked.length);
      return { read, asked: [...asked] };
    };
    const first = rows.map(workOf);
    for (let time = 0; time < 200; time++) expect(rows.map(workOf)).toEqual(first);
  });
});

it("has words for every issue", () => {
  for (const code of issueCodes)
    expect(issueText({ code, data: { max: 1, date: "" } }).length).toBeGreaterThan(5);
});

it("names every field of a payment as the calls do", () => {
  expect(transferFieldOf).toEqual({
    name: "name",
    cpf_cnpj: "taxId",
    email: "email",
    bank_id: "bankIspb",
    agency: "agency",
    agency_digit: "agencyDigit",
    account: "account",
    account_digit: "accountDigit",
    account_type: "accountType",
    pix_key: "pixKey",
    pix_key_type: "pixKeyType",
    pix_key_validation: "pixKeyValidation",
    value: "value",
    payment_date: "paymentDate",
    pix_description: "pixDescription",
    integration_id: "integrationId",
  });
});
