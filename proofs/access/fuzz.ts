/** Requests that no client sends by accident, generated from the schemas of the calls. */
import { bases, type Contract } from "@malote/contracts/contract";
import fc from "fast-check";
import { type Schema, schemaOf } from "./schemas.ts";

/** A request as it is sent. The body is text, because an object cannot represent half of the invalid bodies. */
export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  payload: string;
  bearer: "admin" | "operator" | "analyst" | "machine" | "none";
  /** False where the address has no call of this method. */
  isCall: boolean;
}

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth);

/** JSON texts that replace any value. */
const hostileJson = fc.oneof(
  fc.constantFrom(
    ...[
      "null",
      "true",
      "0",
      "-0",
      "-1",
      "0.1",
      "1e308",
      "-1e308",
      "1e-7",
      "9007199254740993",
      "123456789012345678901234567890",
    ],
    ...[
      '""',
      '" "',
      '"\\u0000"',
      '"\\ud800"',
      '"\\udc00a"',
      '"\\uffff\\ufeff"',
      '"\\u202e"',
      '"%00"',
      '"%"',
      '"\'; DROP TABLE users; --"',
    ],
    ...[
      '"__proto__"',
      '"constructor"',
      '"=1+1"',
      '"<script>"',
      '"../../etc"',
      '"2026-02-30"',
      '"0000-01-01"',
      '"9999-12-31"',
      '"-271821-04-20"',
    ],
    ...[
      "[]",
      "{}",
      "[null]",
      "[[]]",
      '{"__proto__":{"a":1}}',
      '{"constructor":{"prototype":{"a":1}}}',
      '{"toString":1}',
      '{"":""}',
      '{"length":-1}',
    ],
    ...[
      nested(500, "[", "]"),
      nested(500, '{"a":', "").concat("1", "}".repeat(500)),
      `"${"x".repeat(10_000)}"`,
      `[${"0,".repeat(5_000)}0]`,
    ],
  ),
  fc.string({ unit: "binary", maxLength: 40 }).map((text) => JSON.stringify(text)),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.json({ maxDepth: 4 }),
);

/** Bodies that are not JSON, or that parsers refuse. */
const brokenJson = fc.constantFrom(
  ...[
    "",
    " ",
    "{",
    "}",
    "[",
    '"',
    "nul",
    "{a:1}",
    "{'a':1}",
    '{"a":1,}',
    '{"a":1}{"a":1}',
    "\u0000",
    "\ufeff{}",
    "NaN",
    "Infinity",
    "undefined",
  ],
  ...[
    '{"a":1,"a":2}',
    '{"__proto__":null}',
    nested(20_000, "[", "]"),
    nested(100_000, "[", ""),
    '{"a":"\\x"}',
    "\ud800",
    "//x\n{}",
  ],
);

const ordinaryText = (schema: Schema, pool: readonly string[]): fc.Arbitrary<string> => {
  const { format, pattern, minLength = 0, maxLength = 60 } = schema;
  if (format === "uuid") return pool.length > 0 ? fc.oneof(fc.constantFrom(...pool), fc.uuid()) : fc.uuid();
  if (format === "date")
    return fc
      .date({ min: new Date("2026-01-01"), max: new Date("2027-12-31"), noInvalidDate: true })
      .map((day) => day.toISOString().slice(0, 10));
  if (format === "date-time")
    return fc
      .date({ min: new Date("2026-08-12"), max: new Date("2026-12-31"), noInvalidDate: true })
      .map((day) => day.toISOString());
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const longest = Math.min(maxLength, 60);
  return fc.oneof(
    fc.string({ minLength, maxLength: longest }),
    fc.string({ unit: "binary", minLength, maxLength: longest }),
    fc
      .constantFrom(
        "Maria Souza",
        "maria@exemplo.com.br",
        "11222333000181",
        "60701190",
        "1234",
        "100,00",
        "%",
        "_",
      )
      .map((text) => text.slice(0, longest).padEnd(minLength, "x")),
  );
};

/** Generates JSON texts that mostly fit the schema; occasionally one place holds another value. */
export function jsonLike(schema: Schema, pool: readonly string[], wrong: number): fc.Arbitrary<string> {
  const fitting = jsonFitting(schema, pool, wrong);
  return wrong === 0
    ? fitting
    : fc.oneof({ weight: 100 - wrong, arbitrary: fitting }, { weight: wrong, arbitrary: hostileJson });
}

