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

const meanings: Readonly<Record<Exclude<AnalysisStatus, "pending">, string>> = {
  accepted: "A infração foi aprovada: o valor volta ao pagador.",
  rejected: "A infração foi reprovada: a venda foi defendida, e a instituição decide.",
  delayed: "Ninguém respondeu no prazo: o valor volta automaticamente ao pagador.",
  canceled: "A infração foi cancelada: nada precisa ser respondido.",
};

/** What was answered, to read only (MED-027). */
export function GivenAnswer({ infraction }: { infraction: Infraction }) {
  const { analysis_status, analysis_date, analysis_description, user, files } = infraction;
  if (analysis_status === "pending") return null;
  return (
    <section className={`panel ${styles.facts}`} aria-labelledby="resposta">
      <h2 id="resposta">Resposta</h2>
      <p>{meanings[analysis_status]}</p>
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
