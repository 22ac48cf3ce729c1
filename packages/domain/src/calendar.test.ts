import Holidays from "date-holidays";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  addDays,
  bankHolidays,
  businessDayOnOrAfter,
  type CalendarDate,
  compareDates,
  daysBetween,
  formatDate,
  formatMoment,
  isBusinessDay,
  lastScheduleDay,
  nextBusinessDay,
  parseDate,
  readDate,
  saoPauloDate,
  saoPauloTime,
  startOfDay,
  tedExecutionDate,
} from "./calendar.ts";

const day = (text: string) => text as CalendarDate;
const anyDay = fc.integer({ min: 0, max: 60_000 }).map((days) => addDays(day("1950-01-01"), days));

describe("dates", () => {
  it.each(["2026-02-30", "2026-13-01", "2025-02-29", "26-01-01", "2026-1-1", "1026-01-01", "", "hoje"])(
    "refuses %s",
    (text) => {
      expect(parseDate(text)).toBeUndefined();
    },
  );

  it.each([
    ["31/12/2026", "2026-12-31"],
    ["1/2/2026", "2026-02-01"],
    [" 2026-12-31 ", "2026-12-31"],
    ["29/02/2028", "2028-02-29"],
    ["31/11/2026", undefined],
    ["12/31/2026", undefined],
    ["01/12/26", undefined],
    ["2026-12-31T00:00:00Z", undefined],
  ])("IMP-013 reads %s as %s", (text, date) => {
    expect(readDate(text)).toBe(date);
  });

  it("reads back every date it formats", () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        expect(readDate(formatDate(date))).toBe(date);
        expect(parseDate(date)).toBe(date);
      }),
    );
  });

  it("accepts every day from 1900 to 2199, leap days included, and no other", () => {
    const wrong: string[] = [];
    for (let year = 1899; year <= 2200; year++) {
      for (let month = 1; month <= 12; month++) {
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
        for (const date of [1, last, last + 1]) {
          const text = `${year}-${String(month).padStart(2, "0")}-${date < 10 ? "0" : ""}${date}`;
          const known = date <= last && year >= 1900 && year <= 2199;
          if (parseDate(text) !== (known ? text : undefined)) wrong.push(text);
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it("compares for sorting", () => {
    const [early, late] = [day("2026-11-20"), day("2026-11-21")];
    expect([compareDates(early, late), compareDates(late, early), compareDates(late, late)]).toEqual([
      -1, 1, 0,
    ]);
  });

  it("adds and counts days consistently", () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -4000, max: 4000 }), (date, days) => {
        const later = addDays(date, days);
        expect(daysBetween(date, later)).toBe(days);
        expect(Math.sign(compareDates(later, date))).toBe(Math.sign(days));
      }),
    );
  });
});

it.each([
  ["2026-11-25", "2027-11-25"],
  ["2027-03-01", "2028-03-01"],
  ["2028-02-29", "2029-02-28"],
])("schedules on %s for %s at the latest", (today, last) => {
  expect(lastScheduleDay(day(today))).toBe(last);
});

describe("São Paulo", () => {
  it.each([
    ["2026-11-21T02:59:59Z", "2026-11-20", "23:59:59"],
    ["2026-11-21T03:00:00Z", "2026-11-21", "00:00:00"],
    ["2026-12-21T19:30:00.999Z", "2026-12-21", "16:30:00"],
    ["2018-12-01T12:00:00Z", "2018-12-01", "10:00:00"],
    ["2019-02-17T01:59:59Z", "2019-02-16", "23:59:59"],
    ["2019-02-17T02:00:00Z", "2019-02-16", "23:00:00"],
    ["2019-02-17T03:00:00Z", "2019-02-17", "00:00:00"],
  ])("at %s the local clock shows %s %s", (instant, date, time) => {
    expect(saoPauloDate(new Date(instant))).toBe(date);
    expect(saoPauloTime(new Date(instant))).toBe(time);
  });

  it("SES-072 formats a moment as the full date and the time", () => {
    expect(formatMoment(new Date("2026-11-21T02:59:59Z"))).toBe("20/11/2026 23:59");
  });

  it.each([
    ["2026-11-21", "2026-11-21T03:00:00.000Z"],
    ["2018-12-01", "2018-12-01T02:00:00.000Z"],
    // The first hour of this day did not exist: the clock moved from 00:00 to 01:00.
    ["2018-11-04", "2018-11-04T03:00:00.000Z"],
    ["2019-02-17", "2019-02-17T03:00:00.000Z"],
  ])("%s begins at %s", (date, instant) => {
    expect(startOfDay(day(date)).toISOString()).toBe(instant);
  });

  it("a day begins at its first instant, and one second earlier is the day before", () => {
    const recent = fc.integer({ min: 0, max: 20_000 }).map((days) => addDays(day("1995-01-01"), days));
    fc.assert(
      fc.property(recent, (date) => {
        const start = startOfDay(date);
        expect(saoPauloDate(start)).toBe(date);
        expect(saoPauloDate(new Date(start.getTime() - 1_000))).toBe(addDays(date, -1));
      }),
      { numRuns: 300 },
    );
  });
});

