import type { ResponseOf } from "@malote/contracts/contract";
import type { listTransfers, Transfer } from "@malote/contracts/transfers";
import type { ReactNode } from "react";
import { PaymentList } from "../payments/index.ts";
import { type TransferFilters, transferPageQuery } from "./api.ts";
import { TransferRow } from "./transfer-row.tsx";
import { cardState } from "./transfer-status.ts";

interface TransferListProps {
  batchId: string;
  filters: TransferFilters;
  pollMs: number | false;
  onOpen: (transfer: Transfer) => void;
  /** Content of a list without results. */
  empty: ReactNode;
  /** Panel under a bad row, and the row that has it open; `undefined` is the first one. */
  repair?: {
    openId: string | null | undefined;
    onToggle: (id: string | null) => void;
    panel: (transfer: Transfer) => ReactNode;
  };
}

/** Transfers of a batch (BAT-037). */
export function TransferList({ batchId, filters, pollMs, onOpen, empty, repair }: TransferListProps) {
  return (
    <PaymentList<ResponseOf<typeof listTransfers>>
      pageQuery={(page) => transferPageQuery(batchId, filters, page, { pollMs })}
      words={{ one: "transferência", many: "transferências", all: "todas" }}
      hasFailed={(transfer) => cardState(transfer) === "failed"}
      empty={empty}
      row={(transfer, index) => {
        const isBad = transfer.errors.length > 0;
        const opened = Boolean(
          repair && isBad && (repair.openId === undefined ? index === 0 : repair.openId === transfer.id),
        );
        return (
          <>
            <TransferRow
              transfer={transfer}
              onOpen={onOpen}
              {...(repair && isBad
                ? { repair: { opened, toggle: () => repair.onToggle(opened ? null : transfer.id) } }
                : {})}
            />
            {opened ? repair?.panel(transfer) : null}
          </>
        );
      }}
    />
  );
}
