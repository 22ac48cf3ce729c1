import { type UseQueryResult, useMutation } from "@tanstack/react-query";
import { checkpoints } from "../shell/checkpoints.ts";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { toast } from "../ui/toasts.tsx";
import { ReceiptsFailedDialog } from "./receipts-failed-dialog.tsx";

interface RequestReceiptsProps {
  /** Number of receipts that can be requested. */
  count: Pick<UseQueryResult<number>, "data" | "error" | "isPending">;
  /** `deste lote` or `desta busca`. */
  of: string;
  ask: () => Promise<unknown>;
  onClose: () => void;
}

/** Shows what can be downloaded, and requests it (TRF-060, TRF-064, TRF-065). */
export function RequestReceiptsDialog({ count, of, ask, onClose }: RequestReceiptsProps) {
  const session = useSession();
  const asking = useMutation({
    mutationFn: ask,
    onSuccess: () => {
      onClose();
      toast.good(
        "Download iniciado com sucesso, enviaremos um e-mail assim que o download estiver concluído!",
      );
      void checkpoints.create("HAS_DOWNLOADED_RECEIPTS");
    },
  });
  const failure = asking.error ?? (count.data === undefined ? count.error : null);
  if (failure) return <ReceiptsFailedDialog error={failure} onClose={onClose} />;
  const found = count.data ?? 0;
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Comprovantes"
      actions={
        <>
          <Button data-autofocus onClick={onClose}>
            Voltar
          </Button>
          {found > 0 ? (
            <Button look="primary" busy={asking.isPending} onClick={() => asking.mutate()}>
              Baixar comprovantes
            </Button>
          ) : null}
        </>
      }
    >
      {count.isPending ? (
        <LoadingState>
          <Bone height={48} />
        </LoadingState>
      ) : found === 0 ? (
        <p>Nenhum comprovante disponível.</p>
      ) : (
        <p>
          Reunir <strong>{counted(found, "comprovante", "comprovantes")}</strong> {of} em um arquivo ZIP, com
          um PDF por pagamento? O link chega em <strong>{session?.email}</strong> e vale por 7 dias.
        </p>
      )}
    </Dialog>
  );
}
