import { createHash } from "node:crypto";

/** Hashes a secret. Secrets of machines are long and random, so a plain hash protects them as well as a slow one. */
export const hashOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
