/**
 * Keys derived from one secret: the signing key and the key that encrypts values in the database. Tokens and encrypted
 * values name the id of their key, so that a secret can be replaced by another without signing users out.
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
import type { AnyTx, Tx } from "../db/database.ts";

/** Column of encrypted texts; its owner says how the operator's commands replace them. */
export interface StoredSecrets {
  /** Returns one value for each key that stored values need. */
  oneOfEachKey(tx: AnyTx): Promise<{ rows: { value: string }[] }>;
  stored(tx: Tx): Promise<{ rows: { id: string; value: string }[] }>;
  store(tx: Tx, id: string, value: string | null): Promise<unknown>;
}

export interface Secrets {
  /** Id of the secret that new values use; it reveals nothing about the secret. */
  keyId: string;
  signingKey: KeyObject;
  verifyingKey: KeyObject;
  /**
   * Returns the keys that may have signed a token with this key id. Tokens without an id are from before keys had ids.
   */
  verifyingKeysOf(keyId: string | undefined): readonly KeyObject[];
  encrypt(text: string): string;
  /** Decrypts values of both secrets. */
  decrypt(text: string): string;
  canDecrypt(text: string): boolean;
  /**
   * Computes a fingerprint that only this installation can make; equal for equal texts while the first secret stays the
   * same.
   */
  seal(text: string): string;
}

/** Fixed start of an Ed25519 private key in PKCS #8; 32 bytes of seed follow it. */
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

/** Returns the id of the key that encrypted a stored value; undefined for values from before keys had ids. */
export const keyIdOf = (stored: string): string | undefined => /^([\da-f]{12})\./.exec(stored)?.[1];

/**
 * Derives all keys. New values never use the second secret, which is the previous one or, during a rolling replacement
 * of processes, the next one.
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
      if (plain === undefined) throw new Error("no secret of this installation decrypts the value");
      return plain;
    },
    canDecrypt: (text) => tryToDecrypt(text) !== undefined,
    seal: (text) => createHmac("sha256", newest.sealKey).update(text).digest("hex"),
  };
}

/** Returns undefined for a value that was encrypted with another key or changed afterwards. */
function decryptWith(key: Buffer, bytes: Buffer): string | undefined {
  try {
    const cipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12), { authTagLength: 16 });
    cipher.setAuthTag(bytes.subarray(12, 28));
    return cipher.update(bytes.subarray(28), undefined, "utf8") + cipher.final("utf8");
  } catch {
    return undefined;
  }
}

/** Returns the keys of the configured secret, or of the one in the data folder. */
export const secretsOf = (config: {
  secret?: string | undefined;
  secondSecret?: string | undefined;
  dataDir: string;
}) => openSecrets(config.secret ?? readOrMakeSecret(config.dataDir), config.secondSecret);

/** Returns the data folder's secret; creates it, readable by its owner only, when there is none. */
function readOrMakeSecret(dataDir: string): string {
  return readSecret(join(dataDir, "secret")) ?? makeSecret(dataDir);
}

const secretLengthMin = 32;

function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, "utf8");
    // An attacker could compute a key that is derived from an empty file.
    if (secret.length < secretLengthMin)
      throw new Error(`${file} does not hold a secret: remove it to get a new one`);
    return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Creates the secret: writes it completely under another name and then links it, so that a kill leaves no partial file
 * and one of two concurrent writers wins.
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
