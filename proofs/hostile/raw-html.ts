/** Where a program writes HTML as text: nowhere in ours, and in what is built only where React itself does. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const writes =
  /\.(innerHTML|outerHTML)\s*=(?!=)|insertAdjacentHTML\s*\(|document\.write(ln)?\s*\(|dangerouslySetInnerHTML\s*(:|=(?!=))|createContextualFragment\s*\(|setHTMLUnsafe\s*\(|\bnew Function\s*\(|\beval\s*\(/g;

/** Our own sources; tests may build pages as they like. */
export function rawHtmlInSources(): string[] {
  const folders = ["apps/web/src", "apps/api/src", "packages/domain/src", "packages/contracts/src"];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\//.test(name))
      .flatMap((name) =>
        rawHtmlIn(readFileSync(join(root, folder, name), "utf8")).map(
          (found) => `${folder}/${name}: ${found}`,
        ),
      ),
  );
}

export const rawHtmlIn = (text: string): string[] => [...text.matchAll(writes)].map(([found]) => found);

/** Names are made short when a file is built, so that only the shape of a line can be compared. */
const shapeOf = (text: string) =>
  text
    .replace(/\\x3c/g, "<")
    .replace(/<\\\//g, "</")
    .replace(/["'`]/g, '"')
    .replace(/[\w$]+(?=\.innerHTML)/g, "_")
    .replace(/innerHTML\s*=\s*([\w$]+)/g, "innerHTML=_")
    .replace(/\s+/g, "");

const assignments = /[\w$]+\.innerHTML\s*=(?!=)\s*("[^"]*"|'[^']*'|`[^`]*`|[\w$]+)/g;

/**
 * React writes what `dangerouslySetInnerHTML` was given, and an empty script to make a script element: its own file says
 * how many times and in which shape. The same shapes, as often, in the one file that holds React, are React's; since
 * nothing gives that property, nothing is ever written there.
 */
export function rawHtmlInBuilt(folder = join(root, "apps/web/dist/assets")): string[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  return strangersAmong(files);
}

export function strangersAmong(files: readonly { name: string; text: string }[]): string[] {
  const faults: string[] = [];
  const holdsReact = (text: string) => text.includes("react.dev/errors/");
  const own = shapesOf(reactSource());
  for (const { name, text } of files) {
    const left = new Map(holdsReact(text) ? own : []);
    for (const [shape, count] of shapesOf(text)) {
      if (count > (left.get(shape) ?? 0)) faults.push(`${name}: ${shape} ${count} times`);
    }
    const others = rawHtmlIn(text).filter((found) => !found.startsWith(".innerHTML"));
    faults.push(...others.map((found) => `${name}: ${found}`));
  }
  return faults;
}

function shapesOf(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [found] of text.matchAll(assignments)) {
    const shape = shapeOf(found);
    counts.set(shape, (counts.get(shape) ?? 0) + 1);
  }
  return counts;
}

function reactSource(): string {
  const folder = dirname(createRequire(import.meta.url).resolve("react-dom/package.json"));
  return readFileSync(join(folder, "cjs/react-dom-client.production.js"), "utf8");
}
