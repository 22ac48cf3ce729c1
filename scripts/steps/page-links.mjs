/** The pages of the project: their links to its own files, and the width of their lines. Links outside need a network. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/** Written as an example, a link leads nowhere. */
const code = /```[\s\S]*?```|`[^`\n]*`/g;
const links = /\]\(\s*<?([^)\s>#]+)[^)]*\)|^\[[^\]]+\]:\s*<?([^\s>#]+)/gm;
const ofAddress = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

/** @returns {string[]} one line per link whose file is not there, with its page */
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

/** Columns of a line that is read beside a diff. */
const widthMax = 120;
/** A requirement or an open point is one line each, as it was given. */
const givenAsLines = /^docs\/requirements\/(?!audit)/;

/** @returns {string[]} one line per line of prose that is too long; tables, headings and examples are as wide as they are */
export function wideLines(root) {
  return pagesOf(root).flatMap((path) => {
    const page = relative(root, path);
    if (givenAsLines.test(page)) return [];
    const prose = readFileSync(path, "utf8").replace(/```[\s\S]*?```/g, (block) =>
      block.replace(/[^\n]/g, ""),
    );
    return prose.split("\n").flatMap((written, at) => {
      // A long example within a line is not broken.
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
