import { isValidPixKey } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emailMax, isEmail } from "./email.ts";
import {
  detectPixKeyType,
  formatPixKey,
  normalisePixKey,
  type PixKeyType,
  pixKeyProblem,
  readPixKeyType,
} from "./pix-key.ts";

describe("pixKeyProblem", () => {
  it.each<[string, string, string]>([
    ["CPF", "52998224726", "pix_key_cpf_invalid"],
    ["CPF", "***.982.247-**", "pix_key_cpf_invalid"],
    ["CNPJ", "12ABC34501DE36", "pix_key_cnpj_invalid"],
    ["EMAIL", "maria", "pix_key_email_invalid"],
    ["EMAIL", "maria@@exemplo.com", "pix_key_email_invalid"],
    ["EMAIL", "a@b", "pix_key_email_invalid"],
    ["EMAIL", "ma%ria@exemplo.com", "pix_key_email_invalid"],
    ["EMAIL", `${"a".repeat(70)}@exemplo.com`, "pix_key_email_invalid"],
    ["TELEFONE", "1134567890", "pix_key_phone_invalid"],
    ["TELEFONE", "11887654321", "pix_key_phone_invalid"],
    ["TELEFONE", "20987654321", "pix_key_phone_invalid"],
    ["TELEFONE", "+4411987654321", "pix_key_phone_invalid"],
    ["TELEFONE", "+1 11 98765-4321", "pix_key_phone_invalid"],
    ["CHAVE_ALEATORIA", "123e4567-e12b-12d1-a456-42665544000", "pix_key_invalid"],
    ["CHAVE_ALEATORIA", "123e4567e12b12d1a456426655440000", "pix_key_invalid"],
    ["CHAVE_ALEATORIA", "123e4567e12b-12d1-a456-426655440000", "pix_key_invalid"],
    ["CHAVE_ALEATORIA", "123e4567-e12b-12d1-a456-42665544000g", "pix_key_invalid"],
    ["OUTRA", "52998224725", "pix_key_invalid"],
    ["", "", "pix_key_invalid"],
  ])("TRF-023 refuses %s '%s' with %s", (type, key, code) => {
    expect(pixKeyProblem(type, key)).toBe(code);
  });

  it.each<[PixKeyType, string, string]>([
    ["CPF", "529.982.247-25", "52998224725"],
    ["CNPJ", "12.abc.345/01de-35", "12ABC34501DE35"],
    ["EMAIL", " Maria@Exemplo.COM.br ", "maria@exemplo.com.br"],
    ["TELEFONE", "+55 (11) 98765-4321", "+5511987654321"],
    ["TELEFONE", "(11) 98765-4321", "+5511987654321"],
    ["TELEFONE", "11987654321", "+5511987654321"],
    ["TELEFONE", "5511987654321", "+5511987654321"],
    ["TELEFONE", "011987654321", "+5511987654321"],
    ["TELEFONE", "55987654321", "+5555987654321"],
    ["CHAVE_ALEATORIA", "123E4567-E12B-12D1-A456-426655440000", "123e4567-e12b-12d1-a456-426655440000"],
  ])("TRF-026 stores %s '%s' as %s", (type, typed, key) => {
    expect(pixKeyProblem(type, typed)).toBeUndefined();
    expect(normalisePixKey({ type, key: typed })).toEqual({ type, key });
    expect(normalisePixKey({ type, key })).toEqual({ type, key });
    expect(pixKeyProblem(type, key)).toBeUndefined();
  });

  it("TRF-025 switches CPF and CNPJ by the content of the key", () => {
    expect(normalisePixKey({ type: "CPF", key: "12.ABC.345/01DE-35" })).toEqual({
      type: "CNPJ",
      key: "12ABC34501DE35",
    });
    expect(normalisePixKey({ type: "CNPJ", key: "529.982.247-25" })).toEqual({
      type: "CPF",
      key: "52998224725",
    });
    expect(normalisePixKey({ type: "CPF", key: "12345678000190" }).type).toBe("CPF");
  });

  it("PIX-003 PIX-009 TRF-026 shows phones without +55, documents with their mask, and every other key unchanged", () => {
    expect(formatPixKey("TELEFONE", "+5511987654321")).toBe("(11) 98765-4321");
    expect(formatPixKey("CPF", "52998224725")).toBe("529.982.247-25");
    expect(formatPixKey("EMAIL", "a@b.c")).toBe("a@b.c");
    // An address may begin with this sign, which is no country code.
    expect(formatPixKey("EMAIL", "+55contas@b.c")).toBe("+55contas@b.c");
    const random = "123e4567-e12b-12d1-a456-426655440000";
    expect(formatPixKey("CHAVE_ALEATORIA", random)).toBe(random);
    expect(formatPixKey("TELEFONE", "123")).toBe("123");
  });

  it("accepts only mobile keys that another implementation accepts too", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[1-9]{2}9\d{8}$/), (phone) => {
        fc.pre(pixKeyProblem("TELEFONE", phone) === undefined);
        expect(isValidPixKey(normalisePixKey({ type: "TELEFONE", key: phone }).key)).toBe(true);
      }),
    );
  });

  it("normalises idempotently", () => {
    const types = fc.constantFrom<PixKeyType>("CPF", "CNPJ", "EMAIL", "TELEFONE", "CHAVE_ALEATORIA");
    fc.assert(
      fc.property(types, fc.string(), (type, key) => {
        const once = normalisePixKey({ type, key });
        expect(normalisePixKey(once)).toEqual(once);
      }),
    );
  });
});

