/** Mutants equivalent to the rule, which no test can distinguish. A listed mutant that a test notices is an error. */
export interface Equivalents {
  file: string;
  /** The rule that contains the line, where the line occurs in several. */
  rule?: string;
  /** The line as the bundler writes it, which equals the file's line except for types. */
  line: string;
  becomes: readonly string[];
  because: string;
}

export const equivalents: Equivalents[] = [
  {
    file: "money.ts",
    line: "if (comma >= 0 && dot >= 0) return Math.max(comma, dot);",
    becomes: ["comma > 0", "dot > 0", "1"],
    because: "an amount begins with a digit, so no sign is at place 0",
  },
  {
    file: "money.ts",
    line: 'const sign = comma >= 0 ? "," : ".";',
    becomes: ["comma > 0", "1"],
    because: "an amount begins with a digit, so no sign is at place 0",
  },
  {
    file: "calendar.ts",
    line: "var fixedOffsetSince = Date.UTC(2019, 1, 17, 2);",
    becomes: ["2020", "2", "18", "3"],
    because:
      "between the two instants the system's time zone data say the same; the pin is for machines with wrong data",
  },
  {
    file: "calendar.ts",
    line: "if (instant.getTime() >= fixedOffsetSince) {",
    becomes: ["false", "instant.getTime() > fixedOffsetSince"],
    because: "the system's time zone data say the same; the pin is for machines with wrong data",
  },
  {
    file: "calendar.ts",
    line: "const moonShift = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3);",
    becomes: ["9", "26"],
    because: "another Easter only outside the years a date may have, and a test asks for each of those",
  },
  {
    file: "calendar.ts",
    line: "const late = Math.floor((cycle + 11 * moon + 22 * weekday) / 451);",
    becomes: ["23", "452"],
    because: "another Easter only outside the years a date may have, and a test asks for each of those",
  },
  {
    file: "calendar.ts",
    line: "if (!holidays) {",
    becomes: ["true"],
    because: "only a memory: the holidays are counted again and are the same",
  },
  {
    file: "calendar.ts",
    line: "holidaysByYear.set(year, holidays);",
    becomes: [";"],
    because: "only a memory: the holidays are counted again and are the same",
  },
  {
    file: "calendar.ts",
    line: "var rememberedDaysMax = 1e3;",
    becomes: ["1001"],
    because: "only a bound of a memory",
  },
  {
    file: "calendar.ts",
    line: "if (known !== undefined) return known;",
    becomes: ["false"],
    because: "only a memory: the day is found again and is the same",
  },
  {
    file: "calendar.ts",
    line: "if (businessDays.size >= rememberedDaysMax) businessDays.clear();",
    becomes: [
      "true",
      "false",
      "businessDays.size > rememberedDaysMax",
      "businessDays.size < rememberedDaysMax",
      ";",
    ],
    because: "only a bound of a memory",
  },
  {
    file: "calendar.ts",
    line: "businessDays.set(date, day);",
    becomes: [";"],
    because: "only a memory: the day is found again and is the same",
  },
  {
    file: "end-to-end-id.ts",
    line: 'return `${kind}${ispb}${instant.toISOString().slice(0, 16).replaceAll(/[-T:]/g, "")}${eleven}`;',
    becomes: ["17"],
    because: "the seventeenth sign is a colon, which is taken out",
  },
  {
    file: "transfer.ts",
    line: "paymentDate: paymentDate === null ? null : parseDate(paymentDate) ?? null",
    becomes: ["false"],
    because: "null is no date either",
  },
  {
    file: "transfer.ts",
    line: 'const badKey = pixKeyProblem(draft.pixKeyType ?? "", draft.pixKey ?? "");',
    becomes: ['"?"'],
    because: "a question mark is no type and no key either",
  },
  {
    file: "transfer.ts",
    line: 'const whole = isDocument ? suggestTaxId(draft.pixKey ?? "") : undefined;',
    becomes: ['"?"'],
    because: "a question mark is no document either",
  },
  {
    file: "transfer.ts",
    line: "const bank = draft.bankIspb === null ? undefined : findBankByIspb(draft.bankIspb);",
    becomes: ["false"],
    because: "there is no bank without an ISPB",
  },
  {
    file: "transfer.ts",
    line: 'if (!hasThreeLetters(draft.name ?? "")) report({',
    becomes: ['"?"'],
    because: "a question mark has no three letters either",
  },
  {
    file: "transfer.ts",
    line: 'checkTaxId(draft.taxId ?? "", report);',
    becomes: ['"?"'],
    because: "a question mark is no document either",
  },
  {
    file: "transfer.ts",
    rule: "checkAccountDestination",
    line: 'agency: draft.agency ?? "",',
    becomes: ['"?"'],
    because: "a question mark is no agency either",
  },
  {
    file: "transfer.ts",
    rule: "checkAccountDestination",
    line: 'account: draft.account ?? "",',
    becomes: ['"?"'],
    because: "a question mark is no account either",
  },
  {
    file: "transfer.ts",
    line: 'taxId: draft.taxId ?? ""',
    becomes: ['"?"'],
    because: "a question mark is no document either",
  },
];
