import type { SheetKind } from "@malote/contracts/import";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { saveFile } from "../ui/save-file.ts";
import { toast } from "../ui/toasts.tsx";
import { readModelSheet } from "./api.ts";
import styles from "./import-page.module.css";

const models: readonly { kind: SheetKind; title: string; help: string; fileName: string }[] = [
  {
    kind: "transfer",
    title: "Transferências",
    help: "Banco, agência e conta",
    fileName: "modelo-transferencias",
  },
  {
    kind: "transfer-pix",
    title: "Transferências com chave Pix",
    help: "Tipo e chave",
    fileName: "modelo-transferencias-pix",
  },
  { kind: "billet", title: "Boletos", help: "Linha digitável ou código", fileName: "modelo-boletos" },
];
const formats = ["xlsx", "csv"] as const;

/** IMP-003: models with the headings that the import knows, ready to fill in. */
export function ModelSheets() {
  const [busy, setBusy] = useState<string>();

  async function download(kind: SheetKind, format: (typeof formats)[number], fileName: string) {
    setBusy(`${kind} ${format}`);
    try {
      saveFile(await readModelSheet(kind, format), `${fileName}.${format}`);
    } catch (error) {
      const text = errorSentence(error, "Não foi possível baixar o modelo.");
      if (text) toast.bad(text);
    } finally {
      setBusy(undefined);
    }
  }
  return (
    <section className={styles.models} aria-labelledby="modelos">
      <h2 id="modelos">Modelos de planilha</h2>
      <ul className={styles.cards}>
        {models.map(({ kind, title, help, fileName }) => (
          <li key={kind} className={styles.card}>
            <h3>{title}</h3>
            <p className="muted">{help}</p>
            <div className={styles.formats}>
              {formats.map((format) => (
                <Button
                  key={format}
                  size="sm"
                  busy={busy === `${kind} ${format}`}
                  icon={<IconDownload aria-hidden />}
                  aria-label={`Baixar modelo de ${title} em ${format}`}
                  onClick={() => void download(kind, format, fileName)}
                >
                  {format}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
