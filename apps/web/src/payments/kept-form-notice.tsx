import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import styles from "./wizard-frame.module.css";

export interface KeptFormOffer {
  onRecover: () => void;
  onDiscard: () => void;
}

/** Offers text typed before a reload, and never replaces what is on the screen. */
export function KeptFormNotice({ onRecover, onDiscard }: KeptFormOffer) {
  return (
    <Notice
      tone="blue"
      title="Encontramos um preenchimento que não foi salvo."
      action={
        <span className={styles.choices}>
          <Button size="sm" onClick={onRecover}>
            Recuperar
          </Button>
          <Button size="sm" look="quiet" onClick={onDiscard}>
            Descartar
          </Button>
        </span>
      }
    />
  );
}
