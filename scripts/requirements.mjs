/**
 * `npm run requirements`: which requirements a passing test proves. A test proves those whose numbers open its
 * title, as in "BAT-057 BAT-064 closes a batch once"; one failing test of a number leaves it unproven.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { numbersOf, requirementsIn } from "./steps/requirement-numbers.mjs";
import { Problem, root, script } from "./steps/terminal.mjs";

await script(async () => {
  const areas = readAreas(join(root, "docs/requirements"));
  const results = readResults(join(root, ".test/results.json"));
  const passed = new Set(results.filter((result) => result.passed).flatMap(({ title }) => numbersOf(title)));
  const failed = new Set(results.filter((result) => !result.passed).flatMap(({ title }) => numbersOf(title)));
  const isProven = (number) => passed.has(number) && !failed.has(number);

  const known = areas.flatMap((area) => area.numbers);
  for (const area of areas) {
    const unproven = area.numbers.filter((number) => !isProven(number));
    const count = `${area.numbers.length - unproven.length} of ${area.numbers.length} proven`;
    console.log(`${area.name}: ${count}${unproven.length > 0 ? `; unproven: ${unproven.join(" ")}` : ""}`);
  }
  console.log(`All areas: ${known.filter(isProven).length} of ${known.length} proven`);

  const strangers = [...passed, ...failed].filter((number) => !known.includes(number));
  if (strangers.length > 0)
    throw new Problem(`Tests name requirements that do not exist: ${strangers.join(" ")}`);
});

function readAreas(folder) {
  const numbers = readdirSync(folder)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => requirementsIn(readFileSync(join(folder, name), "utf8")));
  const byArea = Object.groupBy([...new Set(numbers)].sort(), (number) => number.slice(0, 3));
  return Object.entries(byArea).map(([name, list]) => ({ name, numbers: list ?? [] }));
}

function readResults(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    throw new Problem("There are no test results yet: run npm test first.");
  }
}
