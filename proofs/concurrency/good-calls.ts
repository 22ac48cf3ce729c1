/**
 * How to make a good call of each contract that is marked idempotent. A contract that joins the product joins the proof:
 * without an entry here the proof fails and names it.
 */
import type { Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { sql } from "kysely";
import { saveBankAccount } from "../../apps/api/src/company/store.ts";
import type { Tx } from "../../apps/api/src/platform/db/database.ts";
import { ownAccount } from "../../apps/api/src/testing/payments-kit.ts";
import { fund, makeDrafts, makeFailed } from "./two-processes.ts";
import type { Sent } from "./wire.ts";

export interface GoodCall {
  contract: Contract;
  input: Sent;
  /** The same call with other content. Refused by itself, so that it does nothing also when it comes first. */
  changed: Sent;
  /** What it does to the balance when it is done once. */
  moves: number;
}

const moreThanThereIs = 9_000_000_000_000_00;

type Maker = (tx: Tx, now: Date, values: readonly number[]) => Promise<Omit<GoodCall, "contract">[]>;

function refundOf(
  kind: "PIX" | "BILLET",
  paramsOf: (batchId: string, paymentId: string) => Record<string, string>,
): Maker {
  return async (tx, now, values) => {
    const total = values.reduce((sum, value) => sum + value, 0);
    await fund(tx, now, total);
    const failed = await makeFailed(tx, now, values, kind);
    const valuesById = new Map(
      (
        await sql<{ id: string; value: number }>`
          SELECT id, value FROM transfers
          WHERE company_id = ${tx.companyId} AND id = ANY(${failed.map(({ transferId }) => transferId)}::uuid[])
        `.execute(tx)
      ).rows.map((row) => [row.id, row.value]),
    );
    return failed.map(({ batchId, transferId }) => ({
      input: { params: paramsOf(batchId, transferId) },
      changed: { params: paramsOf(batchId, batchId) },
      moves: valuesById.get(transferId) ?? 0,
    }));
  };
}

const makers: Record<string, Maker> = {
  async closeBatch(tx, now, values) {
    const total = values.reduce((sum, value) => sum + value, 0);
    await fund(tx, now, total);
    const ids = await makeDrafts(tx, now, values);
    return ids.map((id, index) => ({
      input: { params: { id }, body: {} },
      changed: { params: { id }, body: { revision: 99 } },
      moves: -(values[index] ?? 0),
    }));
  },

  refundTransfer: refundOf("PIX", (id, tid) => ({ id, tid })),
  refundBillet: refundOf("BILLET", (id, billetId) => ({ id, billetId })),

  async withdrawBalance(tx, now, values) {
    await fund(
      tx,
      now,
      values.reduce((sum, value) => sum + value, 0),
    );
    await saveBankAccount(tx, "WITHDRAW", ownAccount);
    return values.map((value) => ({
      input: { body: { value } },
      changed: { body: { value: moreThanThereIs } },
      moves: -value,
    }));
  },
};

/** Every contract with the mark, and how its good calls are made. */
export function idempotentContracts(): { contract: Contract; make: Maker }[] {
  return contracts
    .filter((contract) => contract.idempotent)
    .map((contract) => {
      const make = makers[contract.id];
      if (!make)
        throw new Error(`${contract.id} is idempotent, and nobody said how to make a good call of it`);
      return { contract, make };
    });
}
