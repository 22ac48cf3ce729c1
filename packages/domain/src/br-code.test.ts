import { getPixPayloadInfo, isValidPixPayload } from "@brazilian-utils/brazilian-utils";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { crc16, readBrCode, writeBrCode, writeDynamicBrCode } from "./br-code.ts";
import { cents } from "./money.ts";

const noValue =
  "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D";
const withCnpj =
  "00020126360014br.gov.bcb.pix01141234567800019552040000530398654071234.565802BR5919PADARIA TRES IRMAOS6009SAO PAULO62140510PEDIDO000163044B10";
const withPhone =
  "00020126590014br.gov.bcb.pix0114+55619123456780219Mensalidade 11-2026520400005303986540510.005802BR5914MARIA DA SILVA6009JOINVILLE61088920100062140510MENS202611630427A2";
const withLetters =
  "00020126360014br.gov.bcb.pix011412ABC34501DE3552040000530398654040.015802BR5917EMPRESA ALFA LTDA6014RIO DE JANEIRO62090505ALFA1630447CF";
const dynamicCob =
  "00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5922EMPRESA DE SERVICOS SA6006RECIFE62070503***63045934";
const dynamicCobv =
  "00020101021226810014br.gov.bcb.pix2559pix.example.com/qr/v2/cobv/1dd7f893a58e417287028dc33e21a4035204899953039865406100.005802BR5917LOJA EXEMPLO LTDA6008CURITIBA62070503***6304FC60";

describe("crc16", () => {
  it("has the published check value", () => {
    expect(crc16("123456789")).toBe("29B1");
  });
});

describe("readBrCode", () => {
  it.each([
    ["another amount with the same check sum", withCnpj.replace("1234.56", "1234.57")],
    ["a cut code", withCnpj.slice(0, -1)],
    ["a code without check sum", withCnpj.slice(0, -8)],
    ["nothing", ""],
    ["any text", "pague aqui"],
    ["a text over 512 characters", noValue + " ".repeat(2) + "x".repeat(600)],
  ])("TRF-004 refuses %s", (_what, text) => {
    expect(readBrCode(text)).toBeUndefined();
  });

  it("TRF-004 refuses lengths that do not add up, another currency and another scheme, despite a valid checksum", () => {
    for (const body of [
      noValue.slice(0, -4).replace("5802BR", "5899BR"),
      noValue.slice(0, -4).replace("5303986", "5303840"),
      noValue.slice(0, -4).replace("br.gov.bcb.pix", "br.gov.bcb.xip"),
    ]) {
      expect(readBrCode(body + crc16(body))).toBeUndefined();
    }
  });

  it.each([
    [
      noValue,
      {
        key: "123e4567-e12b-12d1-a456-426655440000",
        amountCents: null,
        merchantName: "Fulano de Tal",
        txid: null,
      },
    ],
    [
      withCnpj,
      { key: "12345678000195", amountCents: 1_234_56, merchantCity: "SAO PAULO", txid: "PEDIDO0001" },
    ],
    [
      withPhone,
      {
        key: "+5561912345678",
        amountCents: 10_00,
        description: "Mensalidade 11-2026",
        postalCode: "89201000",
      },
    ],
    [withLetters, { key: "12ABC34501DE35", amountCents: 1, txid: "ALFA1" }],
    [
      dynamicCob,
      {
        key: null,
        location: "pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca25",
        isSingleUse: true,
        txid: null,
      },
    ],
    [dynamicCobv, { merchantCategory: "8999", amountCents: 100_00, isSingleUse: true }],
  ])("TRF-004 reads %s", (text, fields) => {
    expect(readBrCode(text)).toMatchObject(fields);
    expect(readBrCode(` ${text}\n`)).toMatchObject(fields);
  });
});

describe("writeBrCode", () => {
  it("returns the same text as the verified vectors", () => {
    expect(
      writeBrCode({
        key: "12345678000195",
        merchantName: "PADARIA TRÊS IRMÃOS",
        merchantCity: "SÃO PAULO",
        amountCents: cents(1_234_56),
        txid: "PEDIDO0001",
      }),
    ).toBe(withCnpj);
    expect(
      writeBrCode({
        key: "+5561912345678",
        merchantName: "MARIA DA SILVA",
        merchantCity: "JOINVILLE",
        amountCents: cents(10_00),
        description: "Mensalidade 11-2026",
        postalCode: "89201000",
        txid: "MENS202611",
      }),
    ).toBe(withPhone);
  });

  it.each([
    ["a txid with a dash", { txid: "a-b" }],
    ["a txid of 26", { txid: "a".repeat(26) }],
    ["no amount to pay", { amountCents: cents(0) }],
  ])("refuses %s", (_what, wrong) => {
    expect(() => writeBrCode({ key: "a@b.c", merchantName: "A", merchantCity: "B", ...wrong })).toThrow();
  });

  it("returns text that it and another implementation read back, whatever the names", () => {
    const text = fc.string({ minLength: 1, maxLength: 120 }).map((value) => `A${value}`);
    fc.assert(
      fc.property(
        text,
        text,
        text,
        fc.integer({ min: 1, max: 999_999_999_99 }).map(cents),
        (merchantName, merchantCity, description, amountCents) => {
          const written = writeBrCode({
            key: "123e4567-e12b-12d1-a456-426655440000",
            merchantName,
            merchantCity,
            description,
            amountCents,
          });
          expect(readBrCode(written)).toMatchObject({
            amountCents,
            key: "123e4567-e12b-12d1-a456-426655440000",
          });
          expect(isValidPixPayload(written)).toBe(true);
          expect(getPixPayloadInfo(written)).not.toBeNull();
        },
      ),
    );
  });
});

it("returns a readable code for one charge, however long the names", () => {
  const text = writeDynamicBrCode({
    location: "pix.malote.invalid/qr/v2/0199000000007000800000000000a001",
    merchantName: "Açougue & Companhia dos Irmãos Souza Ltda",
    merchantCity: "São José do Rio Preto",
  });
  expect(readBrCode(text)).toMatchObject({
    key: null,
    location: "pix.malote.invalid/qr/v2/0199000000007000800000000000a001",
    merchantName: "Acougue & Companhia dos I",
    merchantCity: "Sao Jose do Rio",
    txid: null,
    isSingleUse: true,
  });
});
