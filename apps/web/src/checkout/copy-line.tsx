import { IconCheck, IconCopy } from "@tabler/icons-react";
import { Button } from "../ui/button.tsx";
import { useCopy } from "../ui/use-copy.ts";
import styles from "./checkout.module.css";

interface CopyLineProps {
  /** Name of the copied text, shown above it: `Código Pix`. */
  label: string;
  text: string;
  /** Text of the button: `Copiar código Pix`. */
  action: string;
}

const copiedMs = 2_500;

/**
 * A full-width button, because copying is the one action on a phone. When copying is forbidden, the text can be
 * selected.
 */
export function CopyLine({ label, text, action }: CopyLineProps) {
  const { state, copy } = useCopy(text, copiedMs);
  return (
    <div className={styles.copy}>
      <span className="small muted">{label}</span>
      <code className={styles.code}>
        <span>{text}</span>
      </code>
      <Button
        look="primary"
        className={styles.go ?? ""}
        icon={state === "copied" ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
        onClick={() => void copy()}
      >
        {state === "copied" ? "Copiado" : action}
      </Button>
      <span className="small" role="status">
        {state === "failed" ? "Não foi possível copiar. Toque no código e segure para copiá-lo." : ""}
      </span>
    </div>
  );
}
