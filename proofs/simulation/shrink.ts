/** Shrinks a failing sequence: it removes pieces as long as the rest still fails. */
import type { Operation } from "./operations.ts";

export type Fails = (operations: readonly Operation[]) => Promise<boolean>;

/** Removes halves first, then quarters, down to single operations, until none can be removed. */
export async function shrink(operations: readonly Operation[], fails: Fails): Promise<Operation[]> {
  let kept = [...operations];
  for (let size = Math.ceil(kept.length / 2); ; size = Math.ceil(size / 2)) {
    const before = kept.length;
    for (let start = kept.length - size; start > -size; start -= size) {
      const shorter = kept.toSpliced(Math.max(0, start), Math.min(size, size + start));
      if (shorter.length < kept.length && (await fails(shorter))) kept = shorter;
    }
    if (size === 1 && kept.length === before) return simplify(kept, fails);
    // After a removal a larger piece may be removable.
    if (size === 1) size = 2;
  }
}

/** Simplifies the remaining operations: without a fault, with fewer payments, with less money. */
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
