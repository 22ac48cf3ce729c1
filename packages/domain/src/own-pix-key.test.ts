import { describe, expect, it } from "vitest";
import {
  answerBySilence,
  awaitsOurAnswer,
  claimDeadline,
  claimKindOf,
  countsAsRegistered,
  mayBeDeleted,
  mayBeMoved,
  mayCancelClaim,
  mayClaim,
  needsCode,
  ownPixKeyTypes,
  payableStatuses,
  pixKeyStatuses,
  resendRestSeconds,
} from "./own-pix-key.ts";
import { pixKeyTypes } from "./pix-key.ts";

const those = (is: (status: (typeof pixKeyStatuses)[number]) => boolean) => pixKeyStatuses.filter(is);

describe("life of a company's key", () => {
  it("PIX-005 counts three statuses as registered", () => {
    expect(those(countsAsRegistered)).toEqual([
      "REGISTERED",
      "WAITING_PORTABILITY_APPROVAL",
      "WAITING_CLAIM_APPROVAL",
    ]);
    expect(payableStatuses).toEqual([...those(countsAsRegistered), "PENDING_REMOVAL"]);
  });

  it("PIX-048 permits deleting a key that is not in transition", () => {
    expect(those(mayBeDeleted)).toEqual([
      "VALIDATING",
      "REGISTERED",
      "ERROR",
      "WAITING_PORTABILITY",
      "WAITING_CLAIM",
    ]);
    expect(those(mayClaim)).toEqual(["WAITING_PORTABILITY", "WAITING_CLAIM"]);
    expect(those(mayCancelClaim)).toEqual(["PORTABILITY_IN_PROGRESS", "CLAIM_IN_PROGRESS"]);
    expect(those(awaitsOurAnswer)).toEqual(["WAITING_PORTABILITY_APPROVAL", "WAITING_CLAIM_APPROVAL"]);
  });

  it("derives the kind of move from the status", () => {
    expect(those((status) => claimKindOf(status) === "PORTABILITY")).toHaveLength(4);
    expect(those((status) => claimKindOf(status) === "CLAIM")).toHaveLength(4);
    expect(claimKindOf("REGISTERED")).toBeUndefined();
  });

  it("PIX-002 has five types, of which a company may use four and proves two by a code", () => {
    expect([...pixKeyTypes].sort()).toEqual(["CHAVE_ALEATORIA", "CNPJ", "CPF", "EMAIL", "TELEFONE"]);
    expect(ownPixKeyTypes).toEqual(["TELEFONE", "CNPJ", "EMAIL", "CHAVE_ALEATORIA"]);
    expect(ownPixKeyTypes.filter(needsCode)).toEqual(["TELEFONE", "EMAIL"]);
  });

  it.each([
    ["TELEFONE", true, true],
    ["EMAIL", true, false],
    ["CNPJ", true, false],
    ["CPF", true, false],
    ["CHAVE_ALEATORIA", false, false],
  ] as const)("%s keys: ported %s, claimed %s", (type, ported, claimed) => {
    expect([mayBeMoved(type, "PORTABILITY"), mayBeMoved(type, "CLAIM")]).toEqual([ported, claimed]);
  });

  it("gives the holder seven days, and treats a missing answer like the directory", () => {
    expect(claimDeadline(new Date("2026-08-12T13:00:00Z"))).toEqual(new Date("2026-08-19T13:00:00Z"));
    expect(answerBySilence("PORTABILITY")).toBe("keep");
    expect(answerBySilence("CLAIM")).toBe("release");
  });

  it("makes a person who requests many codes wait longer", () => {
    expect([1, 3, 4, 6, 7, 40].map(resendRestSeconds)).toEqual([10, 10, 60, 60, 600, 600]);
  });
});
