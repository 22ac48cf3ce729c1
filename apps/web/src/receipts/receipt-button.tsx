import { IconReceipt } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { fetchBankReceipt, fetchReceipt } from "./api.ts";
import { receiptFileName } from "./file-name.ts";
import { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";
import { saveReceipt } from "./save-receipt.ts";

interface ReceiptButtonProps {
  transferId: string;
  /** Whom the file is named after. */
  receiver: string;
  /** Ours, or the document of the bank that carried the payment. */
  of?: "us" | "bank";
}

const kinds = {
  us: { label: "Baixar comprovante", file: "comprovante", fetch: fetchReceipt },
  bank: { label: "Comprovante do banco", file: "comprovante-do-banco", fetch: fetchBankReceipt },
} as const;

/** One payment's receipt, made at this moment and saved. */
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
