/**
 * `npm run bench [goal …]`: measures the speed goals one after another, each against its floor in the same run, and
 * prints a table beside the previous run of each goal. Stores every line in bench/history. Exits with 1 when a bench
 * could not run or a goal is missed.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { benchOf, goals, wanted } from "../bench/goals.mjs";
import { ensureBuilt } from "./steps/build.mjs";
import { ensureChromium } from "./steps/chromium.mjs";
import { ensureInstalled, projectNode } from "./steps/install.mjs";
import { Problem, root, run, script, seconds } from "./steps/terminal.mjs";

const history = join(root, "bench/history/benches.jsonl");

await script(async () => {
  const asked = process.argv.slice(2).map((goal) => goal.toUpperCase());
  const unknown = asked.find((goal) => !goals[goal]);
  if (unknown)
    throw new Problem(`${unknown} has no bench. There is one for ${Object.keys(goals).join(", ")}.`);
  const chosen = Object.keys(goals).filter((goal) => asked.length === 0 || asked.includes(goal));
  await ensureInstalled();
  if (chosen.some((goal) => benchOf(goal).needsScreens)) {
    await ensureChromium();
    await ensureBuilt();
  }

  const lines = [];
  for (const goal of chosen) {
    const earlier = lastOf(goal);
    const line = await measure(goal);
    if (line) lines.push({ ...line, earlier });
    else process.exitCode = 1;
  }
  console.log(tableOf(lines));
  for (const { goal, missed } of lines) for (const bound of missed) console.log(`${goal} misses ${bound}`);
  if (lines.some(({ met }) => !met)) process.exitCode = 1;
});

/** Runs one bench in a separate process, so that none inherits the memory or the compiled code of another. */
async function measure(goal) {
  const since = performance.now();
  process.stderr.write(`${goal}  ${benchOf(goal).bench} …`);
  const { code, output } = await run(
    projectNode(),
    ["--expose-gc", join(root, "bench", benchOf(goal).bench)],
    {
      quiet: true,
    },
  );
  process.stderr.write(` ${seconds(since)}\n`);
  const line = output.split("\n").find((text) => text.startsWith(`{"goal":"${goal}"`));
  if (code !== 0 || !line) {
    console.log(`${goal} could not be measured:\n${output}`);
    return undefined;
  }
  const measured = { at: new Date().toISOString(), ...JSON.parse(line) };
  mkdirSync(join(root, "bench/history"), { recursive: true });
  appendFileSync(history, `${JSON.stringify(measured)}\n`);
  return measured;
}

function lastOf(goal) {
  if (!existsSync(history)) return undefined;
  const lines = readFileSync(history, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).findLast((line) => line.goal === goal);
}

function tableOf(lines) {
  const rows = lines.map(({ goal, unit, ours, floor, ratio, met, earlier }) => [
    goal,
    `${ours} ${unit}`,
    floor === null ? "" : `${floor} ${unit}`,
    ratio === null ? "" : String(ratio),
    wanted(goal),
    met ? "met" : "MISSED",
    earlier ? changeOf({ ours, ratio, earlier }) : "first run",
  ]);
  const all = [["", "ours", "floor", "ratio", "goal", "", "last run"], ...rows];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Compares by ratio where there is one, because the machine may differ or be busy; otherwise by our own figure. */
function changeOf({ ours, ratio, earlier }) {
  const [now, before] =
    ratio === null || earlier.ratio === null ? [ours, earlier.ours] : [ratio, earlier.ratio];
  const percent = Math.round((now / before - 1) * 100);
  return `${before} at ${earlier.commit} (${percent > 0 ? "+" : ""}${percent} %)`;
}
