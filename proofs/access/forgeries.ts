/** Tokens that are not ours, or not valid for their use: each must be refused like a missing token. */
import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { demoCompanies } from "../../apps/api/src/adapters/sandbox/demo/demo-data.ts";
import { openSecrets, type Secrets } from "../../apps/api/src/platform/auth/secrets.ts";

const base64 = (value: object | string) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

/** Returns a token signed as given, validly or not. */
function forge(header: object, claims: object, key: KeyObject | "none" | { hmac: string | Buffer }): string {
  const content = `${base64(header)}.${base64(claims)}`;
  if (key === "none") return `${content}.`;
  const signature =
    "hmac" in key
      ? createHmac("sha256", key.hmac).update(content).digest()
      : sign(key.asymmetricKeyType === "ed25519" ? null : "sha256", Buffer.from(content), key);
  return `${content}.${signature.toString("base64url")}`;
}

const missing = "01990000-0000-7000-8000-0000000fffff";
const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

/** The signing key of another installation. */
export const otherSecrets = openSecrets("x".repeat(48));

/** Builds the forgeries. `token` is a valid one of a person of the first demo company, `stranger` one of the second. */
export function forgeriesOf(secrets: Secrets, token: string, stranger: string, seconds: number) {
  const [aurora, horizonte] = demoCompanies;
  if (!aurora || !horizonte) throw new Error("two companies are needed");
  const header = { alg: "EdDSA", typ: "JWT" };
  const ours = secrets.signingKey;
  const claims = claimsIn(token);
  /** Signs a changed claim with the real key, so that only the claim itself can cause the refusal. */
  const signedClaim = (change: object) => forge(header, { ...claims, ...change }, ours);
  const without = (name: string) => {
    const { [name]: _, ...rest } = claims;
    return forge(header, rest, ours);
  };
  const pem = secrets.verifyingKey.export({ type: "spki", format: "pem" }) as string;
  const der = secrets.verifyingKey.export({ type: "spki", format: "der" });
  const rawKey = Buffer.from(secrets.verifyingKey.export({ format: "jwk" }).x ?? "", "base64url");
  const otherKey = generateKeyPairSync("ed25519").privateKey;
  const pieces = token.split(".") as [string, string, string];
  function flip(part: 0 | 1 | 2, at: number): string {
    const bytes = Buffer.from(pieces[part], "base64url");
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    return pieces.with(part, bytes.toString("base64url")).join(".");
  }

  const forgeries: [string, () => string][] = [
    ...["none", "None", "NONE", "nOnE", ""].flatMap((alg): [string, () => string][] => [
      [`alg '${alg}' and no signature`, () => forge({ ...header, alg }, claims, "none")],
      [
        `alg '${alg}' and the true signature`,
        () => `${base64({ ...header, alg })}.${pieces[1]}.${pieces[2]}`,
      ],
      [`alg '${alg}' and an honest signature of it`, () => forge({ ...header, alg }, claims, ours)],
    ]),
    ...["HS256", "HS384", "HS512"].flatMap((alg): [string, () => string][] => [
      [`${alg} with the public key as text`, () => forge({ ...header, alg }, claims, { hmac: pem })],
      [
        `${alg} with the public key as text, trimmed`,
        () => forge({ ...header, alg }, claims, { hmac: pem.trim() }),
      ],
      [`${alg} with the public key as bytes`, () => forge({ ...header, alg }, claims, { hmac: der })],
      [`${alg} with the raw public key`, () => forge({ ...header, alg }, claims, { hmac: rawKey })],
      [`${alg} with an empty secret`, () => forge({ ...header, alg }, claims, { hmac: "" })],
      [`${alg} with a guessed secret`, () => forge({ ...header, alg }, claims, { hmac: "secret" })],
    ]),
    ...["RS256", "PS256", "ES256", "ES512", "ES256K", "EdDSA "].map((alg): [string, () => string] => [
      `another algorithm, ${alg}`,
      () => forge({ ...header, alg }, claims, ours),
    ]),
    ["another key of the same kind", () => forge(header, claims, otherKey)],
    [
      "another key that comes along in the header",
      () => forge({ ...header, jwk: otherKey.export({ format: "jwk" }) }, claims, otherKey),
    ],
    ["a key named in the header", () => forge({ ...header, kid: "../../dev/null" }, claims, otherKey)],
    ["a key at an address", () => forge({ ...header, jku: "https://evil.example/keys" }, claims, otherKey)],
    ["certificates in the header", () => forge({ ...header, x5c: ["AAAA"] }, claims, otherKey)],
    ["the key of another installation", () => forge(header, claims, otherSecrets.signingKey)],
    [
      "an RSA key",
      () =>
        forge(
          { ...header, alg: "RS256" },
          claims,
          generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey,
        ),
    ],
    ["an unknown critical header", () => forge({ ...header, crit: ["exp2"], exp2: 1 }, claims, ours)],
    ["an unencoded payload", () => forge({ ...header, crit: ["b64"], b64: false }, claims, ours)],
    ["another type", () => forge({ ...header, typ: "at+jwt" }, claims, ours)],
    ["no type", () => forge({ alg: "EdDSA" }, claims, ours)],
    ["no algorithm", () => forge({ typ: "JWT" }, claims, ours)],
    ["the true signature cut off", () => `${pieces[0]}.${pieces[1]}.`],
    ["the true signature cut short", () => token.slice(0, -4)],
    ["a signature of zeros", () => `${pieces[0]}.${pieces[1]}.${base64("\0".repeat(64))}`],
    ["a changed bit in the signature", () => flip(2, 10)],
    ["a changed bit in the content", () => flip(1, 40)],
    ["a changed bit in the header", () => flip(0, 5)],
    [
      "another person's content under this signature",
      () => `${pieces[0]}.${stranger.split(".")[1]}.${pieces[2]}`,
    ],
    [
      "another profile under the true signature",
      () => `${pieces[0]}.${base64({ ...claims, profile: "operator" })}.${pieces[2]}`,
    ],
    [
      "a longer life under the true signature",
      () => `${pieces[0]}.${base64({ ...claims, exp: seconds + 86_400 })}.${pieces[2]}`,
    ],
    ["nothing but dots", () => ".."],
    ["one part", () => pieces[0]],
    ["two parts", () => `${pieces[0]}.${pieces[1]}`],
    ["four parts", () => `${token}.${pieces[2]}`],
    ["five parts, as if encrypted", () => `${token}.a.b`],
    ["content that is no JSON", () => `${base64(header)}.${base64("{")}.${pieces[2]}`],
    ["content that is a list", () => forge(header, [claims], ours)],
    ["a very long token", () => signedClaim({ name: "x".repeat(20_000) })],

    ["a wrong issuer", () => signedClaim({ iss: "somebody" })],
    ["a list of issuers", () => signedClaim({ iss: ["malote"] })],
    ["no issuer", () => without("iss")],
    ["a wrong audience", () => signedClaim({ aud: "malote-second-factor" })],
    ["no audience", () => without("aud")],
    ["an empty list of audiences", () => signedClaim({ aud: [] })],
    ["no end", () => without("exp")],
    ["an end in words", () => signedClaim({ exp: "never" })],
    ["an end as text", () => signedClaim({ exp: String(seconds + 600) })],
    ["an end that is no number", () => signedClaim({ exp: null })],
    ["an end in the past", () => signedClaim({ exp: seconds - 1 })],
    ["an end right now", () => signedClaim({ exp: seconds })],
    ["a beginning in the future", () => signedClaim({ nbf: seconds + 600 })],
    ["no id", () => without("jti")],
    ["an id that is no id", () => signedClaim({ jti: "1" })],
    ["no time of making", () => without("iat")],
    ["no subject", () => without("sub")],
    ["another subject", () => signedClaim({ sub: aurora.users[1]?.id })],
    ["a subject that speaks SQL", () => signedClaim({ sub: "' OR 1=1 --" })],
    ["another company's subject", () => signedClaim({ sub: horizonte.users[0]?.id })],
    ["no session", () => without("sid")],
    ["a session that never was", () => signedClaim({ sid: missing })],
    ["another company's session", () => signedClaim({ sid: claimsIn(stranger)["sid"] })],
    [
      "another company",
      () => signedClaim({ company: { ...(claims["company"] as object), id: horizonte.id } }),
    ],
    [
      "a company that speaks SQL",
      () => signedClaim({ company: { ...(claims["company"] as object), id: "'; DROP TABLE users" } }),
    ],
    ["no company", () => without("company")],
    ["an application that is none", () => signedClaim({ application: { id: "cards", name: "" } })],
    ["a person who says to be a machine", () => signedClaim({ kind: "machine" })],
    [
      "a machine that says to be a person",
      () => signedClaim({ kind: "user", sub: aurora.credential.id, sid: aurora.credential.id }),
    ],
    ["a machine that never was", () => signedClaim({ kind: "machine", sub: missing, sid: missing })],
    ["another kind of bearer", () => signedClaim({ kind: "system" })],
    ["an unknown profile", () => signedClaim({ profile: "root" })],
    ["a token doubled", () => `${token}.${token}`],
    ["doubled dots", () => pieces.join("..")],
    ["a leading dot", () => `.${token}`],
    ["a trailing dot", () => `${token}.`],
    ["a byte of zero inside", () => `${pieces[0]}.${pieces[1]}%00.${pieces[2]}`],
    ["letters of another script", () => `${pieces[0]}.${pieces[1]}\u00e9.${pieces[2]}`],
    ["padding after its parts", () => pieces.map((piece) => `${piece}=`).join(".")],
    ["the other alphabet of base64", () => `${pieces[0]}.${pieces[1]}.+/${pieces[2].slice(2)}`],
    ["two tokens, parted by a comma", () => `${token}, ${token}`],
    ["quotes around it", () => `"${token}"`],
    ["another person's session", () => signedClaim({ sub: aurora.users[1]?.id })],
    ["another company's person", () => signedClaim({ sub: horizonte.users[0]?.id })],
    ["a session without a person", () => signedClaim({ sid: "00000000-0000-0000-0000-000000000000" })],
    ["not good before tomorrow", () => signedClaim({ nbf: seconds + 86_400 })],
  ];

  return forgeries;
}
