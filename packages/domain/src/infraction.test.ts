import { describe, expect, it } from "vitest";
import {
  type AnalysisStatus,
  answerDueAt,
  attachmentType,
  defenceLength,
  followOpinion,
  monitoringEndsAt,
  monitoringOf,
  readInfractionSearch,
  refusalOfAnswer,
  refusalOfAttachment,
  refusalOfDefence,
  timeLeft,
} from "./infraction.ts";
import { attachmentBytesMax } from "./limits.ts";

const notified = new Date("2026-11-20T15:30:00Z");
const due = answerDueAt(notified);
const before = (ms: number) => new Date(due.getTime() - ms);
const minute = 60_000;
const hour = 60 * minute;

it("MED-012 allows four calendar days from the notification, also over a weekend", () => {
  expect(due.toISOString()).toBe("2026-11-24T15:30:00.000Z");
});

describe("time left", () => {
  it.each([
    [96 * hour, "96h 00min", "calm"],
    [24 * hour + 1, "24h 00min", "calm"],
    [24 * hour, "24h 00min", "urgent"],
    [hour + 5 * minute, "1h 05min", "urgent"],
    [minute - 1, "0h 00min", "urgent"],
    [1, "0h 00min", "urgent"],
    [0, "-", "over"],
    [-hour, "-", "over"],
  ] as const)("MED-011 %i ms before the end is %s, %s", (ms, text, urgency) => {
    expect(timeLeft(due, before(ms))).toEqual({ text, urgency });
  });
});

describe("answers to an infraction", () => {
  const of = (analysisStatus: AnalysisStatus, contestedAt: Date | null = null, now = notified) =>
    refusalOfAnswer({ analysisStatus, contestedAt, analysisDueAt: due }, now);

  it("MED-020 MED-027 are accepted while it is pending, and never again", () => {
    expect(of("pending")).toBeUndefined();
    expect(of("accepted")).toBe("infraction_answered");
    expect(of("rejected")).toBe("infraction_answered");
    expect(of("canceled")).toBe("infraction_answered");
    expect(of("delayed")).toBe("infraction_overdue");
  });

  it("MED-010 are refused when it was contested by e-mail", () => {
    expect(of("pending", notified)).toBe("infraction_contested");
    expect(of("rejected", notified)).toBe("infraction_answered");
  });

  it("are accepted until the last millisecond before the deadline", () => {
    expect(of("pending", null, before(1))).toBeUndefined();
    expect(of("pending", null, due)).toBe("infraction_overdue");
  });
});

describe("provider's opinion", () => {
  it.each([
    ["pending", "agreed", "accepted", true],
    ["pending", "disagreed", "rejected", false],
    ["pending", "canceled", "canceled", false],
    ["rejected", "agreed", "rejected", true],
    ["accepted", "disagreed", "accepted", false],
    ["delayed", "canceled", "delayed", false],
  ] as const)(
    "turns one that is %s, by %s, into %s, with money returned: %s",
    (before, opinion, after, goesBack) => {
      expect(followOpinion(before, opinion)).toEqual({ analysisStatus: after, moneyGoesBack: goesBack });
    },
  );
});

it("MED-028 requires 10 to 2000 visible characters", () => {
  expect(refusalOfDefence("")).toBe("defence_too_short");
  expect(refusalOfDefence("123456789")).toBe("defence_too_short");
  expect(refusalOfDefence(`   123456789${" ".repeat(20)}`)).toBe("defence_too_short");
  expect(refusalOfDefence("1234567890")).toBeUndefined();
  expect(refusalOfDefence("😀".repeat(2_000))).toBeUndefined();
  expect(refusalOfDefence("é".repeat(2_001))).toBe("defence_too_long");
  expect(defenceLength(" Não é fraude ")).toBe(12);
});

describe("attachments", () => {
  const bytes = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  it.each([
    ["%PDF-1.7", "application/pdf"],
    ["PK\x03\x04\x14\x00\x00\x00", "application/zip"],
    ["Rar!\x1a\x07\x00\xcf", "application/vnd.rar"],
    ["Rar!\x1a\x07\x01\x00", "application/vnd.rar"],
    ["\x89PNG\r\n\x1a\n", "image/png"],
    ["\xff\xd8\xff\xe0\x00\x10JF", "image/jpeg"],
  ])("MED-031 %j is %s", (head, type) => {
    expect(attachmentType(bytes(head))).toBe(type);
    expect(refusalOfAttachment(1, bytes(head))).toBeUndefined();
  });

  it.each([
    "",
    "%PDF",
    "MZ\x90\x00",
    "<html><b",
    "PK\x05\x06\x00\x00\x00\x00",
    "\x89PNG\n\x1a\n\x00",
    "GIF89a\x00\x00",
  ])("MED-031 %j has no accepted type", (head) => {
    expect(refusalOfAttachment(1, bytes(head))).toBe("attachment_wrong_kind");
  });

  it("MED-032 have at most 15,728,640 bytes", () => {
    expect(attachmentBytesMax).toBe(15_728_640);
    const pdf = bytes("%PDF-1.7");
    expect(refusalOfAttachment(attachmentBytesMax, pdf)).toBeUndefined();
    expect(refusalOfAttachment(attachmentBytesMax + 1, pdf)).toBe("attachment_too_large");
  });
});

it("MED-041 reports a monitoring in progress, and its end", () => {
  const ends = monitoringEndsAt(notified);
  expect(ends.toISOString()).toBe("2027-02-18T15:30:00.000Z");
  const of = (status: "pending" | "closed" | "canceled", now: Date) =>
    monitoringOf({ status, monitoringEndsAt: ends }, now);
  expect(of("pending", notified)).toBe("monitored");
  expect(of("pending", new Date(ends.getTime() - 1))).toBe("monitored");
  expect(of("pending", ends)).toBeUndefined();
  expect(of("closed", notified)).toBe("finished");
  expect(of("closed", ends)).toBe("finished");
  expect(of("canceled", notified)).toBeUndefined();
});

it("MED-016 reads a search text", () => {
  expect(readInfractionSearch(" ./- ")).toBeUndefined();
  expect(readInfractionSearch("529.982.247-25")).toEqual({ payerTaxId: "52998224725" });
  expect(readInfractionSearch("11.222.333/0001-81")).toEqual({ payerTaxId: "11222333000181" });
  expect(readInfractionSearch("12.abc.345/01de-35")).toEqual({ payerTaxId: "12ABC34501DE35" });
  expect(readInfractionSearch("E8888-8801 2026")).toEqual({ transactionId: "E888888012026" });
  expect(readInfractionSearch("E(88)_88+8*8#0;1,2:0@2'6\"")).toEqual({ transactionId: "E888888012026" });
  // As many digits as a document has count as one, whatever the check digits.
  expect(readInfractionSearch("52998224700")).toEqual({ payerTaxId: "52998224700" });
  expect(readInfractionSearch("11222333000100")).toEqual({ payerTaxId: "11222333000100" });
  expect(readInfractionSearch("112223330001000")).toEqual({ transactionId: "112223330001000" });
  expect(readInfractionSearch("529982247")).toEqual({ transactionId: "529982247" });
});
