/**
 * `npm run requirements`: lists the requirements that a passing test names. A test names those whose numbers are at the
 * start of its title, as in "BAT-057 BAT-064 closes a batch once"; one failing test of a number removes it. A title is
 * not a proof: people who built none of it read whether every clause holds, and docs/requirements/audit.md has their
 * last reading.
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
  const isNamed = (number) => passed.has(number) && !failed.has(number);

  const known = areas.flatMap((area) => area.numbers);
  for (const area of areas) {
    const unnamed = area.numbers.filter((number) => !isNamed(number));
    const count = `${area.numbers.length - unnamed.length} of ${area.numbers.length} named by a passing test`;
    console.log(`${area.name}: ${count}${unnamed.length > 0 ? `; not named: ${unnamed.join(" ")}` : ""}`);
  }
  console.log(
    `All areas: ${known.filter(isNamed).length} of ${known.length} named by a passing test (see docs/requirements/audit.md for what holds)`,
  );

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
