/** Limits that an installation sets for its companies through the environment. */
import { defaultInstallationLimits, defaultLimits } from "@malote/domain/payment-limits";
import { describe, expect, it } from "vitest";
import { readConfig, type WrongConfiguration } from "./config.ts";

const limitsOf = (env: Record<string, string>) => readConfig(env).installationLimits;
const all = (value: number) => ({ PIX: value, TEV: value, TED: value, BILLET: value });

function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    return (error as WrongConfiguration).problems;
  }
}

describe("the installation's limits", () => {
  it("SES-074 are the defaults if nothing is set", () => {
    expect(limitsOf({})).toEqual(defaultInstallationLimits);
  });

  it("SES-074 are set by period, and by kind of payment within it; maximums follow unless they are set", () => {
    const set = "TRANSACTION=100, DAILY=5000000,NIGHTLY=700,NIGHTLY.PIX=0";
    expect(limitsOf({ MALOTE_LIMITS: set, MALOTE_LIMIT_RAISE_HOURS: "48" })).toEqual({
      limits: {
        ...defaultLimits,
        TRANSACTION: all(100),
        DAILY: all(5_000_000),
        NIGHTLY: { ...all(700), PIX: 0 },
      },
      maxima: {
        ...defaultLimits,
        TRANSACTION: all(100),
        DAILY: all(5_000_000),
        NIGHTLY: { ...all(700), PIX: 0 },
      },
      raiseHours: 48,
    });
    const { maxima } = limitsOf({ MALOTE_LIMITS: set, MALOTE_LIMITS_MAX: "NIGHTLY=900" });
    expect(maxima.NIGHTLY).toEqual(all(900));
    expect(maxima.DAILY).toEqual(all(5_000_000));
  });

  it.each([
    "DAY=1",
    "DAILY",
    "DAILY=1,5",
    "DAILY=-1",
    "DAILY.CARD=1",
    "DAILY=99999999999999999",
    "DAILY=9007199254740992",
  ])("stop the start if they are %s", (text) =>
    expect(problemsOf({ MALOTE_LIMITS: text }).join()).toContain("MALOTE_LIMITS não entendeu"),
  );

  it("stop the start with a maximum below the standard limit, and a raise sooner than a day or later than two", () => {
    expect(problemsOf({ MALOTE_LIMITS: "DAILY=100", MALOTE_LIMITS_MAX: "DAILY.TED=99" })).toEqual([
      "MALOTE_LIMITS_MAX não pode ser menor que MALOTE_LIMITS em DAILY.TED",
    ]);
    expect(problemsOf({ MALOTE_LIMIT_RAISE_HOURS: "23" })).toEqual([
      "MALOTE_LIMIT_RAISE_HOURS começa em 24 horas",
    ]);
    expect(problemsOf({ MALOTE_LIMIT_RAISE_HOURS: "49" })).toEqual([
      "MALOTE_LIMIT_RAISE_HOURS vai até 48 horas",
    ]);
  });
});
