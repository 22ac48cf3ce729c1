/** Makes a failing sequence small: pieces are left out for as long as it still fails. */
import type { Operation } from "./operations.ts";

export type Fails = (operations: readonly Operation[]) => Promise<boolean>;

/** Halves first, then quarters, down to single operations, again until none can be left out. */
export async function shrink(operations: readonly Operation[], fails: Fails): Promise<Operation[]> {
  let kept = [...operations];
  for (let size = Math.ceil(kept.length / 2); ; size = Math.ceil(size / 2)) {
    const before = kept.length;
    for (let start = kept.length - size; start > -size; start -= size) {
      const shorter = kept.toSpliced(Math.max(0, start), Math.min(size, size + start));
      if (shorter.length < kept.length && (await fails(shorter))) kept = shorter;
    }
    if (size === 1 && kept.length === before) return simplify(kept, fails);
    // Something went, so something bigger may go now.
    if (size === 1) size = 2;
  }
}

/** What is left is made plainer: without its fault, with fewer payments, over less money. */
async function simplify(operations: readonly Operation[], fails: Fails): Promise<Operation[]> {
  let kept = [...operations];
  for (let index = 0; index < kept.length; index++) {
    for (;;) {
      const operation = kept[index] as Operation;
      let plainer: Operation | undefined;
      for (const candidate of plainerThan(operation)) {
        if (await fails(kept.with(index, candidate))) plainer = candidate;
        if (plainer) break;
      }
      if (!plainer) break;
      kept = kept.with(index, plainer);
    }
  }
  return kept;
}

function plainerThan(operation: Operation): Operation[] {
  const candidates: Operation[] = [];
  if ("fault" in operation) {
    const { fault: _, ...whole } = operation;
    candidates.push(whole as Operation);
  }
  if (operation.do === "create" || operation.do === "items" || operation.do === "sheet") {
    const { payments } = operation;
    const least = operation.do === "create" ? 0 : 1;
    if (payments.length > least)
      candidates.push(
        ...payments.map((_, index) => ({ ...operation, payments: payments.toSpliced(index, 1) })),
      );
  }
  if (operation.do === "withdraw" && operation.value > 1) candidates.push({ ...operation, value: 1 });
  return candidates;
}
