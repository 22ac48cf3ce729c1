import type { Infraction } from "@malote/contracts/contestations";
import { type ErrorCode, errorText } from "@malote/contracts/errors";
import {
  type Analysis,
  attachmentHeadBytes,
  defenceLength,
  defenceLengthMax,
  refusalOfAttachment,
  refusalOfDefence,
} from "@malote/domain/infraction";
import { attachmentBytesMax, fileNameMax } from "@malote/domain/limits";
import { shortenMiddle } from "@malote/domain/shorten";
import { IconPaperclip, IconTrash } from "@tabler/icons-react";
import { type FormEvent, useState } from "react";
import { KeptFormNotice, useKeptForm } from "../payments/parts.ts";
import { errorSentence, wasLeft } from "../shell/call.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { TextArea } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { useFileDrop } from "../ui/use-file-drop.ts";
import { useAnswerInfraction } from "./api.ts";
import { ConfirmAnswerDialog } from "./confirm-answer-dialog.tsx";
import styles from "./contestations.module.css";

const sentence = (code: ErrorCode) => errorText(code);

/** Applies the server's own rule before anything is sent (MED-031, MED-032). */
async function problemOfFile(file: File): Promise<string | undefined> {
  // Checks the size first, because reading a file that is refused would waste memory.
  if (file.size > attachmentBytesMax) return sentence("attachment_too_large");
  const head = new Uint8Array(await file.slice(0, attachmentHeadBytes).arrayBuffer());
  const refusal = refusalOfAttachment(file.size, head);
  return refusal && sentence(refusal);
}

interface Choice {
  value: Analysis;
  label: string;
  help: string;
  /** Used while an approval waits for another person; a defence ends the waiting request (decision 0030). */
  helpWaiting: string;
  /** Used when nothing is left to return. */
  helpGivenBack?: string;
}
const decisions: readonly Choice[] = [
  {
    value: "accepted",
    label: "Aprovar",
    help: "Concorda que houve fraude: o valor volta ao pagador.",
    helpWaiting: "Já foi enviada para aprovação.",
    helpGivenBack: "Concorda que houve fraude: o valor já foi devolvido, e nada mais sai do saldo.",
  },
  {
    value: "rejected",
    label: "Reprovar",
    help: "Defende a venda: a instituição analisa e decide.",
    helpWaiting:
      "Defende a venda: a instituição analisa e decide. O pedido que espera por outra pessoa deixa de valer por inteiro.",
  },
];

interface Defence {
  description: string;
  decision?: Analysis;
}
const start: Defence = { description: "" };

