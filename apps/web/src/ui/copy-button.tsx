import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button.tsx";
import { toast } from "./toasts.tsx";

interface CopyButtonProps {
  text: string;
  /** What is copied: `Copiar chave Pix`. */
  label: string;
  /** A toast after copying, where a requirement asks for one. */
  done?: string;
}

export function CopyButton({ text, label, done }: CopyButtonProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);
  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      if (done) toast.good(done);
    } catch {
      toast.bad("Não foi possível copiar. Selecione o texto e use Ctrl+C.");
    }
  }
  return (
    <IconButton label={copied ? "Copiado" : label} onClick={() => void copy()}>
      {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
    </IconButton>
  );
}