describe("detectPixKeyType", () => {
  it.each<[string, PixKeyType | undefined]>([
    ["52998224725", "CPF"],
    ["529.982.247-25", "CPF"],
    ["12ABC34501DE35", "CNPJ"],
    ["maria@exemplo.com", "EMAIL"],
    ["(11) 98765-4321", "TELEFONE"],
    ["+5511987654321", "TELEFONE"],
    ["123e4567-e12b-12d1-a456-426655440000", "CHAVE_ALEATORIA"],
    ["51998259765", undefined],
    ["519.982.597-65", "CPF"],
    ["(51) 99825-9765", "TELEFONE"],
    ["+4411987654321", undefined],
    ["qualquer", undefined],
    ["", undefined],
  ])("'%s' is %s", (text, type) => {
    expect(detectPixKeyType(text)).toBe(type);
  });
});

describe("readPixKeyType", () => {
  it.each<[string, PixKeyType | undefined]>([
    ["cpf", "CPF"],
    ["Cnpj ", "CNPJ"],
    ["E-mail", "EMAIL"],
    ["Celular", "TELEFONE"],
    ["telefone", "TELEFONE"],
    ["Chave Aleatória", "CHAVE_ALEATORIA"],
    ["CHAVE_ALEATORIA", "CHAVE_ALEATORIA"],
    ["constructor", undefined],
    ["", undefined],
  ])("IMP-021 reads '%s' as %s", (text, type) => {
    expect(readPixKeyType(text)).toBe(type);
  });
});

describe("isEmail", () => {
  it.each([
    [77, true],
    [78, false],
  ])("PIX-022 TRF-029 checks an address of %s characters: %s", (length, taken) => {
    const host = "@exemplo.com.br";
    expect(isEmail("a".repeat(length - host.length) + host)).toBe(taken);
  });

  it.each(["a@b.c", "maria.silva+nota@exemplo.com.br", "MARIA@EXEMPLO.COM"])("TRF-029 accepts %s", (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    "",
    "a@b",
    "maria@localhost",
    "@b.c",
    "a@",
    "a@-b.c",
    "a@b..c",
    "a@b@c.d",
    "a b@c.d",
    "ção@c.d",
    `a@${"b".repeat(emailMax)}`,
  ])("TRF-029 refuses '%s'", (text) => {
    expect(isEmail(text)).toBe(false);
  });
});
