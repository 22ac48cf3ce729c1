import { IconReceipt } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { saveFile } from "../ui/save-file.ts";
import { fetchReceipt } from "./api.ts";
import { receiptFileName } from "./file-name.ts";
import { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";

interface ReceiptButtonProps {
  transferId: string;
  /** Whom the file is named after. */
  receiver: string;
}

/** One payment's receipt, made at this moment and saved. */
export function ReceiptButton({ transferId, receiver }: ReceiptButtonProps) {
  const download = useMutation({
    mutationFn: () => fetchReceipt(transferId),
    onSuccess: (pdf) => saveFile(pdf, receiptFileName("comprovante", receiver, "pdf")),
  });
  return (
    <>
      <Button icon={<IconReceipt aria-hidden />} busy={download.isPending} onClick={() => download.mutate()}>
        Baixar comprovante
      </Button>
      {download.isError ? <ReceiptsFailedDialog error={download.error} onClose={download.reset} /> : null}
    </>
  );
}
