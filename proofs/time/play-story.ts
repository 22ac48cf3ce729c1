/** Entry of a process: plays the story on the given database and prints its answers, one line of JSON each. */
import pg from "pg";
import { openEnvironment } from "./environment.ts";
import { playStory } from "./story.ts";

const { connection, plant } = JSON.parse(process.argv[2] ?? "{}");
const environment = await openEnvironment(connection, "2018-10-31T12:00:00Z");
// The error that the product's own reading of days prevents: a calendar date that becomes an instant.
if (plant === "dates as instants") {
  pg.types.setTypeParser(pg.types.builtins.DATE, (text) => new Date(`${text}T00:00:00`));
}

/** Ids are random, so they are numbered by their first appearance, which is equal in every environment. */
const ids = new Map<string, string>();
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const named = (id: string) => {
  if (id.startsWith("01990000-")) return id;
  const name = ids.get(id) ?? `id ${ids.size + 1}`;
  ids.set(id, name);
  return name;
};
await playStory(environment, (name, value) =>
  process.stdout.write(`${JSON.stringify([name, JSON.stringify(value).replace(uuid, named)])}\n`),
);
await environment.close();
