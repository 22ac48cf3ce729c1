/**
 * Hostile files sent as a logo: invalid pictures, pictures that claim to be vast, and pictures with other content
 * attached.
 */
import { crc32, deflateSync } from "node:zlib";
import type { HostileFile } from "./hostile-files/make-files.ts";

const mebibyte = 1024 * 1024;

const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const chunk = (name: string, content: Buffer, length = content.length) => {
  const named = Buffer.concat([Buffer.from(name), content]);
  return Buffer.concat([u32(length), named, u32(crc32(named))]);
};
const signature = Buffer.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
const header = (width: number, height: number) =>
  chunk("IHDR", Buffer.concat([u32(width), u32(height), Buffer.of(8, 2, 0, 0, 0)]));
const end = chunk("IEND", Buffer.alloc(0));
const pixels = chunk("IDAT", deflateSync(Buffer.alloc(64 * (64 * 3 + 1))));
const png = (width = 64, height = 64, between: Buffer = pixels) =>
  Buffer.concat([signature, header(width, height), between, end]);

const segment = (marker: number, content: Buffer) => {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length + 2);
  return Buffer.concat([Buffer.of(0xff, marker), length, content]);
};
const frame = (width: number, height: number) => {
  const content = Buffer.alloc(15);
  content[0] = 8;
  content.writeUInt16BE(height, 1);
  content.writeUInt16BE(width, 3);
  content[5] = 3;
  return content;
};
const jpeg = (width = 64, height = 64, marker = 0xc0) =>
  Buffer.concat([
    Buffer.of(0xff, 0xd8),
    segment(0xe0, Buffer.from("JFIF\0\u0001\u0001\0\0\u0001\0\u0001\0\0")),
    segment(marker, frame(width, height)),
    segment(0xda, Buffer.alloc(10)),
    Buffer.alloc(100),
    Buffer.of(0xff, 0xd9),
  ]);

const page = "<!doctype html><script>fetch('/api/payments/user')</script>";
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100"><script>alert(1)</script></svg>';
const sizes = [
  [0xffffffff, 0xffffffff],
  [0x7fffffff, 64],
  [64, 0x7fffffff],
  [60_000, 60_000],
  [4_001, 64],
  [64, 4_001],
  [64, 47],
  [64, 0],
  [0, 64],
] as const;
const whole = png();

const refused: [name: string, content: () => Buffer, fileName?: string][] = [
  ...sizes.map(([width, height]): [string, () => Buffer] => [
    `a PNG of ${width} by ${height}`,
    () => png(width, height),
  ]),
  ["a JPEG of 65535 by 65535", () => jpeg(65_535, 65_535)],
  ["a progressive JPEG of 65535 by 64", () => jpeg(65_535, 64, 0xc2)],
  ["a JPEG without height", () => jpeg(64, 0)],
  ["a drawing with a script", () => Buffer.from(drawing), "logo.svg"],
  ["a drawing called a picture", () => Buffer.from(drawing)],
  ["a page called a picture", () => Buffer.from(page)],
  ["a page behind a PNG", () => Buffer.concat([whole, Buffer.from(page)])],
  ["a page behind a JPEG", () => Buffer.concat([jpeg(), Buffer.from(page)])],
  ["a page before a PNG", () => Buffer.concat([Buffer.from(page), whole])],
  ["an archive behind a PNG", () => Buffer.concat([whole, Buffer.from("PK\u0003\u0004"), Buffer.alloc(60)])],
  ["a program behind a PNG", () => Buffer.concat([whole, Buffer.from("MZ"), Buffer.alloc(300)])],
  ["a GIF", () => Buffer.concat([Buffer.from("GIF89a"), Buffer.alloc(500)]), "logo.gif"],
  ["a WebP", () => Buffer.concat([Buffer.from("RIFF\0\0\0\0WEBPVP8 "), Buffer.alloc(500)]), "logo.webp"],
  ["a bitmap", () => Buffer.concat([Buffer.from("BM"), Buffer.alloc(500)]), "logo.bmp"],
  ["a PDF", () => Buffer.from("%PDF-1.7\n1 0 obj<</S/JavaScript>>endobj"), "logo.pdf"],
  ["the signature of a PNG alone", () => signature],
  ["a PNG without a header", () => Buffer.concat([signature, pixels, end])],
  ["a PNG without an end", () => Buffer.concat([signature, header(64, 64), pixels])],
  [
    "a PNG whose chunk is four gigabytes",
    () => Buffer.concat([signature, header(64, 64), chunk("IDAT", Buffer.alloc(9), 0xfffffff0), end]),
  ],
  ["the start of a JPEG alone", () => Buffer.of(0xff, 0xd8, 0xff, 0xd9)],
  [
    "a JPEG of marks only",
    () => Buffer.concat([Buffer.of(0xff, 0xd8), Buffer.alloc(mebibyte - 4, 0xff), Buffer.of(0xff, 0xd9)]),
  ],
  [
    "a JPEG of empty segments",
    () =>
      Buffer.concat([
        Buffer.of(0xff, 0xd8),
        Buffer.alloc(1_000_000, Buffer.of(0xff, 0xe1, 0, 0)),
        Buffer.of(0xff, 0xd9),
      ]),
  ],
  ["nothing", () => Buffer.alloc(0)],
  ["zeros", () => Buffer.alloc(mebibyte)],
  [
    "a byte more than a mebibyte",
    () => png(64, 64, Buffer.concat([pixels, chunk("tEXt", Buffer.alloc(mebibyte))])),
  ],
  ["three mebibytes", () => Buffer.alloc(3 * mebibyte, "a")],
  ...Array.from({ length: 12 }, (_, step): [string, () => Buffer] => {
    const bytes = Math.floor((whole.length * (step + 1)) / 13);
    return [`a PNG cut at byte ${bytes}`, () => whole.subarray(0, bytes)];
  }),
];

/** Odd but harmless: few pixels under a misleading name, or packed far beyond the drawn size. */
const harmless: [name: string, content: () => Buffer, fileName?: string][] = [
  ["a picture with the name of a page", () => whole, "../../index.html"],
  ["a picture with a name of zeros", () => whole, "logo\0.svg"],
  [
    "a picture of five thousand empty chunks",
    () => png(64, 64, Buffer.concat([...Array(5_000).fill(chunk("tEXt", Buffer.alloc(0))), pixels])),
  ],
  [
    "a picture with a thousand times its pixels packed",
    () => png(64, 64, chunk("IDAT", deflateSync(Buffer.alloc(50 * mebibyte)))),
  ],
  ["a JPEG", () => jpeg(), "logo.jpeg"],
];

const logos = (outcome: HostileFile["outcome"], made: typeof refused): HostileFile[] =>
  made.map(([name, content, fileName = "logo.png"]) => ({ group: "logo", name, fileName, content, outcome }));

export const hostileLogos: readonly HostileFile[] = [
  ...logos("refused", refused),
  ...logos("harmless", harmless),
];
export const ordinaryLogo: HostileFile = {
  group: "ordinary",
  name: "a logo",
  fileName: "logo.png",
  content: () => whole,
  outcome: "harmless",
};
