/** A fault of the product, as somebody could make it by a slip: a few words of one file are others. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Fault {
  /** What is wrong then, in words. */
  name: string;
  file: string;
  /** Is in the file exactly once. */
  right: string;
  wrong: string;
  caughtBy: Catcher;
  /** Caught within a second or two: one of these is planted in every run of the tests. */
  isQuick?: true;
}

/** The proof or test that has to fail. */
export interface Catcher {
  file: string;
  /** How its title begins. */
  test: string;
}

/** Puts the fault into the tree and answers what takes it out again. */
export function plant(root: string, { name, file, right, wrong }: Omit<Fault, "caughtBy">): () => void {
  const path = join(root, file);
  const text = readFileSync(path, "utf8");
  const parts = text.split(right);
  if (parts.length !== 2) {
    throw new Error(`"${name}" cannot be planted: its text occurs ${parts.length - 1} times in ${file}`);
  }
  writeFileSync(path, parts.join(wrong));
  return () => writeFileSync(path, text);
}
