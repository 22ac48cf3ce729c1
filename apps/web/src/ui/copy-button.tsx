import { IconCheck, IconCopy } from "@tabler/icons-react";
import { IconButton } from "./button.tsx";
import { toast } from "./toasts.tsx";
import { useCopy } from "./use-copy.ts";

interface CopyButtonProps {
  text: string;
  /** Name of the copied text: `Copiar chave Pix`. */
  label: string;
  /** Toast after copying, when a requirement asks for one. */
  done?: string;
}

/** PAY-011: duration of the button's feedback. */
const feedbackMs = 1_000;

export function CopyButton({ text, label, done }: CopyButtonProps) {
  const { state, copy } = useCopy(text, feedbackMs);
  const copied = state === "copied";
  async function copyAndConfirm() {
    if (!(await copy())) toast.bad("Não foi possível copiar. Selecione o texto e use Ctrl+C.");
    else if (done) toast.good(done);
  }
  return (
    <IconButton label={copied ? "Copiado" : label} onClick={() => void copyAndConfirm()}>
      {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
    </IconButton>
  );
}
