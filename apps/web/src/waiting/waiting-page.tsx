import type { Batch, listWaitingBatches } from "@malote/contracts/batches";
import type { ResponseOf } from "@malote/contracts/contract";
import { batchNameInWaitingTableMax } from "@malote/domain/limits";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useLayerSearch } from "../shell/layer-search.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { useNamedPath } from "../shell/use-named-path.ts";
import { buttonClass } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { counted, cutText, formatDateTime } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { waitingBatchesQuery } from "./api.ts";
import styles from "./waiting-page.module.css";

export default function WaitingPage() {
  const waiting = useQuery(waitingBatchesQuery);
  const batchesPath = useNamedPath("BatchesPage");
  const statementPath = useNamedPath("StatementPage");
  return (
    <div className={styles.page}>
      <PageHeader
        title="Aguardando recebimento"
        subtitle={
          waiting.data
            ? `${counted(waiting.data.data.length, "lote espera", "lotes esperam")} saldo. Pagamos do mais antigo ao mais novo.`
            : null
        }
        actions={
          <>
            {statementPath ? (
              <Link to={statementPath} className={buttonClass()}>
                Ver extrato
              </Link>
            ) : null}
            {batchesPath ? (
              <Link to={batchesPath} className={buttonClass()}>
                Ver seus lotes
              </Link>
            ) : null}
          </>
        }
      />
      <Waiting waiting={waiting} />
    </div>
  );
}

type WaitingBatches = ResponseOf<typeof listWaitingBatches>;

function Waiting({ waiting }: { waiting: UseQueryResult<WaitingBatches> }) {
  return (
    <ListFaces
      query={waiting}
      loading="Carregando os lotes que esperam saldo"
      failed="Não foi possível carregar os lotes que esperam saldo"
      bones={
        <div className={styles.bones}>
          <Bone height={148} />
          <Bone height={200} />
        </div>
      }
      emptyFace={({ data }) =>
        data.length > 0 ? null : (
          <EmptyState drawing="money" title="Nenhum lote espera saldo">
            <p>
              Quando um lote for fechado sem saldo suficiente, ele aparece aqui com o valor que falta enviar.
            </p>
          </EmptyState>
        )
      }
    >
      {(batches) => <WaitingTable {...batches} />}
    </ListFaces>
  );
}

function WaitingTable({ data, total, balance, missing }: WaitingBatches) {
  const [, change] = useLayerSearch();
  const open = (batch: Batch) => change({ lote: batch.id });
  return (
    <>
      <section className={`panel ${styles.balance}`} aria-labelledby="falta">
        <h2 id="falta">Envie o que falta para processar todos seus lotes</h2>
        <dl className={styles.sums}>
          <Sum label="Saldo disponível" cents={balance} />
          <Sum label="Total aguardando" cents={total} />
          <Sum label="Falta enviar" cents={missing} strong />
        </dl>
        <div
          className={styles.bar}
          role="img"
          aria-label={`O saldo cobre ${coveredPercent(balance, total)}% do total`}
        >
          <i style={{ width: `${coveredPercent(balance, total)}%` }} />
        </div>
      </section>
      <DataTable
        caption="Lotes aguardando recebimento"
        columns={columnsFor(open)}
        rows={data}
        keyOf={(batch) => batch.id}
        onRow={open}
      />
    </>
  );
}

function coveredPercent(balance: number, total: number): number {
  // The bar is never full while a centavo is missing.
  return total <= 0 ? 100 : Math.min(100, Math.floor((Math.max(0, balance) / total) * 100));
}

function Sum({ label, cents, strong = false }: { label: string; cents: number; strong?: boolean }) {
  return (
    <div>
      <dt className="small muted">{label}</dt>
      <dd data-strong={strong || undefined}>
        <MoneyText cents={cents} />
      </dd>
    </div>
  );
}

/** BAT-080, with the name cut by BAT-081. */
function columnsFor(open: (batch: Batch) => void): Column<Batch>[] {
  return [
    {
      id: "name",
      heading: "Nome",
      width: 40,
      onPhone: "title",
      cell: (batch) => (
        <button
          type="button"
          className={styles.open}
          title={batch.name}
          aria-label={`Abrir o lote ${batch.name}`}
          onClick={() => open(batch)}
        >
          {cutText(batch.name, batchNameInWaitingTableMax)}
        </button>
      ),
    },
    {
      id: "created",
      heading: "Data de criação",
      width: 20,
      cell: (batch) => <span className="num">{formatDateTime(batch.created_at)}</span>,
    },
    {
      id: "value",
      heading: "Valor",
      width: 18,
      numeric: true,
      onPhone: "end",
      cell: (batch) => <MoneyText cents={batch.value} />,
    },
    {
      id: "status",
      heading: "Status",
      width: 22,
      cell: () => <StatusPill color="yellow">Aguardando recebimento</StatusPill>,
    },
  ];
}
