import { IconReceipt } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { fetchBankReceipt, fetchReceipt } from "./api.ts";
import { receiptFileName } from "./file-name.ts";
import { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";
import { saveReceipt } from "./save-receipt.ts";

interface ReceiptButtonProps {
  transferId: string;
  /** Name that the file gets. */
  receiver: string;
  /** Malote's receipt, or the document of the bank that carried the payment. */
  of?: "us" | "bank";
}

const kinds = {
  us: { label: "Baixar comprovante", file: "comprovante", fetch: fetchReceipt },
  bank: { label: "Comprovante do banco", file: "comprovante-do-banco", fetch: fetchBankReceipt },
} as const;

/** Creates the receipt of one payment on demand and saves it. */
export function ReceiptButton({ transferId, receiver, of = "us" }: ReceiptButtonProps) {
  const { label, file, fetch } = kinds[of];
  const download = useMutation({
    mutationFn: () => fetch(transferId),
    onSuccess: (pdf) => saveReceipt(pdf, receiptFileName(file, receiver, "pdf")),
  });
  return (
    <>
      <Button icon={<IconReceipt aria-hidden />} busy={download.isPending} onClick={() => download.mutate()}>
        {label}
      </Button>
      {download.isError ? <ReceiptsFailedDialog error={download.error} onClose={download.reset} /> : null}
    </>
  );
}
