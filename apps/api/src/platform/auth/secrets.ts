/** Everything secret grows from one secret: the signing key, and the key that encrypts what lies in the database. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Secrets {
  signingKey: KeyObject;
  verifyingKey: KeyObject;
  encrypt(text: string): string;
  decrypt(text: string): string;
  /** A fingerprint only this installation can make: the same for the same text, always. */
  seal(text: string): string;
}

/** The fixed start of an Ed25519 private key in PKCS #8; 32 bytes of seed follow it. */
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

const derive = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "malote", purpose, 32));

export function openSecrets(secret: string): Secrets {
  const signingKey = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, derive(secret, "tokens")]),
    format: "der",
    type: "pkcs8",
  });
  const encryptionKey = derive(secret, "encryption at rest");
  const sealKey = derive(secret, "seals");
  return {
    signingKey,
    verifyingKey: createPublicKey(signingKey),
    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", encryptionKey, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64");
    },
    decrypt(text) {
      const bytes = Buffer.from(text, "base64");
      const cipher = createDecipheriv("aes-256-gcm", encryptionKey, bytes.subarray(0, 12));
      cipher.setAuthTag(bytes.subarray(12, 28));
      return cipher.update(bytes.subarray(28), undefined, "utf8") + cipher.final("utf8");
    },
    seal: (text) => createHmac("sha256", sealKey).update(text).digest("hex"),
  };
}

/** The secret of an installation nobody gave one: made once, readable by its owner only. */
export function keepSecret(dataDir: string): string {
  return readSecret(join(dataDir, "secret")) ?? makeSecret(dataDir);
}

const secretLengthMin = 32;

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, "utf8");
    // A key grown from an empty file could be computed by anybody.
    if (secret.length < secretLengthMin)
      throw new Error(`${file} does not hold a secret: remove it to get a new one`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Written whole beside its place and then linked there: a kill leaves no half of it, and of two makers one wins. */
function makeSecret(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true });
  const file = join(dataDir, "secret");
  const written = `${file}.${process.pid}`;
  const secret = randomBytes(48).toString("base64url");
  writeFileSync(written, secret, { mode: 0o600, flush: true });
  try {
    linkSync(written, file);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    const earlier = readSecret(file);
    if (!earlier) throw error;
    return earlier;
  } finally {
    rmSync(written, { force: true });
  }
}
