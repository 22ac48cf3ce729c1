import { useMutation, useQuery } from "@tanstack/react-query";
import { askForReceipts, ReceiptsFailedDialog } from "../receipts/index.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { toast } from "../ui/toasts.tsx";
import { receiptsQuery } from "./open-batch-api.ts";
import type { BatchDesk } from "./use-batch-desk.ts";

/** BAT-028, BAT-029: what of the batch can be downloaded, and the request for it (TRF-060, TRF-064, TRF-065). */
export function ReceiptsDialog({ desk }: { desk: BatchDesk }) {
  const receipts = useQuery(receiptsQuery(desk.batch));
  const ask = useMutation({
    mutationFn: () => askForReceipts(desk.id),
    onSuccess: () => {
      desk.closeDialog();
      toast.good(
        "Download iniciado com sucesso, enviaremos um e-mail assim que o download estiver concluído!",
      );
    },
  });
  const failure = ask.error ?? (receipts.data === undefined ? receipts.error : null);
  if (failure) return <ReceiptsFailedDialog error={failure} onClose={desk.closeDialog} />;
  const count = receipts.data ?? 0;
  return (
    <Dialog
      opened
      onClose={desk.closeDialog}
      title="Comprovantes"
      actions={
        <>
          <Button data-autofocus onClick={desk.closeDialog}>
            Voltar
          </Button>
          {count > 0 ? (
            <Button look="primary" busy={ask.isPending} onClick={() => ask.mutate()}>
              Baixar comprovantes
            </Button>
          ) : null}
        </>
      }
    >
      {receipts.isPending ? (
        <LoadingState>
          <Bone height={48} />
        </LoadingState>
      ) : count === 0 ? (
        <p>Nenhum comprovante disponível.</p>
      ) : (
        <p>
          Reunir <strong>{counted(count, "comprovante", "comprovantes")}</strong> deste lote em um arquivo
          ZIP, com um PDF por pagamento? O link chega em <strong>{desk.session.email}</strong> e vale por 7
          dias.
        </p>
      )}
    </Dialog>
  );
}
