import { useQuery } from "@tanstack/react-query";
import { RequestReceiptsDialog, requestReceiptsOfBatch } from "../receipts/index.ts";
import { receiptsQuery } from "./open-batch-api.ts";
import type { BatchDesk } from "./use-batch-desk.ts";

/** BAT-028, BAT-029: requests the receipts of the whole batch. */
export function ReceiptsDialog({ desk }: { desk: BatchDesk }) {
  const receipts = useQuery(receiptsQuery(desk.batch));
  return (
    <RequestReceiptsDialog
      count={receipts}
      of="deste lote"
      ask={() => requestReceiptsOfBatch(desk.id)}
      onClose={desk.closeDialog}
    />
  );
}
