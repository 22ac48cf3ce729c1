import {
  changed,
  contentOf,
  entities,
  files,
  harmless,
  type Made,
  mebibyte,
  noise,
  readParts,
  sheetPart,
} from "./make-files.ts";

/**
 * Cases that lose no row: noise for styles only means that no cell is a date, and damage behind the last row affects
 * none.
 */
const saysNoLess = new Set([
  "xl/styles.xml packed from noise",
  `${sheetPart} that breaks off in a tag`,
  `${sheetPart} with a tag of nine megabytes`,
]);

export const xml = files(
  "xml",
  "folha.xlsx",
  readParts.flatMap((part): Made[] => [
    ...Object.entries(entities).map(
      ([what, doctype]): Made => [
        `${part} with ${what}`,
        () => changed(part, { content: doctype + contentOf(part).replace(/^<\?xml[^>]*>\s*/, "") }),
      ],
    ),
    [
      `${part} in UTF-16`,
      () => changed(part, { content: Buffer.from(`\ufeff${contentOf(part)}`, "utf16le") }),
    ],
    [
      `${part} that breaks off in a tag`,
      () => changed(part, { content: contentOf(part).slice(0, contentOf(part).lastIndexOf("<") + 4) }),
    ],
    [
      `${part} with a comment that never ends`,
      () => changed(part, { content: contentOf(part).replace(/(<[a-zA-Z])/, "<!--$1") }),
    ],
    [
      `${part} with a tag of nine megabytes`,
      () =>
        changed(part, {
          content: contentOf(part).replace(/<\/?[a-zA-Z][^<]*$/, `<x a="${"a".repeat(9 * mebibyte)}`),
        }),
    ],
    [`${part} packed from noise`, () => changed(part, { content: noise(5_000) })],
  ]),
).map((file) => (saysNoLess.has(file.name) ? { ...file, ...harmless } : file));
