import { createHash } from "node:crypto";

/** Secrets of machines are long and random, so a plain hash keeps them as safe as a slow one would. */
export const hashOfSecret = (secret: string): string => createHash("sha256").update(secret).digest("hex");
