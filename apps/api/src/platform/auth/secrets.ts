/**
 * All keys are derived from one secret: the signing key, and the key that encrypts values in the database. Each of
 * them has an id, which tokens and encrypted values name, so that a second secret can be replaced by a first without
 * signing people out.
 */
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
  /** The id of the secret that new values are made with; it reveals nothing of the secret. */
  keyId: string;
  signingKey: KeyObject;
  verifyingKey: KeyObject;
  /** The keys that may have signed a token with this key id. A token without one is from before keys had ids. */
  verifyingKeysOf(keyId: string | undefined): readonly KeyObject[];
  encrypt(text: string): string;
  /** Also decrypts values of the second secret. */
  decrypt(text: string): string;
  canDecrypt(text: string): boolean;
  /**
   * A fingerprint only this installation can make: the same for the same text, as long as the first secret is the
   * same.
   */
  seal(text: string): string;
}

/** The fixed start of an Ed25519 private key in PKCS #8; 32 bytes of seed follow it. */
const ed25519Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

const derive = (secret: string, purpose: string) =>
  Buffer.from(hkdfSync("sha256", secret, "malote", purpose, 32));

function keysOf(secret: string) {
  const signingKey = createPrivateKey({
    key: Buffer.concat([ed25519Prefix, derive(secret, "tokens")]),
    format: "der",
    type: "pkcs8",
  });
  return {
    id: derive(secret, "key id").toString("hex").slice(0, 12),
    signingKey,
    verifyingKey: createPublicKey(signingKey),
    encryptionKey: derive(secret, "encryption at rest"),
    sealKey: derive(secret, "seals"),
  };
}

/** Which key encrypted a stored value; undefined: it is from before keys had ids. */
export const keyIdOf = (stored: string): string | undefined => /^([\da-f]{12})\./.exec(stored)?.[1];

/**
 * New values are never made with the second secret. It is the one before or, while processes are replaced one by one,
 * the next.
 */
export function openSecrets(secret: string, second?: string): Secrets {
  const newest = keysOf(secret);
  const all = second === undefined ? [newest] : [newest, keysOf(second)];
  const keysNamed = (id: string | undefined) => all.filter((keys) => id === undefined || keys.id === id);

  function tryToDecrypt(text: string): string | undefined {
    const id = keyIdOf(text);
    const bytes = Buffer.from(id === undefined ? text : text.slice(id.length + 1), "base64");
    for (const { encryptionKey } of keysNamed(id)) {
      const plain = decryptWith(encryptionKey, bytes);
      if (plain !== undefined) return plain;
    }
    return undefined;
  }

  return {
    keyId: newest.id,
    signingKey: newest.signingKey,
    verifyingKey: newest.verifyingKey,
    verifyingKeysOf: (keyId) => keysNamed(keyId).map((keys) => keys.verifyingKey),
    encrypt(text) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", newest.encryptionKey, nonce);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return `${newest.id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64")}`;
    },
    decrypt(text) {
      const plain = tryToDecrypt(text);
      if (plain === undefined) throw new Error("no secret of this installation decrypts it");
      return plain;
    },
    canDecrypt: (text) => tryToDecrypt(text) !== undefined,
    seal: (text) => createHmac("sha256", newest.sealKey).update(text).digest("hex"),
  };
}

/** Undefined where it was encrypted with another key, or changed since. */
function decryptWith(key: Buffer, bytes: Buffer): string | undefined {
  try {
    const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
    cipher.setAuthTag(bytes.subarray(12, 28));
    return cipher.update(bytes.subarray(28), undefined, "utf8") + cipher.final("utf8");
  } catch {
    return undefined;
  }
}

/** The secret given to an installation, or the one it keeps in its data folder. */
export const secretsOf = (config: {
  secret?: string | undefined;
  secondSecret?: string | undefined;
  dataDir: string;
}) => openSecrets(config.secret ?? keepSecret(config.dataDir), config.secondSecret);

/** The secret of an installation that was given none: made once, readable by its owner only. */
function keepSecret(dataDir: string): string {
  return readSecret(join(dataDir, "secret")) ?? makeSecret(dataDir);
}

const secretLengthMin = 32;

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, "utf8");
    // A key derived from an empty file could be computed by an attacker.
    if (secret.length < secretLengthMin)
      throw new Error(`${file} does not hold a secret: remove it to get a new one`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Written completely under another name and then linked: a kill leaves no half of it, and of two writers one wins.
 */
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
