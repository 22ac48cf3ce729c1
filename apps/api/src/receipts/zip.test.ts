import { expect, it } from "vitest";
import { entriesOf } from "./testing.ts";
import { zipWriter } from "./zip.ts";

const at = { date: "2026-08-12", time: "23:59:58" };

function zipOf(count: number): Buffer {
  const zip = zipWriter();
  const pieces = Array.from({ length: count }, (_, n) =>
    zip.add(`${n}.txt`, Buffer.from(`content ${n}`), at),
  );
  return Buffer.concat([...pieces.flat(), ...zip.end()]);
}

it.each([0, 1, 3, 65_534, 65_535])("writes a ZIP of %i entries that can be read completely", (count) => {
  const entries = entriesOf(zipOf(count));
  expect(entries.length).toBe(count);
  expect(entries.at(-1)?.content.toString()).toBe(count === 0 ? undefined : `content ${count - 1}`);
});

it("writes the same bytes again, with the given local time", () => {
  const bytes = zipOf(2);
  expect(zipOf(2).equals(bytes)).toBe(true);
  expect(entriesOf(bytes)[0]?.at).toBe("2026-08-12 23:59:58");
});

it.each(["../x.pdf", "a/b.pdf", "a\\b.pdf", "ação.pdf", "a\nb.pdf", ""])("refuses the name %j", (name) => {
  expect(() => zipWriter().add(name, Buffer.from("x"), at)).toThrow("no name for an entry");
});
