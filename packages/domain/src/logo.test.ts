import { describe, expect, it } from "vitest";
import { checkLogo, logoBytesMax } from "./logo.ts";

const u32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const u16 = (value: number) => [value >>> 8, value & 255];
const text = (word: string) => [...word].map((sign) => sign.charCodeAt(0));
const chunk = (name: string, content: number[]) => [
  ...u32(content.length),
  ...text(name),
  ...content,
  0,
  0,
  0,
  0,
];
const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const png = (width: number, height: number, behind: number[] = []) =>
  new Uint8Array([
    ...signature,
    ...chunk("IHDR", [...u32(width), ...u32(height), 8, 6, 0, 0, 0]),
    ...chunk("IDAT", [1, 2, 3]),
    ...chunk("IEND", []),
    ...behind,
  ]);
const segment = (marker: number, content: number[]) => [0xff, marker, ...u16(content.length + 2), ...content];
const jpeg = (width: number, height: number, { frame = 0xc0, behind = [] as number[] } = {}) =>
  new Uint8Array([
    0xff,
    0xd8,
    ...segment(0xe0, text("JFIF")),
    0xff,
    ...segment(0xc4, [1, 2, 3, 4, 5, 6]),
    ...segment(frame, [8, ...u16(height), ...u16(width), 3]),
    ...segment(0xda, [1, 2, 3]),
    0xff,
    0xd9,
    ...behind,
  ]);

describe("COM-010 a logo", () => {
  it.each([
    ["a PNG", png(120, 48), "image/png", 120, 48],
    ["a JPEG", jpeg(300, 90), "image/jpeg", 300, 90],
    ["a progressive JPEG", jpeg(300, 90, { frame: 0xc2 }), "image/jpeg", 300, 90],
    ["a PNG of the largest sides", png(4000, 4000), "image/png", 4000, 4000],
  ])("may be %s", (_, bytes, type, width, height) => {
    expect(checkLogo(bytes)).toEqual({ logo: { type, width, height } });
  });

  it.each([
    ["of 47 pixels of height, PNG", png(300, 47), "logo_too_low"],
    ["of 47 pixels of height, JPEG", jpeg(300, 47), "logo_too_low"],
    ["wider than drawn", png(4001, 48), "logo_too_many_pixels"],
    ["that claims billions of pixels", png(0xffffffff, 0xffffffff), "logo_too_many_pixels"],
    ["a JPEG of 65535 pixels of height", jpeg(100, 65_535), "logo_too_many_pixels"],
    ["a PNG without width", png(0, 100), "logo_wrong_kind"],
    ["an SVG", new Uint8Array(text("<svg xmlns='http://www.w3.org/2000/svg'/>")), "logo_wrong_kind"],
    ["a GIF", new Uint8Array(text("GIF89a..........")), "logo_wrong_kind"],
    ["nothing", new Uint8Array(), "logo_wrong_kind"],
    ["a PNG followed by a page", png(120, 60, text("<script>")), "logo_wrong_kind"],
    [
      "a JPEG followed by a page",
      jpeg(120, 60, { behind: text("<script>alert(1)</script>") }),
      "logo_wrong_kind",
    ],
    ["half a PNG", png(120, 60).slice(0, 40), "logo_wrong_kind"],
    [
      "a PNG whose first chunk lies about its length",
      new Uint8Array([...signature, ...u32(0x7fffffff), ...text("IHDR"), ...u32(9), ...u32(9)]),
      "logo_wrong_kind",
    ],
    [
      "a PNG that begins with another chunk",
      new Uint8Array([...signature, ...chunk("tEXt", [1]), ...chunk("IEND", [])]),
      "logo_wrong_kind",
    ],
    [
      "a JPEG without a frame",
      new Uint8Array([0xff, 0xd8, ...segment(0xda, [1, 2, 3, 4, 5, 6]), 0xff, 0xd9]),
      "logo_wrong_kind",
    ],
    [
      "a JPEG of other bytes",
      new Uint8Array([0xff, 0xd8, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xff, 0xd9]),
      "logo_wrong_kind",
    ],
  ])("is refused when it is %s", (_, bytes, refused) => {
    expect(checkLogo(bytes)).toEqual({ refused });
  });

  it("may have at most 1 MiB", () => {
    const sized = (bytes: number) => {
      const filler = bytes - png(100, 100).length - 12;
      return new Uint8Array([
        ...signature,
        ...chunk("IHDR", [...u32(100), ...u32(100), 8, 6, 0, 0, 0]),
        ...chunk("IDAT", [1, 2, 3]),
        ...chunk("tEXt", new Array(filler).fill(65)),
        ...chunk("IEND", []),
      ]);
    };
    expect(sized(logoBytesMax)).toHaveLength(1_048_576);
    expect(checkLogo(sized(logoBytesMax))).toHaveProperty("logo");
    expect(checkLogo(sized(logoBytesMax + 1))).toEqual({ refused: "logo_too_large" });
  });
});
