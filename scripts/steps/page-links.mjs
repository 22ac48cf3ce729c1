/** Links of the pages to files of this project; what they lead to outside it is not asked, for it needs a network. */
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

function pagesOf(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === "node_modules" || entry.name === "dist" || entry.name.startsWith(".")) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return pagesOf(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}
