/** Uploads whose request itself is hostile, on any route. All are refused. */
export interface HostileRequest {
  name: string;
  headers: Record<string, string>;
  body: () => Iterable<Buffer>;
  /** The announced length; without it the body is sent in chunks until it ends. */
  announced?: number;
  heavy?: true;
}

const mebibyte = 1024 * 1024;
const boundary = "----malote";
const multipartType = { "content-type": `multipart/form-data; boundary=${boundary}` };
const good = "Nome;Chave Pix;Valor\r\nAna Lima;ana@exemplo.com.br;1,00\r\n";

const partOf = (disposition: string, content: string | Buffer, more = "") =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\ncontent-disposition: ${disposition}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const file = (content: string | Buffer = good, name = "file", fileName = "a.csv") =>
  partOf(`form-data; name="${name}"; filename="${fileName}"`, content, "content-type: text/csv\r\n");
const field = (name: string, value: string, more = "") => partOf(`form-data; name="${name}"`, value, more);
const end = Buffer.from(`--${boundary}--\r\n`);

function whole(name: string, pieces: () => Buffer[], headers: Record<string, string> = multipartType) {
  return { name, headers, body: () => [Buffer.concat(pieces())] };
}

/** Yields the same megabyte repeatedly, so that the whole is never in memory. */
function* flood(count: number, piece = Buffer.alloc(mebibyte, "a")) {
  for (let n = 0; n < count; n++) yield piece;
}

const wrongTypes = [
  "application/json",
  "text/plain",
  "text/csv",
  "application/octet-stream",
  "application/x-www-form-urlencoded",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "multipart/mixed; boundary=----malote",
  "multipart/form-data",
  "multipart/form-data; boundary=",
  `multipart/form-data; boundary=${"b".repeat(300)}`,
  "multipart/form-data; boundary=other",
  "MULTIPART/FORM-DATA; charset=utf-16",
  "image/svg+xml",
  "x",
];

export const hostileRequests: readonly HostileRequest[] = [
  ...wrongTypes.map((type) =>
    whole(`called ${type.slice(0, 60)}`, () => [file(), end], { "content-type": type }),
  ),
  whole("without a type", () => [file(), end], {}),
  whole("with no end", () => [file()]),
  whole("with an end in the middle of its heading", () => [file().subarray(0, 40)]),
  whole("with an end in the middle of its boundary", () => [file(), end.subarray(0, 6)]),
  whole("with nothing but the end", () => [end]),
  whole("with nothing", () => []),
  whole("with a preamble and nothing else", () => [Buffer.from("This is a message with several parts.\r\n")]),
  whole("with two files", () => [file(), file(), end]),
  whole("with six files", () => [...Array.from({ length: 6 }, () => file()), end]),
  whole("with ten fields", () => [...Array.from({ length: 10 }, (_, n) => field(`f${n}`, "x")), file(), end]),
  whole("with a thousand parts", () => [
    ...Array.from({ length: 1_000 }, (_, n) => field(`f${n}`, "x")),
    end,
  ]),
  whole("with a field of five megabytes", () => [field("fileName", "a".repeat(5 * mebibyte)), file(), end]),
  whole("with a field and no file", () => [field("fileName", "a.csv"), end]),
  whole("with the file as a field", () => [field("file", good), end]),
  whole("with a file of no name", () => [
    partOf('form-data; name="file"', good, "content-type: text/csv\r\n"),
    end,
  ]),
  whole("with an empty file", () => [file(""), end]),
  whole("with part headings that do not end", () => [
    Buffer.from(`--${boundary}\r\n${`x-a: ${"b".repeat(1_000)}\r\n`.repeat(500)}`),
    end,
  ]),
  whole("with one part heading of a megabyte", () => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${"n".repeat(mebibyte)}"\r\n\r\nx\r\n`,
    ),
    end,
  ]),
  ...["__proto__", "constructor", "toString"].flatMap((name) => [
    whole(`with the file called ${name}`, () => [file(good, name), end]),
    whole(`with a field called ${name}`, () => [field(name, "x"), file(), end]),
  ]),
  whole("with a name that is JSON", () => [
    field("fileName", '{"toString":1,"valueOf":1}', "content-type: application/json\r\n"),
    file(good, "file", "a.exe"),
    end,
  ]),
  whole("with a name that is broken JSON", () => [
    field("fileName", "{", "content-type: application/json\r\n"),
    file(),
    end,
  ]),
  whole("with a file name that climbs", () => [file(good, "file", "../../../../etc/passwd"), end]),
  whole("with no disposition", () => [Buffer.from(`--${boundary}\r\n\r\n${good}\r\n`), end]),
  whole("with line ends of another system", () => [
    Buffer.from(Buffer.concat([file(), end]).toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
  ]),
  whole("packed and not said how", () => [file(), end], { ...multipartType, "content-encoding": "gzip" }),
  {
    name: "one line of a gigabyte, announced",
    headers: multipartType,
    announced: 1024 * mebibyte,
    body: () => flood(1024),
    heavy: true,
  },
  {
    name: "one line of a gigabyte, in chunks",
    headers: multipartType,
    *body() {
      yield file("").subarray(0, -2);
      yield* flood(1024);
    },
    heavy: true,
  },
  {
    name: "a field of a gigabyte",
    headers: multipartType,
    *body() {
      yield Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="fileName"\r\n\r\n`);
      yield* flood(1024);
    },
    heavy: true,
  },
  {
    name: "a preamble of a gigabyte",
    headers: multipartType,
    body: () => flood(1024, Buffer.alloc(mebibyte, "--")),
    heavy: true,
  },
  {
    name: "part headings of a gigabyte",
    headers: multipartType,
    *body() {
      yield Buffer.from(`--${boundary}\r\n`);
      yield* flood(1024, Buffer.from("x-a: b\r\n".repeat(mebibyte / 8)));
    },
    heavy: true,
  },
  {
    name: "a million parts",
    headers: multipartType,
    *body() {
      yield* flood(100, Buffer.from(field("f", "x").toString().repeat(10_000)));
    },
    heavy: true,
  },
];
