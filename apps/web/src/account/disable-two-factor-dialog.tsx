import { Dialog } from "../ui/dialog.tsx";
import { CodeForm } from "./code-form.tsx";

/** FST-018: turning the second factor off requires a code. */
export default function DisableTwoFactorDialog({ onClose }: { onClose: (done: boolean) => void }) {
  return (
    <Dialog opened onClose={() => onClose(false)} title="Desativar a autenticação em 2 fatores?">
      <CodeForm action="disable" submitLabel="Desativar autenticação" danger onClose={onClose}>
        <p>
          Sua conta ficará protegida só pela senha. Os outros dispositivos em que você entrou serão
          desconectados.
        </p>
      </CodeForm>
    </Dialog>
  );
}
