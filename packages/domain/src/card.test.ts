import { describe, expect, it } from "vitest";
import type { CalendarDate } from "./calendar.ts";
import { cardAdvice, cardBrand, isCardInTime, isCardNumber, isSecurityCode, readExpiry } from "./card.ts";

const today = "2026-08-12" as CalendarDate;

describe("card number", () => {
  it.each(["4111 1111 1111 1111", "5555555555554444", "378282246310005", "6362970000457013"])(
    "accepts %s",
    (number) => expect(isCardNumber(number)).toBe(true),
  );
  it.each(["4111 1111 1111 1112", "1411111111111111", "", "4111", "4".repeat(20), "0".repeat(12)])(
    "refuses %s",
    (number) => expect(isCardNumber(number)).toBe(false),
  );
  it.each([
    ["4111111111111111", "Visa"],
    ["4011 7800 0000 0000", "Elo"],
    ["5555555555554444", "Mastercard"],
    ["2221000000000000", "Mastercard"],
    ["378282246310005", "American Express"],
    ["6062825624254001", "Hipercard"],
    ["3055", undefined],
  ])("%s belongs to %s", (number, brand) => expect(cardBrand(number)).toBe(brand));
});

describe("card expiry", () => {
  it.each([
    ["08/26", true],
    ["0826", true],
    ["08/2026", true],
    ["07/26", false],
    ["08/46", true],
    ["09/46", false],
  ])("%s is in time: %s", (typed, isInTime) => {
    const expiry = readExpiry(typed);
    expect(expiry && isCardInTime(expiry, today)).toBe(isInTime);
  });
  it.each(["", "13/26", "8/26", "00/26", "08/1926"])("refuses '%s'", (typed) =>
    expect(readExpiry(typed)).toBeUndefined(),
  );
});

describe("security code", () => {
  it.each([
    ["123", "4111111111111111", true],
    ["1234", "4111111111111111", false],
    ["1234", "378282246310005", true],
    ["123", "378282246310005", false],
    ["123", "3055", true],
    ["12", "3055", false],
    ["12a", "4111111111111111", false],
  ])("%s on %s is valid: %s", (code, number, isOne) => expect(isSecurityCode(code, number)).toBe(isOne));
});

it.each([
  ["card_security_code_invalid", "check_card"],
  ["processor_transaction_timeout", "try_later"],
  ["card_stolen", "other_card"],
  ["suspected_of_fraud", "other_card"],
  ["payer_balance_insufficient", "other_card"],
  ["constructor", "other_card"],
  [null, "other_card"],
])("after %s the payer is advised: %s", (reason, advice) => expect(cardAdvice(reason)).toBe(advice));
