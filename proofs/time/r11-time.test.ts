import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { testDatabase } from "../../apps/api/src/platform/db/test-database.ts";
import { chanceOf } from "../chance.ts";
import { proof, type Run } from "../proof.ts";

const zones = ["UTC", "America/Sao_Paulo", "America/Noronha", "Pacific/Kiritimati"] as const;
const [utc] = zones;
const kiritimati = zones[3];
const atOnce = 2;

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

proof(
  "R11",
  "shows the same day, money, file and text in any time zone of server, database and browser",
  { unit: "pairs of zones of server and database", short: 2, reduced: 8, full: 16 },
  travel,
);

async function travel({ count, seed, report }: Run) {
  const pairs = pairsFor(count, seed);
  const stories: string[] = [];
  for (let next = 0; next < pairs.length; next += atOnce) {
    const some = pairs.slice(next, next + atOnce);
    stories.push(...(await Promise.all(some.map(({ server, database }) => live(server, database)))));
    report(`${stories.length} of ${pairs.length} environments played their story`);
  }
  const [story = ""] = stories;
  const faults = stories.flatMap((other, index) =>
    differences(story, other).map(
      (what) => `server in ${pairs[index]?.server}, database in ${pairs[index]?.database}: ${what}`,
    ),
  );
  const recorded = lines(story);
  const books = recorded.find(([name]) => name === "books");
  if (books?.[1] !== "[]") faults.push(`books: ${books?.[1]}`);

  const screens = await Promise.all(zones.map((zone) => show(zone, story)));
  const [screen = ""] = screens;
  screens.forEach((other, index) => {
    if (other !== screen) faults.push(`browser in ${zones[index]}: ${firstDifference(screen, other)}`);
  });

  const planted = await plantFaults(story, screen);
  return {
    faults,
    figures: {
      environments: stories.length,
      recorded: recorded.length,
      screen_texts: screen.split("\n").length,
      browsers: screens.length,
    },
    planted,
  };
}

interface Pair {
  server: string;
  database: string;
}

/** Returns pairs of zones: the first and the last zone first, then random ones until all are covered. */
function pairsFor(count: number, seed: number): Pair[] {
  const chance = chanceOf(seed);
  const all = zones.flatMap((server) => zones.map((database) => ({ server, database })));
  const first = [
    { server: utc, database: utc },
    { server: kiritimati, database: zones[2] },
  ];
  const isFirst = (pair: Pair) =>
    first.some((one) => one.server === pair.server && one.database === pair.database);
  const rest = all
    .filter((pair) => !isFirst(pair))
    .map((pair) => ({ pair, turn: chance.share() }))
    .sort((a, b) => a.turn - b.turn)
    .map(({ pair }) => pair);
  return [...first, ...rest].slice(0, count);
}

/** Runs one process in one zone on a database in another; returns all its answers. */
async function live(server: string, database: string, plant?: string, sabotage?: string): Promise<string> {
  const { config } = await testDatabase();
  const client = new pg.Client(config);
  await client.connect();
  await client.query(`ALTER DATABASE ${config.database} SET timezone = '${database}'`);
  if (sabotage) await client.query(sabotage);
  await client.end();
  return run("play-story.ts", [JSON.stringify({ connection: config, plant })], server);
}

/** Returns the screens' texts of the story in a browser of that zone. */
const show = (zone: string, story: string, plant = "") => run("screen-texts.ts", [plant], zone, story);

async function run(name: string, given: readonly string[], zone: string, input = ""): Promise<string> {
  const child = spawn(process.execPath, [script(name), ...given], {
    env: { ...process.env, TZ: zone, NODE_ENV: "" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out = text(child.stdout);
  const complaints = text(child.stderr);
  child.stdin.end(input);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name} in ${zone}: ${await complaints}`);
  return out;
}

const lines = (story: string): [name: string, value: string][] =>
  story
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

function differences(story: string, other: string): string[] {
  if (story === other) return [];
  if (!other.startsWith("[")) return [other];
  const here = lines(story);
  const there = lines(other);
  return here
    .flatMap(([name, value], index) => {
      const said = there[index];
      return said?.[0] === name && said[1] === value
        ? []
        : [`${name}: ${firstDifference(value, said?.[1] ?? "nothing")}`];
    })
    .slice(0, 5);
}

function firstDifference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const around = (whole: string) => whole.slice(Math.max(0, at - 60), at + 40);
  return `${around(one)} ≠ ${around(other)}`;
}

/**
 * Plants a query that uses the session's date, a date that becomes an instant, and a screen that uses its browser's
 * zone.
 */
async function plantFaults(story: string, screen: string) {
  const sessionZone = `
    DO $$ BEGIN EXECUTE replace(pg_get_functiondef('post_allowed_movements(uuid, timestamptz, movement[])'::regprocedure),
      '''America/Sao_Paulo''', 'current_setting(''TimeZone'')'); END $$`;
  const [inSession, asInstants, ownZone] = await Promise.all([
    live(utc, kiritimati, undefined, sessionZone),
    live(kiritimati, utc, "dates as instants").catch(() => "it fell over"),
    show(kiritimati, story, "the browser's own zone"),
  ]);
  const plainly = await show(utc, story, "the browser's own zone");
  const missed: string[] = [];
  if (differences(story, inSession).length === 0) missed.push("a query in the session's own time zone");
  if (differences(story, asInstants).length === 0) missed.push("a calendar date read as an instant");
  if (ownZone === plainly || ownZone === screen) missed.push("a screen in the browser's own time zone");
  return { count: 3, missed };
}
