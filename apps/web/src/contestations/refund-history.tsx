import type { InfractionRefundMovement } from "@malote/contracts/contestations";
import { attemptNames } from "@malote/domain/infraction";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListFaces } from "../shell/list-faces.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { CursorPager } from "../ui/cursor-pager.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { refundMovementsQuery } from "./api.ts";
import styles from "./contestations.module.css";
import { attemptLooks } from "./looks.ts";

const columns: readonly Column<InfractionRefundMovement>[] = [
  {
    id: "date",
    heading: "Data",
    onPhone: "title",
    width: 1.4,
    cell: ({ attempt_date }) => <span className="num">{formatDateTime(attempt_date)}</span>,
  },
  {
    id: "return",
    heading: "ID da devolução",
    width: 3,
    cell: ({ return_id }) =>
      return_id ? (
        <span className={styles.copied}>
          <span className={`num ${styles.long}`}>{return_id}</span>
          <CopyButton text={return_id} label="Copiar ID da devolução" />
        </span>
      ) : (
        "–"
      ),
  },
  { id: "amount", heading: "Valor", numeric: true, cell: ({ amount }) => <MoneyText cents={amount} /> },
  {
    id: "status",
    heading: "Status",
    onPhone: "end",
    cell: ({ attempt_status }) => (
      <StatusPill {...attemptLooks[attempt_status]}>{attemptNames[attempt_status]}</StatusPill>
    ),
  },
];

/** Attempts to return the money (MED-037, MED-038). */
export function RefundHistory({ infractionId }: { infractionId: string }) {
  const [{ search, cursor }, setPage] = useState<{ search: string; cursor: string | null }>({
    search: "",
    cursor: null,
  });
  const list = useQuery(refundMovementsQuery(infractionId, search, cursor));
  const isEmpty = list.data?.items.length === 0;
  return (
    <section className={styles.history} aria-labelledby="devolucoes">
      <div>
        <h2 id="devolucoes">Histórico de devoluções</h2>
        <p className="small muted">As tentativas de devolver o valor, por até 3 meses.</p>
      </div>
      {isEmpty && !search ? null : (
        <SearchField
          label="ID da devolução"
          value={search}
          className={styles.search ?? ""}
          onSearch={(text) => setPage({ search: text, cursor: null })}
        />
      )}
      <ListFaces
        query={list}
        loading="Carregando as devoluções"
        failed="Ocorreu um erro ao buscar os reembolsos"
        bones={<Bone height={160} />}
        emptyFace={({ items }) =>
          items.length > 0 ? null : (
            <p className={`panel muted ${styles.nothing}`}>
              {search ? "Nenhuma devolução encontrada com este ID." : "Nenhuma devolução desta infração."}
            </p>
          )
        }
      >
        {({ items, meta }) => (
          <>
            <DataTable
              caption="Histórico de devoluções"
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              refetching={list.isPlaceholderData}
            />
            {meta.next || meta.previous ? (
              <CursorPager {...meta} onCursor={(next) => setPage({ search, cursor: next })} />
            ) : null}
          </>
        )}
      </ListFaces>
    </section>
  );
}
