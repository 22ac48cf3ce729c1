import { expect, it } from "vitest";
import { numbersOf, requirementsIn } from "./steps/requirement-numbers.mjs";

it("reads every number at the start of a title and none that it only mentions", () => {
  expect(numbersOf("BAT-057 BAT-064 closes, unlike BAT-070")).toEqual(["BAT-057", "BAT-064"]);
  expect(numbersOf("BAT-001, BAT-002 lists")).toEqual(["BAT-001", "BAT-002"]);
  expect(numbersOf("closes as BAT-057 says")).toEqual([]);
});

it("finds the requirements that a page defines", () => {
  const page =
    "# Area\n- **BAT-001 List.** Text with BAT-009.\n- **BAT-002** more\ntext **BAT-003** inside\n";
  expect(requirementsIn(page)).toEqual(["BAT-001", "BAT-002"]);
});
