import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { useAcceptPrivacy } from "./api.ts";

/**
 * SHL-042: the privacy policy, which an admin has to accept. FST-025: an acceptance that cannot be recorded does not
 * block the person; the next page load asks again.
 */
export default function PrivacyDialog({ url, onAccepted }: { url: string; onAccepted: () => void }) {
  const accept = useAcceptPrivacy();
  return (
    <Dialog
      opened
      mustAnswer
      onClose={() => undefined}
      title="Política de privacidade"
      actions={
        <Button
          look="primary"
          busy={accept.isPending}
          onClick={() => accept.mutate(undefined, { onSettled: onAccepted })}
        >
          Aceitar
        </Button>
      }
    >
      <p>
        Para continuar, leia e aceite a nossa{" "}
        <a href={url} target="_blank" rel="noreferrer">
          política de privacidade
        </a>
        , que diz como cuidamos dos dados da sua empresa e de quem você paga.
      </p>
    </Dialog>
  );
}
