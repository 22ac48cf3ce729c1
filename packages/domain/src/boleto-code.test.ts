import { describe, expect, it } from "vitest";
import { boletoLine, formatBoletoLine, readBoletoCode } from "./boleto-code.ts";
import type { CalendarDate } from "./calendar.ts";

const today = "2026-11-21" as CalendarDate;

/** Bank, due date read on that day, centavos, barcode, line. */
const bankBoletos = [
  [
    "001",
    "2025-02-21",
    123456,
    "00194999900001234560000005000000001234567817",
    "00190000090500000000912345678176499990000123456",
  ],
  [
    "341",
    "2025-02-22",
    50,
    "34196100000000000501091234567890057123457000",
    "34191091233456789005771234570001610000000000050",
  ],
  [
    "237",
    "2025-02-23",
    100000,
    "23793100100001000001234091234567890100123450",
    "23791234059123456789801001234507310010000100000",
  ],
  [
    "104",
    "2026-11-30",
    99,
    "10494164600000000991234561000100040000000011",
    "10491234566100010004200000000117416460000000099",
  ],
  [
    "033",
    "2026-12-31",
    2500075,
    "03393167700025000759123456700000000012340101",
    "03399123475670000000500123401010316770002500075",
  ],
  [
    "756",
    "2027-02-15",
    15000,
    "75694172300000150001432101012345678000012301",
    "75691432120101234567280000123010417230000015000",
  ],
  [
    "748",
    "2018-07-15",
    102656,
    "74891758600001026561100000012345012301234571",
    "74891100020001234501323012345718175860000102656",
  ],
  [
    "341",
    "2025-02-21",
    777,
    "34192999900000007771091234567890057123457000",
    "34191091233456789005771234570001299990000000777",
  ],
  [
    "077",
    null,
    null,
    "07791000000000000000000000001234567890123456",
    "07790000090000123456678901234563100000000000000",
  ],
  [
    "260",
    "2026-12-10",
    null,
    "26093165600000000000000000000000000000000000",
    "26090000010000000000000000000000316560000000000",
  ],
  [
    "593",
    "2026-12-01",
    9999999999,
    "59396164799999999999999999999999999999999999",
    "59399999909999999999099999999990616479999999999",
  ],
  [
    "001",
    "2025-02-22",
    1,
    "00196100000000000010000005000000001234567817",
    "00190000090500000000912345678176610000000000001",
  ],
] as const;

/** Centavos, barcode, line. */
const bills = [
  [12345, "82620000001234512341234567890123456789012345", "826200000014234512341236456789012345567890123456"],
  [9876, "83670000000987601230000000000020261201000000", "836700000000987601230004000000002022612010000000"],
  [
    150000,
    "85800000015000056782026120100000000000000099",
    "858000000151000056782020612010000005000000000990",
  ],
  [null, "81700000000000000010000000000000000000001234", "817000000007000000010009000000000000000000012344"],
  [null, "84900000000500000249999999999999999999999999", "849000000004500000249990999999999997999999999997"],
  [45000, "86600000004500012345678202611300000000000001", "866000000046500012345673820261130000000000000018"],
  [1, "87820000000000100070000000000000000000000000", "878200000001000100070000000000000000000000000000"],
] as const;

/** Changes one digit. */
const changed = (digits: string, place: number, by: number) =>
  digits.slice(0, place) + ((Number(digits[place]) + by) % 10) + digits.slice(place + 1);

describe("bank boletos", () => {
  it.each(bankBoletos)(
    "BIL-003 BIL-017 bank %s due %s over %s is read from either code",
    (bank, due, value, barcode, line) => {
      const read = { kind: "SIMPLE", barcode, value, dueDate: due, bankCode: bank };
      expect(readBoletoCode(barcode, today)).toEqual(read);
      expect(readBoletoCode(line, today)).toEqual(read);
      expect(readBoletoCode(formatBoletoLine(barcode), today)).toEqual(read);
      expect(boletoLine(barcode)).toBe(line);
    },
  );

  it.each([bankBoletos[0], bankBoletos[3]])(
    "BIL-011 bank %s is refused with any one digit changed",
    (_bank, _due, _value, _barcode, line) => {
      for (let place = 0; place < line.length; place++)
        for (let by = 1; by < 10; by++)
          expect(readBoletoCode(changed(line, place, by), today)).toBeUndefined();
    },
  );

  it("BIL-011 are refused with a missing or an extra digit, letters, or another currency", () => {
    const line = bankBoletos[3][4];
    for (const wrong of [
      line.slice(1),
      `${line}0`,
      `${line.slice(0, 46)}O`,
      "",
      "8",
      bankBoletos[3][3].slice(1),
    ])
      expect(readBoletoCode(wrong, today)).toBeUndefined();
    // Currency 8 with each of the ten check digits, one of which fits.
    const [, , , barcode] = bankBoletos[3];
    for (let digit = 0; digit < 10; digit++)
      expect(readBoletoCode(`${barcode.slice(0, 3)}8${digit}${barcode.slice(5)}`, today)).toBeUndefined();
  });

  it("resolves the due date by the cycle of factors nearest to the day of reading", () => {
    const [, , , barcode] = bankBoletos[7];
    expect(readBoletoCode(barcode, "2020-01-01" as CalendarDate)?.dueDate).toBe("2025-02-21");
    expect(readBoletoCode(barcode, "2046-01-01" as CalendarDate)?.dueDate).toBe("2049-10-13");
    const [, , , first] = bankBoletos[11];
    expect(readBoletoCode(first, "2001-05-01" as CalendarDate)?.dueDate).toBe("2000-07-03");
  });
});

describe("bills of arrecadação", () => {
  it.each(bills)(
    "BIL-003 BIL-020 a bill over %s is read from either code without a due date",
    (value, barcode, line) => {
      const read = { kind: "COLLECTION", barcode, value, dueDate: null, bankCode: null };
      expect(readBoletoCode(barcode, today)).toEqual(read);
      expect(readBoletoCode(line, today)).toEqual(read);
      expect(readBoletoCode(formatBoletoLine(barcode), today)).toEqual(read);
      expect(boletoLine(barcode)).toBe(line);
    },
  );

  it("are read from a real line", () => {
    expect(readBoletoCode("846100000005246100291102005460339004695895061080", today)).toMatchObject({
      value: 2461,
    });
  });

  it("BIL-011 are refused with a wrong digit in a block or in the whole, an unknown amount rule, or an unknown segment", () => {
    const [, barcode, line] = bills[0];
    for (const place of [0, 3, 11, 12, 23, 40, 47])
      expect(readBoletoCode(changed(line, place, 1), today)).toBeUndefined();
    // Skips the 8 at the start, which makes it a bill; the general digit covers every other place.
    for (let place = 1; place < barcode.length; place++)
      for (let by = 1; by < 10; by++)
        expect(readBoletoCode(changed(barcode, place, by), today)).toBeUndefined();
    expect(readBoletoCode("88620000001234512341234567890123456789012345", today)).toBeUndefined();
  });
});

it("BIL-010 formats the line as boletos print it, by its first digit", () => {
  expect(formatBoletoLine(bankBoletos[3][3])).toBe("10491.23456 61000.100042 00000.000117 4 16460000000099");
  expect(formatBoletoLine(bills[0][1])).toBe("82620000001-4 23451234123-6 45678901234-5 56789012345-6");
  expect(formatBoletoLine("12 34")).toBe("12 34");
});
