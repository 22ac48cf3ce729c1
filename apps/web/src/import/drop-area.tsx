import { IconAlertTriangle, IconFileSpreadsheet } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Button } from "../ui/button.tsx";
import { useFileDrop } from "../ui/use-file-drop.ts";
import styles from "./import-page.module.css";
import type { ImportFailure } from "./running-import.ts";

interface DropAreaProps {
  failure: ImportFailure | undefined;
  /** File of the failed attempt, kept so that a retry needs no new choice. */
  file: File | undefined;
  onFile: (file: File) => void;
  /** Called when several files are dropped: none is read, because the intended one is unknown. */
  onSeveral: () => void;
  /** Set when a person can assign the columns of the sheet. */
  onChooseColumns?: (() => void) | undefined;
}

/** Idle, drag over and error (IMP-002). Extensions are checked here, so that a wrong file gets a message in words. */
export function DropArea({ failure, file, onFile, onSeveral, onChooseColumns }: DropAreaProps) {
  const { over, open, areaProps, inputProps } = useFileDrop((next, dropped) =>
    dropped > 1 ? onSeveral() : onFile(next),
  );
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (failure) title.current?.focus();
  }, [failure]);

  return (
    <div {...areaProps} className={styles.drop} data-state={over ? "over" : failure ? "failed" : "idle"}>
      <input {...inputProps} aria-label="Escolher planilha" />
      {over ? (
        <>
          <IconFileSpreadsheet size={44} stroke={1.3} aria-hidden />
          <h2>Pode soltar sua planilha</h2>
          <p className="muted">Iremos importar suas transferências em um único lote</p>
        </>
      ) : failure ? (
        <div className={styles.failed} role="alert">
          <IconAlertTriangle size={44} stroke={1.3} aria-hidden />
          <h2 ref={title} tabIndex={-1}>
            Falha na importação da planilha
          </h2>
          <p className="muted">{failure.message}</p>
          <div className={styles.actions}>
            {onChooseColumns ? (
              <Button look="primary" onClick={onChooseColumns}>
                Dizer o que há em cada coluna
              </Button>
            ) : null}
            {file && !onChooseColumns ? (
              <Button onClick={() => onFile(file)}>Tentar de novo com {file.name}</Button>
            ) : null}
            <Button {...(onChooseColumns ? {} : { look: "primary" as const })} onClick={open}>
              Escolher outro arquivo
            </Button>
          </div>
          {failure.requestId ? (
            <p className="small faint">
              Código para o suporte: <code>{failure.requestId.slice(0, 8)}</code>
            </p>
          ) : null}
        </div>
      ) : (
        <>
          <IconFileSpreadsheet size={44} stroke={1.3} aria-hidden />
          <h2>Arraste e solte aqui sua planilha =)</h2>
          <p className="muted">ou</p>
          <Button look="primary" onClick={open}>
            Escolher arquivo
          </Button>
          <p className="small faint">
            Linhas com erro entram marcadas, para você corrigir na tela. Nada se perde.
          </p>
        </>
      )}
    </div>
  );
}
