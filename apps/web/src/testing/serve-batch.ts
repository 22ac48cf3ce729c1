import { listIssueGroups } from "@malote/contracts/batch-issues";
import { readReceiversToRemove } from "@malote/contracts/batch-life";
import {
  type Batch,
  listBatches,
  readBatch,
  readBatchesBlankslate,
  readBatchSummary,
  readHasFailed,
  validateBatch,
} from "@malote/contracts/batches";
import { type Boleto, listBoletos, readBoletoDetails } from "@malote/contracts/boletos";
import { type BatchChecks, readBatchChecks } from "@malote/contracts/checks";
import { createCheckpoint, listBanks, listPaymentAccounts, readCheckpoint } from "@malote/contracts/company";
import { type Failures, listFailures } from "@malote/contracts/failures";
import type { KeyHolder } from "@malote/contracts/key-holder";
import { listPixKeys } from "@malote/contracts/pix-keys";
import {
  listFailedTransferIds,
  listTransfers,
  readBlacklist,
  readTransfer,
  type Transfer,
} from "@malote/contracts/transfers";
import { beforeAll } from "vitest";
import { fakeServer, refuse } from "./fake-server.ts";
import { buildPixKey } from "./pix-keys.ts";

// Loads the batch's screen in advance, so that the first test does not wait for it.
beforeAll(() => import("../batches/batch-modal.tsx"));

export interface Desk {
  batch: Batch;
  transfers: Transfer[];
  boletos?: Boleto[];
  balance: number;
  filledFirstSteps: boolean;
  byStatus?: { status: string; count: number; value: number }[];
  /** BAT-071: true when the batch imported receivers. */
  importedReceivers?: boolean;
  /** Checks of the batch; none unless set. */
  checks?: BatchChecks["data"];
  /** Holder of the payments' key by the directory. */
  keyHolder?: KeyHolder;
  flags?: { hasTimeError?: boolean; hasTimeWarning?: boolean; hasDuplicatedIntegrationId?: boolean };
}

const itau = { id: "60701190", code: "341", ispb: "60701190", name: "Itaú Unibanco", image: null };
const house = { id: "99999593", code: "593", ispb: "99999593", name: "Mesa Pagamentos IP", image: null };

/** Answers as the server does: a confirmed check is no longer missing. */
export function checksOf({ batch, transfers, checks = [] }: Desk): BatchChecks {
  return {
    revision: batch.revision,
    data: checks,
    missing: checks.filter(({ severity, confirmed }) => severity === "tick" && !confirmed),
    summary: {
      count: batch.payments_count,
      value: batch.value,
      by_method: [
        {
          payment_method: batch.type === "BILLET" ? "BILLET" : "PIX",
          count: batch.payments_count,
          value: batch.value,
        },
      ],
      alerts: checks.reduce((sum, { severity, count }) => sum + (severity === "note" ? 0 : count), 0),
      new_receivers: checks.find(({ kind }) => kind === "new_receiver")?.count ?? 0,
      largest: [...transfers]
        .sort((a, b) => (b.value ?? 0) - (a.value ?? 0))
        .slice(0, 5)
        .map(({ id, value, destination_bank_account: { name } }) => ({ id, name, value: value ?? 0 })),
    },
  };
}

/** Failures as an admin with every permission sees them. */
export function failuresOf({ batch, transfers }: Desk): Failures {
  const failed = transfers.filter(({ status }) => status === "FAILED");
  return {
    data: failed.map(({ id, value, status_description, destination_bank_account: to }) => ({
      id,
      name: to.name,
      to: `Pix ${to.pix_key}`,
      value: value ?? 0,
      reason: status_description,
      receiver_id: to.id,
      waits_for_approval: false,
      retry_problem: null,
      retry_checks: [],
      version: `of ${id}`,
    })),
    total: { count: failed.length, value: failed.reduce((sum, { value }) => sum + (value ?? 0), 0) },
    type: batch.type,
    retry: { allowed: true, why_not: null, waits_for_approval: false },
    give_back: { allowed: true, why_not: null },
    ask: [],
  };
}

/** Serves the calls that an open batch makes by itself, from one desk that a test may change at any time. */
export function serveBatch(desk: Desk): void {
  const { on } = fakeServer;
  /** Answers as the server does: another batch is not found. */
  const ofBatch: typeof on = (contract, handler) =>
    on(contract, (seen) => (seen.params["id"] === desk.batch.id ? handler(seen) : refuse("not_found")));
  on(readCheckpoint, ({ params }) => ({
    exists: params["id"] === "HAS_FILLED_FIRST_STEPS" ? desk.filledFirstSteps : true,
  }));
  ofBatch(readReceiversToRemove, () => ({ data: desk.importedReceivers ?? false }));
  on(createCheckpoint, () => ({ ok: true as const }));
  ofBatch(readBatch, () => ({ ...desk.batch, transfers: [], billets: [] }));
  ofBatch(readBatchSummary, () => ({
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
  ofBatch(readHasFailed, () => ({ data: desk.batch.has_failed_or_returned_transfers }));
  ofBatch(validateBatch, () => ({
    hasTimeError: false,
    hasTimeWarning: false,
    hasDuplicatedIntegrationId: false,
    errors_count: desk.batch.errors_count,
    ...desk.flags,
  }));
  ofBatch(readBatchChecks, () => checksOf(desk));
  ofBatch(listIssueGroups, () => ({ data: [], rows_count: desk.batch.errors_count }));
  ofBatch(listTransfers, ({ query }) => {
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
        ids: failed.slice(0, 500).map(({ id }) => id),
      },
    };
  });
  ofBatch(listFailures, () => failuresOf(desk));
  ofBatch(listFailedTransferIds, () => {
    const failed = [...desk.transfers, ...(desk.boletos ?? [])].filter(
      ({ errors, status }) => errors.length > 0 || status === "FAILED",
    );
    return {
      ids: failed.map(({ id }) => id),
      value: failed.reduce((sum, { value }) => sum + (value ?? 0), 0),
    };
  });
  on(readTransfer, ({ params }) => {
    const found = desk.transfers.find(({ id }) => id === params["id"]);
    if (!found) throw new Error("the test reads a payment that it did not provide");
    return {
      ...found,
      Batch: { id: found.batch_id, name: desk.batch.name },
      key_holder: desk.keyHolder ?? null,
    };
  });
  ofBatch(listBoletos, ({ query }) => {
    const isBad = ({ errors, status }: Boleto) => errors.length > 0 || status === "FAILED";
    const found = (desk.boletos ?? []).filter((one) => query["status"] !== "WITH_ERRORS" || isBad(one));
    const page = Number(query["page"] ?? 0);
    return {
      data: found.slice(page * 50, page * 50 + 50),
      metadata: { pagination: { itemsPerPage: 50, totalItems: found.length } },
    };
  });
  on(readBoletoDetails, ({ params }) => {
    const found = desk.boletos?.find(({ id }) => id === params["id"]);
    if (!found) throw new Error("the test reads a boleto that it did not provide");
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
