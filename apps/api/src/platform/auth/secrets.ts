/** Everything secret grows from one secret: the signing key, and the key that encrypts what lies in the database. */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Secrets {
  signingKey: KeyObject;
  verifyingKey: KeyObject;
  encrypt(text: string): string;
  decrypt(text: string): string;
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
  };
}

/** The secret of an installation nobody gave one: made once, readable by its owner only. */
export function keepSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
  mkdirSync(dataDir, { recursive: true });
  const secret = randomBytes(48).toString("base64url");
  writeFileSync(file, secret, { mode: 0o600 });
  chmodSync(file, 0o600);
  return secret;
}