function jsonFitting(schema: Schema, pool: readonly string[], wrong: number): fc.Arbitrary<string> {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => jsonLike(choice, pool, wrong)));
  if (schema.const !== undefined) return fc.constant(JSON.stringify(schema.const));
  if (schema.enum) return fc.constantFrom(...schema.enum.map((value) => JSON.stringify(value)));
  switch (schema.type) {
    case "null":
      return fc.constant("null");
    case "boolean":
      return fc.constantFrom("true", "false");
    case "integer":
    case "number": {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema;
      const small = fc.integer({ min: Math.max(minimum, -1_000), max: Math.min(maximum, 100_000) });
      return fc.oneof(small, fc.constantFrom(minimum, maximum)).map(String);
    }
    case "string":
      return ordinaryText(schema, pool).map((text) => JSON.stringify(text));
    case "array": {
      const { minItems = 0, maxItems = 4, items = {} } = schema;
      return fc
        .array(jsonLike(items, pool, wrong), {
          minLength: minItems,
          maxLength: Math.max(minItems, Math.min(maxItems, 4)),
        })
        .map((texts) => `[${texts.join()}]`);
    }
    case "object":
      return jsonObject(schema, pool, wrong);
    default:
      return hostileJson;
  }
}

function jsonObject(schema: Schema, pool: readonly string[], wrong: number): fc.Arbitrary<string> {
  const { properties = {}, required = [], additionalProperties } = schema;
  const fields = Object.entries(properties).map(([name, inner]) => {
    const field = jsonLike(inner, pool, wrong).map((text) => `${JSON.stringify(name)}:${text}`);
    return required.includes(name)
      ? field.map((text) => [text])
      : fc.oneof(
          fc.constant<string[]>([]),
          field.map((text) => [text]),
        );
  });
  const others =
    typeof additionalProperties === "object"
      ? fc.array(
          fc
            .tuple(
              fc.oneof(fc.string(), fc.constantFrom("name", "value", "cpf_cnpj", "__proto__", "constructor")),
              jsonLike(additionalProperties, pool, wrong),
            )
            .map(([name, text]) => `${JSON.stringify(name)}:${text}`),
          { maxLength: 3 },
        )
      : fc.constant<string[]>([]);
  return fc.tuple(...fields, others).map((groups) => `{${groups.flat().join()}}`);
}

const hostileText = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "0",
    "-1",
    "1e9",
    "%00",
    "%ff",
    "%",
    "a/b",
    "..",
    "null",
    "NaN",
    "[object Object]",
    "'",
    "\u0000",
    "x".repeat(400),
    "9".repeat(30),
  ),
  fc.string({ unit: "binary", maxLength: 20 }),
);

/** Generates a value of an address: one that fits the schema, without the quotes of JSON. */
const addressText = (schema: Schema, pool: readonly string[], wrong: number): fc.Arbitrary<string> =>
  fc.oneof(
    {
      weight: 100 - wrong,
      arbitrary: jsonFitting(schema, pool, 0).map((text) => (text.startsWith('"') ? JSON.parse(text) : text)),
    },
    { weight: wrong, arbitrary: hostileText },
  );

/** Encodes a value; half a surrogate pair cannot be in an address, so a caller sends its bytes. */
const encoded = (text: string) => encodeURIComponent(text.toWellFormed());

function address(contract: Contract, pool: readonly string[], wrong: number): fc.Arbitrary<string> {
  const params = Object.entries(schemaOf(contract, "params")?.properties ?? {});
  const query = Object.entries(schemaOf(contract, "query")?.properties ?? {});
  const required = schemaOf(contract, "query")?.required ?? [];
  const pairs = query.map(([name, schema]) => {
    const value = addressText(schema, pool, wrong).map((text) => `${name}=${encoded(text)}`);
    const none =
      required.includes(name) && wrong === 0 ? value.map((text) => [text]) : fc.constant<string[]>([]);
    // A repeated parameter is a list.
    return fc.oneof(
      { weight: 6, arbitrary: value.map((text) => [text]) },
      { weight: required.includes(name) ? 1 : 4, arbitrary: none },
      { weight: wrong > 0 ? 1 : 0, arbitrary: fc.tuple(value, value) },
    );
  });
  return fc
    .tuple(
      fc.tuple(
        ...params.map(([name, schema]) =>
          addressText(schema, pool, wrong).map((text) => [name, text] as const),
        ),
      ),
      fc.tuple(...pairs),
      fc.constantFrom("", "", "", "", "__proto__[a]=1", "a[]=1&a[b]=2", "=", "&&&", "x".repeat(2_000)),
    )
    .map(([values, found, odd]) => {
      const given = new Map(values);
      const path = contract.path.replace(/:(\w+)/g, (_, name: string) => encoded(given.get(name) || "x"));
      const search = [...found.flat(), ...(odd && wrong > 0 ? [odd] : [])].join("&");
      return bases[contract.base] + path + (search && `?${search}`);
    });
}