/** The company's answer: a decision, its reasons and at most one file. */
export function DefenceForm({ infraction }: { infraction: Infraction }) {
  const answer = useAnswerInfraction();
  const sending = useOneAtATime();
  const [form, setForm] = useState(start);
  const { description } = form;
  const isWaiting = infraction.approval_request !== null;
  // Drops an approval that was chosen before the request, or restored from the kept form.
  const decision = isWaiting && form.decision === "accepted" ? undefined : form.decision;
  const [file, setFile] = useState<File>();
  const [fileProblem, setFileProblem] = useState<string>();
  const [isTried, setTried] = useState(false);
  const [asks, setAsks] = useState(false);
  const kept = useKeptForm({ keptIn: "defesa", id: infraction.id, form, start });
  const offer = kept.offer(setForm);
  // A file cannot be kept over a reload, so leaving asks first.
  useUnsavedWork(file !== undefined);

  async function take(next: File, dropped: number) {
    // MED-030: a defence takes one attachment.
    if (file || dropped > 1) return setFileProblem(sentence("attachment_too_many"));
    const problem = await problemOfFile(next);
    setFileProblem(problem);
    if (!problem) setFile(next);
  }
  const drop = useFileDrop((next, dropped) => void take(next, dropped));

  const isAnswered = answer.isSuccess && !answer.data.awaits_approval;
  const refusal = refusalOfDefence(description);
  const length = defenceLength(description);
  const problem = isTried && refusal ? sentence(refusal) : undefined;

  function ask(event: FormEvent) {
    event.preventDefault();
    setTried(true);
    if (refusal) document.getElementById("defence-description")?.focus();
    else if (decision) setAsks(true);
  }

  function send() {
    if (!decision || !sending.begin()) return;
    answer.mutate(
      {
        infraction_ids: [infraction.id],
        analysisDescription: description,
        analysisDecision: decision,
        files: file ? [file] : [],
      },
      {
        onSuccess: ({ awaits_approval }) => {
          kept.forget();
          setAsks(false);
          const done = decision === "accepted" ? "Infração aprovada" : "Infração reprovada";
          toast.good(awaits_approval ? awaitsApprovalText : done);
          if (!awaits_approval) return;
          // The answer is part of the request, so the form starts empty.
          setForm(start);
          setFile(undefined);
          setTried(false);
        },
        onError: (error) => {
          const text = errorSentence(error, "Ocorreu um erro ao processar a análise da infração.");
          if (text) toast.bad(text);
          if (!wasLeft(error)) setAsks(false);
        },
        onSettled: sending.end,
      },
    );
  }

  return (
    <form className={`panel ${styles.facts}`} aria-labelledby="defesa" onSubmit={ask} noValidate>
      <h2 id="defesa">Sua resposta</h2>
      {offer ? <KeptFormNotice {...offer} /> : null}
      <fieldset className={styles.decisions}>
        <legend>Decisão</legend>
        {decisions.map(({ value, label, help, helpWaiting, helpGivenBack = help }) => (
          <label key={value} className={styles.decision} data-chosen={decision === value || undefined}>
            <input
              type="radio"
              name="decision"
              checked={decision === value}
              disabled={isWaiting && value === "accepted"}
              onChange={() => setForm({ ...form, decision: value })}
              aria-labelledby={`decision-${value}`}
              aria-describedby={`decision-${value}-help`}
            />
            <span>
              <strong id={`decision-${value}`}>{label}</strong>
              <span id={`decision-${value}-help`} className="small muted">
                {isWaiting ? helpWaiting : infraction.returnable_amount === 0 ? helpGivenBack : help}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      <TextArea
        id="defence-description"
        label="Descrição da análise"
        className={styles.description ?? ""}
        minRows={6}
        value={description}
        error={problem}
        description={`${length}/${defenceLengthMax} caracteres`}
        onChange={(event) => setForm({ ...form, description: event.currentTarget.value })}
        onBlur={() => description && setTried(true)}
      />
      <div className={styles.attach} data-over={drop.over || undefined} {...drop.areaProps}>
        <span className={styles.attachTitle}>Anexo (opcional)</span>
        {file ? (
          <span className={styles.file}>
            <IconPaperclip size={16} aria-hidden />
            <span title={file.name}>{shortenMiddle(file.name, fileNameMax)}</span>
            <IconButton
              label={`Remover o anexo ${file.name}`}
              onClick={() => {
                setFile(undefined);
                setFileProblem(undefined);
              }}
            >
              <IconTrash size={16} aria-hidden />
            </IconButton>
          </span>
        ) : null}
        <Button
          size="sm"
          icon={<IconPaperclip size={16} aria-hidden />}
          aria-describedby="attachment-words"
          onClick={drop.open}
        >
          Escolher arquivo
        </Button>
        <input {...drop.inputProps} accept=".pdf,.zip,.rar,.png,.jpg,.jpeg" aria-label="Arquivo da defesa" />
        <p
          id="attachment-words"
          className={`small ${fileProblem ? styles.problem : "muted"}`}
          role={fileProblem ? "alert" : undefined}
        >
          {fileProblem ?? "Um arquivo PDF, ZIP, RAR, PNG ou JPEG de até 15 MB. Ou arraste-o até aqui."}
        </p>
      </div>
      <div className={styles.actions}>
        <Button type="submit" look="primary" disabled={!decision || answer.isPending || isAnswered}>
          Enviar resposta
        </Button>
      </div>
      {asks && decision ? (
        <ConfirmAnswerDialog
          infraction={infraction}
          decision={decision}
          hasAttachment={file !== undefined}
          busy={answer.isPending}
          onClose={() => setAsks(false)}
          onConfirm={send}
        />
      ) : null}
    </form>
  );
}
