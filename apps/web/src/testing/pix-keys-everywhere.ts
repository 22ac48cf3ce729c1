/** Pages outside the settings on which the company's Pix keys appear. */
import { listBatches, readBatchesBlankslate } from "@malote/contracts/batches";
import { readCompanyBankAccount } from "@malote/contracts/company";
import { readStatement } from "@malote/contracts/statement";
import { beforeEach } from "vitest";
import { pixKeysQuery } from "../pix-keys/api.ts";
import { fakeServer } from "./fake-server.ts";
import { buildPixKey } from "./pix-keys.ts";

export const home = "/pagamentos/lotes";

export const settings = "/pagamentos/configuracoes/dados-bancarios";

export const another = (at: number, given: Parameters<typeof buildPixKey>[0] = {}) =>
  buildPixKey({ id: `0198f000-0000-7000-8000-00000000020${at}`, ...given });

export const keysRead = pixKeysQuery.queryKey;

export function emptyPages() {
  beforeEach(() => {
    fakeServer.on(listBatches, () => ({
      data: [],
      summary: { count: 0, value: 0 },
      metadata: { pagination: { itemsPerPage: 9, totalItems: 0 } },
    }));
    fakeServer.on(readBatchesBlankslate, () => ({ data: false }));
    fakeServer.on(readCompanyBankAccount, () => null);
    fakeServer.on(readStatement, () => ({
      entries: [],
      prevBalance: { date: "2026-11-01", value: 0 },
      afterBalance: { date: "2026-11-30", value: 0 },
      totals: { in: 0, out: 0 },
      metadata: { pagination: { itemsPerPage: 50, totalItems: 0 } },
    }));
  });

  return {};
}
