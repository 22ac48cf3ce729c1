/** Checks the project's pages: links to its own files, and line widths. External links would need a network. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** A link inside an example is not checked. */
const code = /```[\s\S]*?```|`[^`\n]*`/g;
const links = /\]\(\s*<?([^)\s>#]+)[^)]*\)|^\[[^\]]+\]:\s*<?([^\s>#]+)/gm;
const ofAddress = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

/** @returns {string[]} one line per link to a missing file, with its page */
export function deadLinks(root) {
  return pagesOf(root).flatMap((page) => {
    const text = readFileSync(page, "utf8").replace(code, "");
    return [...text.matchAll(links)].flatMap(([, inline, named]) => {
      const target = inline ?? named ?? "";
      if (ofAddress.test(target)) return [];
      const path = join(target.startsWith("/") ? root : dirname(page), decodeURI(target));
      return existsSync(path) ? [] : [`${relative(root, page)}: ${target} is not there`];
    });
  });
}

/** Maximum columns of a line, so that it fits beside a diff. */
const widthMax = 120;
/** Requirements and open points are one line each, as they were delivered. */
const givenAsLines = /^docs\/requirements\/(?!audit)/;

/** @returns {string[]} one line per line of prose that is too long; tables, headings and examples may be wider */
export function wideLines(root) {
  return pagesOf(root).flatMap((path) => {
    const page = relative(root, path);
    if (givenAsLines.test(page)) return [];
    const prose = readFileSync(path, "utf8").replace(/```[\s\S]*?```/g, (block) =>
      block.replace(/[^\n]/g, ""),
    );
    return prose.split("\n").flatMap((written, at) => {
      // A long example within a line cannot be wrapped.
      const line = written.replace(/`[^`]{60,}`/g, "``");
      if (/^[|#]/.test(line) || line.length <= widthMax || !line.trim().includes(" ")) return [];
      return [`${page}:${at + 1} has ${line.length} columns, more than ${widthMax}`];
    });
  });
}

function pagesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name.startsWith(".")) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesOf(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
