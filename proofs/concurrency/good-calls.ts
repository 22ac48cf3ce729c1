/**
 * Valid calls of each contract marked idempotent. The proof covers a new contract automatically: without an entry here
 * it fails and names the contract.
 */
import { randomUUID } from "node:crypto";
import type { Contract } from "@malote/contracts/contract";
import { contracts } from "@malote/contracts/index";
import { microDepositValue } from "@malote/domain/validation";
import { sql } from "kysely";
import {
  type CompanyBankAccount,
  changeSettings,
  findBankAccount,
  readCompany,
  saveBankAccount,
} from "../../apps/api/src/company/store.ts";
import { insertInfraction } from "../../apps/api/src/contestations/store.ts";
import { insertRequest } from "../../apps/api/src/controls/requests-store.ts";
import { receiveUnrequested } from "../../apps/api/src/payins/money.ts";
import { markSentToApproval } from "../../apps/api/src/payouts/batches/life-store.ts";
import { readDigest } from "../../apps/api/src/payouts/batches/store.ts";
import type { Tx } from "../../apps/api/src/platform/db/database.ts";
import { uuidv7 } from "../../apps/api/src/platform/uuid.ts";
import { ownAccount } from "../../apps/api/src/testing/payments-kit.ts";
import { receivePix } from "../../apps/api/src/testing/received-money.ts";
import {
  makeDrafts,
  makeFailed,
  makeScheduled,
  makeScheduledBoletos,
  type PaidPayment,
} from "./two-processes.ts";
import type { Sent } from "./wire.ts";

export interface GoodCall {
  contract: Contract;
  input: Sent;
  /**
   * The same call with other content, which the server refuses by itself, so that it has no effect even if it arrives
   * first.
   */
  changed: Sent;
  /** The change of the balance when the call is executed once. */
  moves: number;
}

const moreThanThereIs = 9_000_000_000_000_00;

/** Saves the company's own account, the only one that withdrawals may go to. */
async function saveOwnAccount(tx: Tx): Promise<CompanyBankAccount> {
  const { taxId, name } = await readCompany(tx);
  await saveBankAccount(tx, { ...ownAccount, name, cpfCnpj: taxId });
  const kept = await findBankAccount(tx);
  if (!kept) throw new Error("the account was not kept");
  return kept;
}

type Maker = (tx: Tx, now: Date, values: readonly number[]) => Promise<Omit<GoodCall, "contract">[]>;

function givenBack(
  make: (tx: Tx, now: Date, values: readonly number[]) => Promise<PaidPayment[]>,
  paramsOf: (batchId: string, paymentId: string) => Record<string, string>,
): Maker {
  return async (tx, now, values) => {
    await receivePix(tx, now, values);
    const made = await make(tx, now, values);
    const valuesById = new Map(
      (
        await sql<{ id: string; value: number }>`
          SELECT id, value FROM transfers
          WHERE company_id = ${tx.companyId} AND id = ANY(${made.map(({ transferId }) => transferId)}::uuid[])
        `.execute(tx)
      ).rows.map((row) => [row.id, row.value]),
    );
    return made.map(({ batchId, transferId }) => ({
      input: { params: paramsOf(batchId, transferId) },
      changed: { params: paramsOf(batchId, batchId) },
      moves: valuesById.get(transferId) ?? 0,
    }));
  };
}

/** Builds the bulk call for the same payment, as one of many selected. */
function ofMany({ input }: Pick<GoodCall, "input">, moves: number): Omit<GoodCall, "contract"> {
  const { id = "", tid = "" } = input.params ?? {};
  return {
    input: { params: { id }, body: { ids: [tid] } },
    changed: { params: { id }, body: { ids: [randomUUID()] } },
    moves,
  };
}

/** Creates a contested Pix and returns the infraction. */
async function contestedPix(tx: Tx, now: Date, value: number): Promise<string> {
  const [id, paymentId] = [uuidv7(), `E88888801202608121300${uuidv7().slice(-11)}`];
  const jobs = { enqueue: async () => undefined, work: async () => undefined, stop: async () => undefined };
  const arrival = { channel: "pix", paymentId, value, at: now.toISOString(), payer: null } as const;
  await receiveUnrequested(tx, jobs, arrival, { id: uuidv7(), payment_type: "pix_key" }, now);
  await insertInfraction(tx, {
    id,
    provider_id: id,
    transaction_id: paymentId,
    txid: null,
    amount: value,
    payer_name: "Mariana Teles Prado",
    payer_tax_id: null,
    situation_type: "scam",
    infraction_description: null,
    infraction_date: now,
    analysis_due_at: new Date(now.getTime() + 24 * 3_600_000),
  });
  return id;
}

