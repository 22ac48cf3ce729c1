import type { ResponseOf } from "@malote/contracts/contract";
import type { readReceipts } from "@malote/contracts/receipts";
import { useMutation, useQuery } from "@tanstack/react-query";
import { FailedNotice } from "../shell/failed-query.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted, formatDateTime } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { fetchReceipts, requestedReceiptsQuery } from "./api.ts";
import { receiptFileName } from "./file-name.ts";
import { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";
import { saveReceipt } from "./save-receipt.ts";

interface RequestedReceiptsProps {
  id: string;
  onClose: () => void;
}

/** Target of the e-mail's link (TRF-064): the file, while it exists. */
export default function RequestedReceiptsDialog({ id, onClose }: RequestedReceiptsProps) {
  const asked = useQuery(requestedReceiptsQuery(id));
  const download = useMutation({
    mutationFn: () => fetchReceipts(id),
    onSuccess: (zip) =>
      saveReceipt(zip, receiptFileName("comprovantes", asked.data?.batch?.name ?? "", "zip")),
  });
  if (asked.isError && !asked.data) return <ReceiptsFailedDialog error={asked.error} onClose={onClose} />;
  if (download.isError) return <ReceiptsFailedDialog error={download.error} onClose={download.reset} />;
  const isReady = asked.data?.state === "ready";
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Comprovantes"
      actions={
        <>
          <Button onClick={onClose} data-autofocus>
            Voltar
          </Button>
          {isReady ? (
            <Button look="primary" busy={download.isPending} onClick={() => download.mutate()}>
              Baixar comprovantes
            </Button>
          ) : null}
        </>
      }
    >
      {asked.data ? (
        <>
          {asked.isError ? (
            <FailedNotice title="Não foi possível saber se os comprovantes estão prontos" query={asked} />
          ) : null}
          <ReceiptsState {...asked.data} />
        </>
      ) : (
        <LoadingState>
          <Bone height={48} />
        </LoadingState>
      )}
    </Dialog>
  );
}

type Requested = ResponseOf<typeof readReceipts>;

function ReceiptsState({ state, receipts_count, batch, expires_at }: Requested) {
  const of = batch ? (
    <>
      {" "}
      do lote <strong>{batch.name}</strong>
    </>
  ) : null;
  switch (state) {
    case "making":
      return (
        <p role="status">
          Estamos preparando {counted(receipts_count, "comprovante", "comprovantes")}
          {of}. Você pode esperar aqui ou voltar pelo e-mail que enviaremos.
        </p>
      );
    case "ready":
      return (
        <>
          <p role="status">
            <strong>{counted(receipts_count, "comprovante", "comprovantes")}</strong>
            {of} em um arquivo ZIP, com um PDF por pagamento.
          </p>
          <p className="muted">Disponível até {formatDateTime(expires_at)}.</p>
        </>
      );
    case "expired":
      return (
        <p role="status">
          O prazo para baixar estes comprovantes acabou. Peça de novo no lote ou na lista de pagamentos.
        </p>
      );
    case "failed":
      return (
        <p role="status">
          Não foi possível preparar estes comprovantes. Confira se os pagamentos ainda estão como transferidos
          e peça de novo.
        </p>
      );
  }
}
