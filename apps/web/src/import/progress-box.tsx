import { IconFileSpreadsheet } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import styles from "./import-page.module.css";

interface ProgressBoxProps {
  fileName: string | undefined;
  /** Current step, in words, as shown in the bar. */
  status: string;
  /** 0 to 1; undefined while the end is unknown. */
  part: number | undefined;
  onCancel: () => void;
  children?: ReactNode;
}

/** IMP-005, with the real progress. */
export function ProgressBox({ fileName, status, part, onCancel, children }: ProgressBoxProps) {
  const percent = part === undefined ? undefined : Math.min(100, Math.round(part * 100));
  return (
    <div className={styles.drop} data-state="loading">
      <IconFileSpreadsheet size={44} stroke={1.3} aria-hidden />
      <h2>Importando seus pagamentos</h2>
      {fileName ? <p className={`muted ${styles.fileName}`}>{fileName}</p> : null}
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Importação da planilha"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={status}
      >
        <i data-unknown={percent === undefined || undefined} style={{ width: `${percent ?? 30}%` }} />
      </div>
      <p className="num">{status}</p>
      {children}
      <Button onClick={onCancel}>Cancelar a importação</Button>
    </div>
  );
}
