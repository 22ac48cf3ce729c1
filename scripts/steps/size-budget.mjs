/** Bytes that a browser fetches, measured on the built screens against our limits. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

/** Its page opens it in any case, right after the first paint, so it belongs to the first load. */
const openedAtOnce = "src/entries/desk.tsx";

const kib = 1024;
const limits = { firstScript: 180 * kib, lazyScript: 40 * kib, style: 20 * kib };

/** Addresses in texts and names that are never requested: name spaces and links in error messages. */
const namesOnly = ["www.w3.org", "react.dev", "reactjs.org", "tanstack.com", "json-schema.org", "fb.me"];

/**
 * @returns {{ summary: string, largest: { first: number, lazy: number, style: number }, problems: string[] }}
 * compressed bytes
 */
export function checkSizes(dist) {
  const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));
  const sizes = new Map();
  const sizeOf = (file) => {
    if (!sizes.has(file)) sizes.set(file, gzipSync(readFileSync(join(dist, file)), { level: 9 }).length);
    return sizes.get(file);
  };
  const sum = (files) => [...files].reduce((total, file) => total + sizeOf(file), 0);
  const problems = [];
  const largest = { first: 0, lazy: 0, style: 0 };
  const judge = (what, bytes, limit) => {
    if (bytes > limit) problems.push(`${what}: ${toKib(bytes)} is over ${toKib(limit)}`);
  };

  const chunks = Object.entries(manifest);
  const entries = chunks.filter(([, chunk]) => chunk.isEntry);
  if (entries.length === 0) problems.push("the manifest names no entry");
  for (const [name] of entries) {
    const first = closure(manifest, name);
    largest.first = Math.max(largest.first, sum(first.scripts));
    largest.style = Math.max(largest.style, sum(first.styles));
    judge(`first script of ${name}`, sum(first.scripts), limits.firstScript);
    judge(`style of ${name}`, sum(first.styles), limits.style);

    for (const [lazyName, openers] of lazyChunks(manifest, name)) {
      const lazy = closure(manifest, lazyName);
      // Code that is on the screen requests a part, so only chunks that every requester has count as loaded.
      const there = openers.map((opener) => closure(manifest, opener));
      const isThere = (kind, file) => first[kind].has(file) || there.every((open) => open[kind].has(file));
      const scripts = sum([...lazy.scripts].filter((file) => !isThere("scripts", file)));
      const styles = sum([...lazy.styles].filter((file) => !isThere("styles", file)));
      largest.lazy = Math.max(largest.lazy, scripts);
      judge(`lazy part ${lazyName} of ${name}`, scripts, limits.lazyScript);
      judge(`style of ${lazyName}`, styles, limits.style);
    }
  }
  problems.push(...outsideHosts(dist));
  const summary = `first script ${toKib(largest.first)}, lazy part ${toKib(largest.lazy)}, style ${toKib(largest.style)} at most`;
  return { summary, largest, problems: [...new Set(problems)] };
}

const toKib = (bytes) => `${(bytes / kib).toFixed(1)} KiB`;

/** Returns everything that a chunk needs before it can run. */
function closure(manifest, name, found = { scripts: new Set(), styles: new Set() }) {
  const chunk = manifest[name];
  if (!chunk || found.scripts.has(chunk.file)) return found;
  found.scripts.add(chunk.file);
  for (const style of chunk.css ?? []) found.styles.add(style);
  const atOnce = (chunk.dynamicImports ?? []).filter((imported) => imported === openedAtOnce);
  for (const imported of [...(chunk.imports ?? []), ...atOnce]) closure(manifest, imported, found);
  return found;
}

/** Returns the parts that are fetched on demand, at any depth, each with the chunks that request it. */
function lazyChunks(manifest, name, seen = new Set(), lazy = new Map()) {
  if (seen.has(name)) return lazy;
  seen.add(name);
  const chunk = manifest[name];
  for (const imported of chunk?.imports ?? []) lazyChunks(manifest, imported, seen, lazy);
  for (const imported of chunk?.dynamicImports ?? []) {
    lazy.set(imported, [...(lazy.get(imported) ?? []), name]);
    lazyChunks(manifest, imported, seen, lazy);
  }
  return lazy;
}

function outsideHosts(dist) {
  const problems = [];
  for (const name of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
    if (!/\.(js|css|html)$/.test(name)) continue;
    for (const [, host = ""] of readFileSync(join(dist, name), "utf8").matchAll(
      /\bhttps?:\/\/([a-z0-9][a-z0-9.-]*\.[a-z]{2,})/gi,
    )) {
      const known = namesOnly.includes(host.toLowerCase());
      // A page or a style sheet fetches an address; in a script it may be only a name.
      if (!known || (/\.(css|html)$/.test(name) && host !== "www.w3.org"))
        problems.push(`${name} names the outside host ${host}`);
    }
  }
  return problems;
}
