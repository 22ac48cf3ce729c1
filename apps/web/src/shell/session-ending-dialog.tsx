import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { staySignedIn } from "./session-keeper.ts";

/** Shown two minutes before an idle session ends. Any action prolongs it. */
export default function SessionEndingDialog() {
  const stay = () => void staySignedIn();
  return (
    <Dialog
      opened
      onClose={stay}
      title="Sua sessão está para terminar"
      actions={
        <Button look="primary" data-autofocus onClick={stay}>
          Continuar conectado
        </Button>
      }
    >
      <p>
        Por falta de uso, ela termina em menos de 2 minutos. Continue conectado para não ter que entrar de
        novo.
      </p>
    </Dialog>
  );
}
