import { IconReceipt } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { ReceiptsFailedDialog, receiptFileName, saveReceipt } from "../receipts/index.ts";
import { Button } from "../ui/button.tsx";

interface ReceiptDownloadProps {
  label: string;
  /** Name that the file gets. */
  name: string | null;
  fetch: () => Promise<Blob>;
  size?: "sm";
}

/** Creates the receipt on demand and saves it (PAY-020, PAY-033). */
export function ReceiptDownload({ label, name, fetch, size }: ReceiptDownloadProps) {
  const download = useMutation({
    mutationFn: fetch,
    onSuccess: (pdf) => saveReceipt(pdf, receiptFileName("comprovante", name ?? "recebimento", "pdf")),
  });
  return (
    <>
      <Button
        {...(size && { size })}
        icon={<IconReceipt aria-hidden />}
        busy={download.isPending}
        onClick={() => download.mutate()}
      >
        {label}
      </Button>
      {download.isError ? <ReceiptsFailedDialog error={download.error} onClose={download.reset} /> : null}
    </>
  );
}
