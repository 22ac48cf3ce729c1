/**
 * Places where a program writes HTML as text: none in our sources, and in the built files only React and the mask of
 * fields.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");
const writes =
  /\.(innerHTML|outerHTML)\s*=(?!=)|insertAdjacentHTML\s*\(|document\.write(ln)?\s*\(|dangerouslySetInnerHTML\s*(:|=(?!=))|createContextualFragment\s*\(|setHTMLUnsafe\s*\(|\bnew Function\s*\(|\beval\s*\(/g;

/** Returns places in our own sources; tests may build pages freely. */
export function rawHtmlInSources(): string[] {
  const packages = readdirSync(join(root, "packages")).map((name) => `packages/${name}/src`);
  const folders = ["apps/web/src", "apps/api/src", ...packages];
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\//.test(name))
      .flatMap((name) =>
        rawHtmlInSource(readFileSync(join(root, folder, name), "utf8")).map(
          (found) => `${folder}/${name}: ${found}`,
        ),
      ),
  );
}

/** The mask of fields would write to an element that is edited as HTML. */
const editable = /\bcontentEditable\b/g;

export const rawHtmlInSource = (text: string): string[] => [
  ...rawHtmlIn(text),
  ...[...text.matchAll(editable)].map(([found]) => found),
];

export const rawHtmlIn = (text: string): string[] => [...text.matchAll(writes)].map(([found]) => found);

/** Returns the shape of a line; the build shortens names, so only shapes can be compared. */
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
 * Returns places in the built files. React writes the value of `dangerouslySetInnerHTML`, and an empty script to make a
 * script element; its own file defines how many times and in which shape. The same number of the same shapes, in the
 * one file that contains React, belongs to React; because nothing sets that property, nothing is ever written there.
 * The mask of fields likewise writes to elements that are edited as HTML, of which there are none.
 */
export function rawHtmlInBuilt(folder = join(root, "apps/web/dist/assets")): string[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => ({ name, text: readFileSync(join(folder, name), "utf8") }));
  return strangersAmong(files);
}

export function strangersAmong(files: readonly { name: string; text: string }[]): string[] {
  const faults: string[] = [];
  const libraries = [
    { mark: "react.dev/errors/", shapes: shapesOf(reactSource()) },
    { mark: "deleteSoftLineBackward", shapes: shapesOf(maskSource()) },
  ];
  for (const { name, text } of files) {
    const left = new Map<string, number>();
    for (const { mark, shapes } of libraries)
      if (text.includes(mark))
        for (const [shape, count] of shapes) left.set(shape, (left.get(shape) ?? 0) + count);
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

function maskSource(): string {
  const folder = dirname(
    createRequire(join(root, "apps/web/package.json")).resolve("@maskito/core/package.json"),
  );
  return readFileSync(join(folder, "index.esm.js"), "utf8");
}

function reactSource(): string {
  const folder = dirname(createRequire(import.meta.url).resolve("react-dom/package.json"));
  return readFileSync(join(folder, "cjs/react-dom-client.production.js"), "utf8");
}