const oddHeaders = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { accept: "application/xml" },
  { "content-encoding": "gzip" },
  { "x-request-id": "'; --" },
  { "x-request-id": "x".repeat(5_000) },
  { "x-forwarded-for": "256.1.1.1, ::1" },
  { "x-forwarded-proto": "gopher" },
  { host: "" },
  { host: "a b:99999" },
  { "idempotency-key": "x".repeat(65) },
  { "idempotency-key": "\u00e9" },
  { "if-none-match": "*", range: "bytes=0-1" },
  { "accept-language": "x".repeat(3_000) },
);

const contentTypes = fc.oneof(
  { weight: 12, arbitrary: fc.constant("application/json") },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...[
        "text/plain",
        "application/xml",
        "application/x-www-form-urlencoded",
        "application/json; charset=utf-16",
        "application/json; charset=x",
      ],
      ...[
        "application/",
        "/",
        ";",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "application/jsonp",
        "APPLICATION/JSON",
        "",
      ],
    ),
  },
);

const forms = fc.constantFrom(
  "",
  "--x--\r\n",
  "--x\r\n\r\n\r\n--x--\r\n",
  '--x\r\ncontent-disposition: form-data; name="file"\r\n\r\na\r\n--x--\r\n',
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nNome;Chave Pix;Valor\r\nAna;a@b.com;1,00\r\n--x--\r\n',
  '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nhalf of it',
  '--x\r\ncontent-disposition: form-data; name="file"; filename="../../\u0000.csv"\r\n\r\na;b\r\n--x--\r\n',
  '--x\r\ncontent-disposition: form-data; name="__proto__"; filename="a.xlsx"\r\n\r\nPK\u0003\u0004\r\n--x--\r\n',
  `--x\r\ncontent-disposition: form-data; name="fileName"\r\n\r\n${"x".repeat(2_000)}\r\n--x--\r\n`,
  `${'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n'.repeat(50)}--x--\r\n`,
  `--x\r\n${"a: b\r\n".repeat(200)}\r\n--x--\r\n`,
);

/** Generates one request to a call. `pool` holds existing ids. */
export function requestTo(contract: Contract, pool: readonly string[]): fc.Arbitrary<WireRequest> {
  const body = schemaOf(contract, "body");
  const json = (wrong: number) => (body ? jsonLike(body, pool, wrong) : hostileJson);
  const isForm = contract.transport === "multipart";
  const bearer = fc.constantFrom<WireRequest["bearer"]>(
    "admin",
    "admin",
    "admin",
    "admin",
    "operator",
    "machine",
    "analyst",
    "none",
  );
  const key = fc.oneof(fc.uuid(), fc.constantFrom("again", "", " "));
  const write = (wrong: number) =>
    fc.record({
      url: address(contract, pool, Math.min(wrong, 10)),
      payload: isForm ? forms : wrong > 50 ? fc.oneof(brokenJson, hostileJson) : json(wrong),
      type: isForm
        ? fc.constantFrom(
            "multipart/form-data; boundary=x",
            "multipart/form-data; boundary=x",
            "multipart/form-data",
          )
        : wrong === 0
          ? fc.constant("application/json")
          : contentTypes,
      odd: wrong === 0 ? fc.constant({}) : oddHeaders,
      key,
      bearer,
    });
  const hasBody = contract.method !== "GET";
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"].filter(
    (method) => method !== contract.method,
  );
  return fc
    .tuple(
      fc.oneof(
        { weight: 4, arbitrary: write(0) },
        { weight: 4, arbitrary: write(8) },
        { weight: 2, arbitrary: write(60) },
      ),
      fc.oneof(
        { weight: 19, arbitrary: fc.constant(contract.method as string) },
        { weight: 1, arbitrary: fc.constantFrom(...methods) },
      ),
    )
    .map(([{ url, payload, type, odd, key: idempotencyKey, bearer: who }, method]) => ({
      method,
      url,
      payload: hasBody ? payload : "",
      bearer: contract.policy.access === "session" ? who : "none",
      isCall: method === contract.method,
      headers: {
        ...(hasBody && type && { "content-type": type }),
        ...(contract.idempotent && idempotencyKey && { "idempotency-key": idempotencyKey }),
        ...odd,
      },
    }));
}
