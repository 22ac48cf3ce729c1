import type { Infraction } from "@malote/contracts/contestations";
import type { AnalysisStatus } from "@malote/domain/infraction";
import { fileNameMax } from "@malote/domain/limits";
import { shortenMiddle } from "@malote/domain/shorten";
import { IconPaperclip } from "@tabler/icons-react";
import { useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { formatDateTime } from "../ui/format.ts";
import { saveFile } from "../ui/save-file.ts";
import { toast } from "../ui/toasts.tsx";
import { fetchAttachment } from "./api.ts";
import styles from "./contestations.module.css";

interface Meaning {
  text: string;
  /** Result once the institution agreed with the payer, or closed the case in the company's favour. */
  forPayer?: string;
  forCompany?: string;
}

const meanings: Readonly<Record<Exclude<AnalysisStatus, "pending">, Meaning>> = {
  accepted: {
    text: "A infração foi aprovada: o valor volta ao pagador.",
    forCompany:
      "A infração foi aprovada, mas a instituição encerrou a devolução: o que ainda não voltou ao pagador fica com a empresa.",
  },
  rejected: {
    text: "A infração foi reprovada: a venda foi defendida, e a instituição decide.",
    forPayer: "A infração foi reprovada, mas a instituição deu razão ao pagador: o valor volta a ele.",
    forCompany: "A infração foi reprovada, e a instituição encerrou o caso: o valor fica com a empresa.",
  },
  delayed: {
    text: "Ninguém respondeu no prazo: o valor volta automaticamente ao pagador.",
    forCompany:
      "Ninguém respondeu no prazo, mas a instituição encerrou a devolução: o que ainda não voltou ao pagador fica com a empresa.",
  },
  canceled: { text: "A infração foi cancelada: nada precisa ser respondido." },
};

/** The institution decides last. */
function wordsOf({ text, forPayer = text, forCompany = text }: Meaning, opinion: string): string {
  if (opinion === "agreed") return forPayer;
  return opinion === "disagreed" || opinion === "canceled" ? forCompany : text;
}

/** Shows the given answer, read-only (MED-027). */
export function GivenAnswer({ infraction }: { infraction: Infraction }) {
  const { analysis_status, analysis_date, analysis_description, user, files } = infraction;
  if (analysis_status === "pending") return null;
  return (
    <section className={`panel ${styles.facts}`} aria-labelledby="resposta">
      <h2 id="resposta">Resposta</h2>
      <p>{wordsOf(meanings[analysis_status], infraction.status)}</p>
      {user ? (
        <p className="muted">
          Respondida por {user.name}
          {analysis_date ? ` em ${formatDateTime(analysis_date)}` : ""}.
        </p>
      ) : null}
      {analysis_description ? (
        <>
          <h3>Descrição da análise</h3>
          <p className={styles.words}>{analysis_description}</p>
        </>
      ) : null}
      {files.map((file) => (
        <Attachment key={file.name} infractionId={infraction.id} name={file.name} />
      ))}
    </section>
  );
}

function Attachment({ infractionId, name }: { infractionId: string; name: string }) {
  const [isFetching, setFetching] = useState(false);
  async function fetchIt() {
    setFetching(true);
    try {
      saveFile(await fetchAttachment(infractionId), name);
    } catch (error) {
      const text = errorSentence(error, "Não foi possível baixar o anexo. Tente de novo.");
      if (text) toast.bad(text);
    }
    setFetching(false);
  }
  return (
    <Button
      size="sm"
      icon={<IconPaperclip size={16} aria-hidden />}
      busy={isFetching}
      title={name}
      aria-label={`Baixar o anexo ${name}`}
      onClick={() => void fetchIt()}
    >
      {shortenMiddle(name, fileNameMax)}
    </Button>
  );
}
