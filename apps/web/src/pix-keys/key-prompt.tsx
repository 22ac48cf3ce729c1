import type { CheckpointId } from "@malote/contracts/company";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { checkpoints } from "../shell/checkpoints.ts";
import { pathOf } from "../shell/routes.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";

/** SHL-054 to SHL-056: asked once, whatever the answer. */
export default function KeyPrompt() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  function answer(id: CheckpointId) {
    // Hides the dialog at once; when the mark cannot be stored, a later load asks again.
    queryClient.setQueryData(checkpoints.exists(id).queryKey, true);
    void checkpoints.create(id);
  }
  function accept() {
    answer("HAS_CLICKED_PIX_KEY_PROMPT");
    // SHL-055: the prompt opens the Pix key wizard.
    void navigate({ to: pathOf("PaymentsBankAccountsPage"), search: { chave: "nova" } });
  }
  const dismiss = () => answer("HAS_DISMISSED_PIX_KEY_PROMPT");
  return (
    <Dialog
      opened
      title="Cadastre sua chave Pix"
      onClose={dismiss}
      actions={
        <>
          <Button onClick={dismiss}>Agora não</Button>
          <Button look="primary" onClick={accept} data-autofocus>
            Cadastrar chave Pix
          </Button>
        </>
      }
    >
      <p>
        Com uma chave Pix, o saldo da sua empresa entra na hora, a qualquer dia e horário, e seus lotes são
        pagos assim que o dinheiro chega.
      </p>
    </Dialog>
  );
}