describe("ruling D12: settlement calendar", () => {
  it.each([
    [2024, "2024-02-12", "2024-02-13", "2024-03-29", "2024-05-30"],
    [2025, "2025-03-03", "2025-03-04", "2025-04-18", "2025-06-19"],
    [2026, "2026-02-16", "2026-02-17", "2026-04-03", "2026-06-04"],
    [2027, "2027-02-08", "2027-02-09", "2027-03-26", "2027-05-27"],
    [2028, "2028-02-28", "2028-02-29", "2028-04-14", "2028-06-15"],
    [2029, "2029-02-12", "2029-02-13", "2029-03-30", "2029-05-31"],
    [2030, "2030-03-04", "2030-03-05", "2030-04-19", "2030-06-20"],
  ])("%i has Carnival, Good Friday and Corpus Christi as holidays", (year, ...moving) => {
    expect(bankHolidays(year)).toEqual(expect.arrayContaining(moving));
    for (const date of moving) expect(isBusinessDay(day(date))).toBe(false);
  });

  it("agrees with date-holidays, which lacks 31 December, for fifty years", () => {
    const oracle = new Holidays("BR", { types: ["public", "bank"], timezone: "America/Sao_Paulo" });
    for (let year = 2000; year < 2050; year++) {
      const theirs = oracle
        .getHolidays(year)
        // Leaves out Sundays, because date-holidays also lists election days.
        .filter(({ date }) => new Date(`${date.slice(0, 10)}T00:00:00Z`).getUTCDay() !== 0)
        .map(({ date }) => date.slice(0, 10));
      const ours = bankHolidays(year).filter(
        (date) => !date.endsWith("12-31") && new Date(`${date}T00:00:00Z`).getUTCDay() !== 0,
      );
      expect(ours, String(year)).toEqual([...new Set(theirs)].sort());
    }
  });

  it.each([
    ["2026-11-19", "2026-11-23"],
    ["2026-02-13", "2026-02-18"],
    ["2026-12-30", "2027-01-04"],
  ])("after %s the next business day is %s", (date, next) => {
    expect(nextBusinessDay(day(date))).toBe(next);
  });

  it("finds Easter in every year from 1900 to 2199, by the rule of Gauss", () => {
    const wrong: number[] = [];
    for (let year = 1900; year <= 2199; year++) {
      const cycle = year % 19;
      const moon = (19 * cycle + 24) % 30;
      const sunday = (2 * (year % 4) + 4 * (year % 7) + 6 * moon + (year < 2100 ? 5 : 6)) % 7;
      const isLate = sunday === 6 && (moon === 29 || (moon === 28 && cycle > 10));
      const easter = addDays(day(`${year}-03-22`), moon + sunday - (isLate ? 7 : 0));
      const holidays = bankHolidays(year);
      // Good Friday and Corpus Christi: no two other holidays are as far apart.
      if (![-2, 60].every((days) => holidays.includes(addDays(easter, days)))) wrong.push(year);
    }
    expect(wrong).toEqual([]);
  });

  it("20 November is a holiday since 2024 only", () => {
    expect(isBusinessDay(day("2023-11-20"))).toBe(true);
    expect(isBusinessDay(day("2024-11-20"))).toBe(false);
  });

  it("Ash Wednesday and 24 December are business days", () => {
    expect(isBusinessDay(day("2026-02-18"))).toBe(true);
    expect(isBusinessDay(day("2026-12-24"))).toBe(true);
  });

  it("always finds a business day within a week", () => {
    fc.assert(
      fc.property(anyDay, (date) => {
        const found = businessDayOnOrAfter(date);
        expect(isBusinessDay(found)).toBe(true);
        expect(daysBetween(date, found)).toBeGreaterThanOrEqual(0);
        expect(daysBetween(date, found)).toBeLessThanOrEqual(6);
        expect(nextBusinessDay(date) > date).toBe(true);
      }),
    );
  });
});

describe("TED cut-off", () => {
  it.each([
    ["2026-11-18T19:30:00Z", "2026-11-18", "16:30:00 is in time"],
    ["2026-11-18T19:30:01Z", "2026-11-19", "one second later is not"],
    ["2026-11-19T19:30:01Z", "2026-11-23", "holiday and weekend follow"],
    ["2026-11-21T13:00:00Z", "2026-11-23", "a Saturday"],
    ["2026-11-22T23:00:00Z", "2026-11-23", "a Sunday evening"],
    ["2026-12-31T12:00:00Z", "2027-01-04", "the last day of the year"],
  ])("BAT-050 a TED handed over at %s runs on %s: %s", (instant, date) => {
    expect(tedExecutionDate(new Date(instant))).toBe(date);
  });
});
