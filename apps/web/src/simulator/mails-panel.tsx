import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { FailedQuery } from "../shell/failed-query.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, formatDateTime, formatNear } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { type Mail, mailsQuery } from "./api.ts";
import { emailForFrame } from "./email-for-frame.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

export function MailsPanel() {
  const mails = useQuery(mailsQuery);
  const [openId, setOpenId] = useState<string>();
  const open = mails.data?.find(({ id }) => id === openId) ?? mails.data?.[0];
  return (
    <Panel
      id="emails"
      title="Caixa de e-mails"
      help="Tudo que o produto enviou, do mais novo ao mais antigo. Nada sai desta máquina."
      end={
        mails.data ? (
          <span className="small muted">{counted(mails.data.length, "e-mail", "e-mails")}</span>
        ) : null
      }
    >
      {mails.isPending ? (
        <LoadingState label="Carregando os e-mails">
          <Bone height={240} />
        </LoadingState>
      ) : mails.isError && !mails.data ? (
        <FailedQuery title="Não foi possível carregar os e-mails" query={mails} />
      ) : open ? (
        <div className={styles.mailbox}>
          <ul className={styles.mails}>
            {mails.data?.map((mail) => (
              <li key={mail.id}>
                <button
                  type="button"
                  aria-current={mail.id === open.id || undefined}
                  onClick={() => setOpenId(mail.id)}
                >
                  <span className={styles.mailTop}>
                    <span className={`strong ${styles.to}`}>{mail.to}</span>
                    <span className="small faint num">{formatNear(mail.sent_at)}</span>
                  </span>
                  <span>{mail.subject}</span>
                </button>
              </li>
            ))}
          </ul>
          <EmailView mail={open} />
        </div>
      ) : (
        <EmptyState drawing="batches" title="Nenhum e-mail ainda">
          <p>Feche um lote ou peça um relatório: os e-mails aparecem aqui.</p>
        </EmptyState>
      )}
    </Panel>
  );
}

/** Drawn in a closed frame: no scripts, no forms, no access to this page. Links open in a new tab. */
function EmailView({ mail }: { mail: Mail }) {
  const [asText, setAsText] = useState(false);
  const shown = useMemo(() => emailForFrame(mail.html, contentPolicyNonce()), [mail.html]);
  return (
    <article className={styles.email} aria-label={mail.subject}>
      <header>
        <div>
          <h3>{mail.subject}</h3>
          <p className="small muted">
            Para {mail.to} · {formatDateTime(mail.sent_at)}
            {mail.reply_to ? ` · Respostas para ${mail.reply_to}` : ""}
            {mail.attachment_name ? ` · Anexo: ${mail.attachment_name}` : ""}
          </p>
        </div>
        <button type="button" className={styles.textSwitch} onClick={() => setAsText(!asText)}>
          {asText ? "Ver como carta" : "Ver só o texto"}
        </button>
      </header>
      {asText ? (
        <pre className={styles.plain}>{mail.text}</pre>
      ) : (
        <iframe
          key={mail.id}
          title={`E-mail: ${mail.subject}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={shown}
        />
      )}
    </article>
  );
}

/** Nonce of this answer; without it a style created at run time would be refused. */
function contentPolicyNonce(): string {
  const tag = document.querySelector<HTMLElement>("meta[property='csp-nonce']");
  return tag?.nonce || tag?.getAttribute("nonce") || "";
}
