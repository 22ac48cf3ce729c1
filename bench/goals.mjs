/**
 * The speed goals of docs/goals.md as numbers: the bench of each goal, and the bounds of its figures. `ours`, `floor`
 * and `ratio` mean the same in every bench; the bench names its other figures.
 */

/** @typedef {{ figure: string, least?: number, most?: number }} Bound */

/** @type {Record<string, { bench: string, needsScreens?: true, bounds: Bound[] }>} */
export const goals = {
  P1: {
    bench: "import-sheet.ts",
    bounds: [
      { figure: "to_sheetjs", most: 0.6 },
      { figure: "extra_mib", most: 256 },
    ],
  },
  P3: {
    bench: "close-batch.ts",
    bounds: [
      { figure: "ratio", most: 1.5 },
      { figure: "answer_ms", most: 150 },
      { figure: "small_close_p99_ms", most: 100 },
    ],
  },
  P4: { bench: "small-closes.ts", bounds: [{ figure: "ratio", least: 0.8 }] },
  P5: { bench: "hot-account.ts", bounds: [{ figure: "ratio", least: 0.9 }] },
  P6: {
    bench: "main-gets.ts",
    bounds: [
      { figure: "ratio", least: 0.85 },
      { figure: "auth_us", most: 60 },
      { figure: "tenancy_us", most: 60 },
      { figure: "schema_us", most: 60 },
    ],
  },
  P7: { bench: "statement-page.ts", bounds: [{ figure: "ratio", most: 1.3 }] },
  P9: {
    bench: "first-load.ts",
    needsScreens: true,
    bounds: [
      { figure: "ours", most: 180 },
      { figure: "lazy_max_kib", most: 40 },
      { figure: "css_kib", most: 20 },
      { figure: "problems", most: 0 },
    ],
  },
  P10: {
    bench: "batches-screen.ts",
    needsScreens: true,
    bounds: [
      { figure: "ours", most: 2_000 },
      { figure: "tbt_ms", most: 100 },
      { figure: "cls", most: 0.02 },
      { figure: "accessibility", least: 100 },
    ],
  },
  P12: {
    bench: "search.ts",
    bounds: [
      { figure: "ours", most: 40 },
      { figure: "sequential_scans", most: 0 },
    ],
  },
  P13: {
    bench: "start.ts",
    needsScreens: true,
    bounds: [
      { figure: "ours", most: 1_500 },
      { figure: "first_ms", most: 6_000 },
      { figure: "idle_rss_mb", most: 150 },
    ],
  },
  P14: {
    bench: "processes.ts",
    bounds: [
      { figure: "ratio", least: 1 },
      { figure: "lost_or_doubled", most: 0 },
      { figure: "book_faults", most: 0 },
    ],
  },
  P15: {
    bench: "neighbour-reads.ts",
    bounds: [
      { figure: "ratio", most: 3 },
      { figure: "refusals", most: 0 },
    ],
  },
};

/** @param {Bound} bound */
const textOf = ({ figure, least, most }) =>
  [
    ...(least === undefined ? [] : [`${figure} ≥ ${least}`]),
    ...(most === undefined ? [] : [`${figure} ≤ ${most}`]),
  ].join(", ");

/** @param {string} goal */
export function benchOf(goal) {
  const found = goals[goal];
  if (!found) throw new Error(`${goal} is not among the goals`);
  return found;
}

/**
 * Returns the goal's bounds in one line.
 * @param {string} goal
 */
export const wanted = (goal) => benchOf(goal).bounds.map(textOf).join("; ");

/**
 * Returns the bounds that the figures violate. A figure that is missing or no number violates all of its bounds.
 * @param {string} goal
 * @param {Record<string, unknown>} figures
 * @returns {string[]}
 */
export function missedBounds(goal, figures) {
  return benchOf(goal)
    .bounds.filter(({ figure, least = -Infinity, most = Infinity }) => {
      const value = figures[figure];
      return !(typeof value === "number" && value >= least && value <= most);
    })
    .map((bound) => `${textOf(bound)} (is ${figures[bound.figure]})`);
}
