/** A process of its own: lives the story on the database it is given and prints what was answered, one line of JSON each. */
import pg from "pg";
import { openEnvironment } from "./environment.ts";
import { playStory } from "./story.ts";

const { connection, plant } = JSON.parse(process.argv[2] ?? "{}");
const environment = await openEnvironment(connection, "2018-10-31T12:00:00Z");
// The mistake that the product's own reading of days guards against: a calendar date that becomes an instant.
if (plant === "dates as instants") {
  pg.types.setTypeParser(pg.types.builtins.DATE, (text) => new Date(`${text}T00:00:00`));
}

/** Made up anew each time: the first to appear is the first in every environment. */
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
