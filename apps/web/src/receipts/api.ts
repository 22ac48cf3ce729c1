import {
  downloadBankReceipt,
  downloadReceipt,
  downloadReceipts,
  readReceipts,
  requestBoletoReceipts,
  requestReceipts,
} from "@malote/contracts/receipts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../shell/call.ts";

/** Polling interval of a file in progress; an error stops it (SES-070). */
const makingPollMs = 2_000;

/** Downloads carry the session's token, so there is no address that opens a file by itself. */
export const fetchReceipt = (transferId: string): Promise<Blob> =>
  call(downloadReceipt, { params: { id: transferId } });

export const fetchBankReceipt = (transferId: string): Promise<Blob> =>
  call(downloadBankReceipt, { params: { id: transferId } });

export const fetchReceipts = async (id: string): Promise<Blob> => call(downloadReceipts, { params: { id } });

/** TRF-064: the link to the receipts comes by e-mail. */
export const requestReceiptsOfBatch = (batchId: string) =>
  call(requestReceipts, { body: { batch_id: batchId } });

/** TRF-064, BIL-036: requests the receipts of these payments. */
export const requestReceiptsOf = (kind: "TRANSFER" | "BILLET", ids: string[]) =>
  kind === "BILLET"
    ? call(requestBoletoReceipts, { body: { ids } })
    : call(requestReceipts, { body: { ids } });

export function requestedReceiptsQuery(id: string) {
  return queryOptions({
    queryKey: ["receipts", id],
    queryFn: ({ signal }) => call(readReceipts, { params: { id }, signal }),
    refetchInterval: (query) =>
      query.state.status !== "error" && query.state.data?.state === "making" ? makingPollMs : false,
  });
}
