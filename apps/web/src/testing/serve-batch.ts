import {
  type Batch,
  listBatches,
  listIssueGroups,
  readBatch,
  readBatchesBlankslate,
  readBatchSummary,
  readReceiversToRemove,
  validateBatch,
} from "@malote/contracts/batches";
import { type Billet, listBillets, readBilletDetails } from "@malote/contracts/billets";
import { createCheckpoint, listBanks, listPaymentAccounts, readCheckpoint } from "@malote/contracts/company";
import { listPixKeys } from "@malote/contracts/pix-keys";
import { listTransfers, readBlacklist, readTransfer, type Transfer } from "@malote/contracts/transfers";
import { fakeServer } from "./fake-server.ts";
import { buildPixKey } from "./pix-keys.ts";

export interface Desk {
  batch: Batch;
  transfers: Transfer[];
  billets?: Billet[];
  balance: number;
  filledFirstSteps: boolean;
  byStatus?: { status: string; count: number; value: number }[];
  /** BAT-071. */
  broughtReceivers?: boolean;
}

const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
const house = { id: "99999593", code: "593", ispb: "99999593", name: "Malote IP", image: null };

/** The calls an open batch makes by itself, answered from one desk that a test may change at any time. */
export function serveBatch(desk: Desk): void {
  const { on } = fakeServer;
  on(readCheckpoint, ({ params }) => ({
    exists: params["id"] === "HAS_FILLED_FIRST_STEPS" ? desk.filledFirstSteps : true,
  }));
  on(readReceiversToRemove, () => ({ data: desk.broughtReceivers ?? false }));
  on(createCheckpoint, () => ({ ok: true as const }));
  on(readBatch, () => ({ ...desk.batch, transfers: [], billets: [] }));
  on(readBatchSummary, () => ({
    returned: 0,
    by_status: desk.byStatus ?? [],
    by_method: [
      {
        payment_method: desk.batch.type === "BILLET" ? "BILLET" : "PIX",
        count: desk.batch.payments_count,
        value: desk.batch.value,
      },
    ],
    balance: desk.balance,
    missing: Math.max(0, desk.batch.value - desk.balance),
  }));
  on(validateBatch, () => ({
    hasTimeError: false,
    hasTimeWarning: false,
    hasDuplicatedIntegrationId: false,
    errors_count: desk.batch.errors_count,
  }));
  on(listIssueGroups, () => ({ data: [], rows_count: desk.batch.errors_count }));
  on(listTransfers, ({ query }) => {
    const isBad = ({ errors, status }: Transfer) => errors.length > 0 || status === "FAILED";
    const found = desk.transfers.filter((one) =>
      query["status"] === "WITH_ERRORS" || query["status"] === "FAILED" ? isBad(one) : true,
    );
    const failed = desk.transfers.filter(isBad);
    const page = Number(query["page"] ?? 0);
    return {
      data: found.slice(page * 50, page * 50 + 50),
      metadata: { pagination: { itemsPerPage: 50, totalItems: found.length } },
      is_all_transfers_scheduled: false,
      failedTransfersSummary: {
        count: failed.length,
        value: failed.reduce((sum, { value }) => sum + (value ?? 0), 0),
        ids: failed.map(({ id }) => id),
      },
    };
  });
  on(readTransfer, ({ params }) => {
    const found = desk.transfers.find(({ id }) => id === params["id"]);
    if (!found) throw new Error("the test asks for a payment it did not give");
    return { ...found, Batch: { id: found.batch_id, name: desk.batch.name } };
  });
  on(listBillets, ({ query }) => {
    const isBad = ({ errors, status }: Billet) => errors.length > 0 || status === "FAILED";
    const found = (desk.billets ?? []).filter((one) => query["status"] !== "WITH_ERRORS" || isBad(one));
    const page = Number(query["page"] ?? 0);
    return {
      data: found.slice(page * 50, page * 50 + 50),
      metadata: { pagination: { itemsPerPage: 50, totalItems: found.length } },
    };
  });
  on(readBilletDetails, ({ params }) => {
    const found = desk.billets?.find(({ id }) => id === params["id"]);
    if (!found) throw new Error("the test asks for a billet it did not give");
    return found;
  });
  on(readBlacklist, () => ({ data: [] }));
  on(listBanks, () => ({ data: [itau, house] }));
  on(listPixKeys, () => ({
    data: [buildPixKey()],
  }));
  on(listPaymentAccounts, () => ({
    data: [
      {
        id: "a",
        Bank: house,
        isPix: false,
        isProviderAccount: true,
        key: null,
        keyType: null,
        agency: "0001",
        account: "10184",
        account_digit: "7",
        account_type: "CONTA_PAGAMENTO",
        operation_type: null,
        cpfCnpj: "27418639000148",
        name: "Aurora Comércio",
        bank_id: house.id,
      },
    ],
  }));
  // The page under the batch.
  on(readBatchesBlankslate, () => ({ data: false }));
  on(listBatches, () => ({
    data: [desk.batch],
    summary: { count: 1, value: desk.batch.value },
    metadata: { pagination: { itemsPerPage: 12, totalItems: 1 } },
  }));
}