const microDeposits: Maker = async (tx, now, values) => {
  // A person requests a hundred in a quarter of an hour at most, so the earlier ones are made older.
  await sql`
    UPDATE validations SET created_at = created_at - interval '1 hour' WHERE company_id = ${tx.companyId}
  `.execute(tx);
  await receivePix(tx, now, [values.length * microDepositValue]);
  await changeSettings(tx, { uses_micro_deposit: true });
  const query = { type: "MICRO_DEPOSIT" };
  return values.map((value) => ({
    input: { query, body: { pix_key_type: "EMAIL", pix_key: `pessoa.${value}@exemplo.com.br` } },
    changed: { query, body: { pix_key_type: "EMAIL", pix_key: "ninguem" } },
    moves: -microDepositValue,
  }));
};

const makers: Record<string, Maker> = {
  async closeBatch(tx, now, values) {
    await receivePix(tx, now, values);
    const ids = await makeDrafts(tx, now, values);
    return ids.map((id, index) => ({
      input: { params: { id }, body: {} },
      changed: { params: { id }, body: { revision: 99 } },
      moves: -(values[index] ?? 0),
    }));
  },

  async approveBatch(tx, now, values) {
    await receivePix(tx, now, values);
    const ids = await makeDrafts(tx, now, values);
    const made: Omit<GoodCall, "contract">[] = [];
    for (const [index, id] of ids.entries()) {
      const digest = await readDigest(tx, id);
      await markSentToApproval(tx, id, "WAITING_APPROVAL", { revision: 1, digest });
      made.push({
        input: { params: { id }, body: { revision: 1, digest } },
        changed: { params: { id }, body: { revision: 99, digest } },
        moves: -(values[index] ?? 0),
      });
    }
    return made;
  },

  async approveRequest(tx, now, values) {
    await receivePix(tx, now, values);
    const account = await saveOwnAccount(tx);
    const made: Omit<GoodCall, "contract">[] = [];
    for (const value of values) {
      const [id, requestedBy] = [uuidv7(), uuidv7()];
      await insertRequest(tx, {
        id,
        kind: "WITHDRAWAL",
        object_id: uuidv7(),
        payload: { value, account },
        facts: [],
        amount: value,
        digest: "as it was asked for",
        requested_by_kind: "user",
        requested_by: requestedBy,
        requested_by_name: "Rui Tavares",
        preparers: [requestedBy],
        has_unknown_preparer: false,
        approvers_min: 1,
        created_at: now,
        expires_at: new Date(now.getTime() + 3_600_000),
      });
      made.push({
        input: { params: { id }, body: { digest: "as it was asked for" } },
        changed: { params: { id }, body: { digest: "another" } },
        moves: -value,
      });
    }
    return made;
  },

  refundTransfer: givenBack(makeFailed, (id, tid) => ({ id, tid })),
  refundBoleto: givenBack(
    (tx, now, values) => makeFailed(tx, now, values, "BILLET"),
    (id, billetId) => ({ id, billetId }),
  ),
  async returnFailures(tx, now, values) {
    const made = await givenBack(makeFailed, (id, tid) => ({ id, tid }))(tx, now, values);
    return made.map((call) => ofMany(call, call.moves));
  },
  /** The money stays reserved. */
  async resendFailures(tx, now, values) {
    const made = await givenBack(makeFailed, (id, tid) => ({ id, tid }))(tx, now, values);
    return made.map((call) => ofMany(call, 0));
  },
  removeBoleto: givenBack(makeScheduledBoletos, (id, billetId) => ({ id, billetId })),

  async cancelScheduledBatch(tx, now, values) {
    await receivePix(tx, now, values);
    const ids = await makeScheduled(tx, now, values);
    return ids.map((id, index) => ({
      input: { params: { id } },
      changed: { params: { id: randomUUID() } },
      moves: values[index] ?? 0,
    }));
  },

  async refundPayin(tx, now, values) {
    const payins = await receivePix(tx, now, values);
    return payins.map((id, index) => ({
      input: { params: { id }, body: { amount: values[index] ?? 0 } },
      changed: { params: { id }, body: { amount: moreThanThereIs } },
      moves: -(values[index] ?? 0),
    }));
  },

  async approveInfractions(tx, now, values) {
    const ids: string[] = [];
    for (const value of values) ids.push(await contestedPix(tx, now, value));
    return ids.map((id, index) => ({
      input: { body: { infraction_ids: [id], analysis: "accepted" } },
      changed: { body: { infraction_ids: [uuidv7()], analysis: "accepted" } },
      moves: -(values[index] ?? 0),
    }));
  },

  async withdrawBalance(tx, now, values) {
    await receivePix(tx, now, values);
    await saveOwnAccount(tx);
    return values.map((value) => ({
      input: { body: { value } },
      changed: { body: { value: moreThanThereIs } },
      moves: -value,
    }));
  },

  createValidation: microDeposits,
  validateDraftAccount: microDeposits,
};

/** Returns every marked contract with the maker of its valid calls. */
export function idempotentContracts(): { contract: Contract; make: Maker }[] {
  return contracts
    .filter((contract) => contract.idempotent)
    .map((contract) => {
      const make = makers[contract.id];
      if (!make) throw new Error(`${contract.id} is idempotent, and no good call of it is defined`);
      return { contract, make };
    });
}
