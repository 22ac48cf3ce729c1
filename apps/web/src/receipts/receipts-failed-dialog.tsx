import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** TRF-065: explains why the receipts could not be downloaded. */
export function ReceiptsFailedDialog({ error, onClose }: { error: unknown; onClose: () => void }) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Não foi possível baixar os comprovantes"
      actions={
        <Button data-autofocus onClick={onClose}>
          Voltar
        </Button>
      }
    >
      <p role="alert">{errorSentence(error, "Ocorreu um erro ao baixar os comprovantes. Tente de novo.")}</p>
    </Dialog>
  );
}
