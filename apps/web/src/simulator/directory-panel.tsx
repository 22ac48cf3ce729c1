import { formatPixKey } from "@malote/domain/pix-key";
import { useQuery } from "@tanstack/react-query";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatNear } from "../ui/format.ts";
import { StatusPill } from "../ui/status-pill.tsx";
import { type DirectoryKey, directoryQuery, useAnswerClaim, useRaiseClaim } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

const kindNames = { PORTABILITY: "Portabilidade", CLAIM: "Reivindicação" } as const;
const askLabels = { PORTABILITY: "Pedir portabilidade", CLAIM: "Reivindicar" } as const;

const facts: readonly Column<DirectoryKey>[] = [
  {
    id: "key",
    heading: "Chave",
    cell: ({ key_type, key }) => formatPixKey(key_type, key),
    onPhone: "title",
    width: 2,
  },
  { id: "company", heading: "Empresa", cell: ({ company }) => company.name, width: 2 },
  {
    id: "claim",
    heading: "Pedido",
    cell: ({ claim }) =>
      claim ? (
        <StatusPill color="yellow">
          {kindNames[claim.kind]} {claim.is_ours ? "pedida pela empresa" : "pedida à empresa"}
        </StatusPill>
      ) : (
        <span className="muted">Nenhum</span>
      ),
    width: 2,
  },
];

/** Other institutions of the Pix directory, and the phones that receive codes. */
export function DirectoryPanel() {
  const directory = useQuery(directoryQuery);
  const raise = useRaiseClaim();
  const answer = useAnswerClaim();
  const isBusy = raise.isPending || answer.isPending;
  const columns: readonly Column<DirectoryKey>[] = [
    ...facts,
    {
      id: "acts",
      heading: <span className="sr-only">Agir por outra instituição</span>,
      width: 2,
      cell: ({ key, claim, may_ask }) => (
        <span className={styles.buttons}>
          {may_ask.map((kind) => (
            <Button key={kind} size="sm" disabled={isBusy} onClick={() => raise.mutate({ key, kind })}>
              {askLabels[kind]}
            </Button>
          ))}
          {claim?.is_ours ? (
            <Button
              size="sm"
              disabled={isBusy}
              onClick={() => answer.mutate({ id: claim.id, answer: "grant" })}
            >
              Conceder
            </Button>
          ) : null}
          {claim ? (
            <Button
              size="sm"
              disabled={isBusy}
              onClick={() => answer.mutate({ id: claim.id, answer: "cancel" })}
            >
              {claim.is_ours ? "Negar" : "Desistir do pedido"}
            </Button>
          ) : null}
        </span>
      ),
    },
  ];
  const { keys = [], texts = [] } = directory.data ?? {};
  return (
    <Panel
      id="diretorio"
      title="Diretório do Pix"
      help="As outras instituições: pedem chaves das empresas e respondem aos pedidos delas. Sem resposta, a regra do Pix decide em 7 dias."
    >
      {directory.isError ? <p role="alert">{errorSentence(directory.error)}</p> : null}
      {directory.data && keys.length === 0 ? (
        <p className="muted">Nenhuma empresa tem chave Pix registrada.</p>
      ) : null}
      {keys.length > 0 ? (
        <DataTable caption="Chaves Pix das empresas" columns={columns} rows={keys} keyOf={({ key }) => key} />
      ) : null}
      <h3>SMS enviados</h3>
      {texts.length === 0 ? (
        <p className="muted">Nenhum ainda. O código de uma chave de celular chega aqui.</p>
      ) : (
        <ul className={styles.texts} aria-label="SMS enviados">
          {texts.map((text) => (
            <li key={text.id}>
              <span className="small muted num">
                {formatPixKey("TELEFONE", text.to)} · {formatNear(text.sent_at)}
              </span>
              <span>{text.words}</span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
