import type { ResponseOf } from "@malote/contracts/contract";
import type { readStatement, StatementEntry } from "@malote/contracts/statement";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatAmount, formatDate, formatDateTime, todayIn } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { accountOf, counterpartOf, entryLooks, looksCancelled, openingOf } from "./entry-looks.ts";
import styles from "./statement-page.module.css";

interface StatementTableProps {
  statement: ResponseOf<typeof readStatement>;
  /** Counted from 0. */
  page: number;
  refetching: boolean;
  onOpen: (entry: StatementEntry) => void;
}

/** STM-004, with the widths of STM-005 as relative weights. */
function columnsFor(onOpen: (entry: StatementEntry) => void): Column<StatementEntry>[] {
  return [
    {
      id: "date",
      heading: "Data",
      width: 13,
      cell: (entry) => <span className={styles.when}>{whenOf(entry)}</span>,
    },
    {
      id: "description",
      heading: "Descrição",
      width: 17,
      onPhone: "title",
      cell: (entry) => (
        <>
          {openingOf(entry) ? (
            <button
              type="button"
              className={`${styles.open} ${styles.description}`}
              title={entry.description}
              onClick={() => onOpen(entry)}
            >
              {entry.description}
            </button>
          ) : (
            <span className={styles.description} title={entry.description}>
              {entry.description}
            </span>
          )}
          <Payee entry={entry} />
        </>
      ),
    },
    {
      id: "bank",
      heading: "Banco",
      width: 7,
      onPhone: "hidden",
      cell: (entry) => <span className={styles.bank}>{accountOf(entry)?.bank}</span>,
    },
    {
      id: "agency",
      heading: "Agência",
      width: 12,
      onPhone: "hidden",
      cell: (entry) => <span className="num">{accountOf(entry)?.agency}</span>,
    },
    {
      id: "account",
      heading: "CC",
      width: 12,
      onPhone: "hidden",
      cell: (entry) => <span className="num">{accountOf(entry)?.account}</span>,
    },
    {
      id: "status",
      heading: "Status",
      width: 13,
      cell: (entry) => {
        const { name, color, shape } = entryLooks[entry.type];
        return (
          <StatusPill color={color} shape={shape}>
            {name}
          </StatusPill>
        );
      },
    },
    {
      id: "value",
      heading: "Valor (R$)",
      width: 15,
      numeric: true,
      onPhone: "end",
      cell: (entry) => <MoneyText cents={entry.value} signed bare struck={looksCancelled(entry)} />,
    },
    {
      id: "balance",
      heading: "Saldo (R$)",
      width: 15,
      numeric: true,
      cell: (entry) => formatAmount(entry.balance),
    },
  ];
}

/** Receiver of a returned payment, whose description gives only the reason. The files have it in a column. */
function Payee({ entry }: { entry: StatementEntry }) {
  const name = entry.type === "REFUND" ? counterpartOf(entry)?.name : undefined;
  return name ? <span className={`small muted ${styles.payee}`}>{name}</span> : null;
}

/** STM-009: moment of the movement when it is known, else its day. */
function whenOf({ date, complement }: StatementEntry): string {
  return complement.timestamp ? formatDateTime(complement.timestamp) : formatDate(date);
}

export function StatementTable({ statement, page, refetching, onOpen }: StatementTableProps) {
  const { entries, afterBalance, prevBalance, metadata } = statement;
  const { totalItems, itemsPerPage } = metadata.pagination;
  const lastPage = Math.max(0, Math.ceil(totalItems / itemsPerPage) - 1);
  return (
    <DataTable
      caption="Extrato"
      fixed
      columns={columnsFor(onOpen)}
      rows={entries}
      keyOf={(entry) => `${entry.id} ${entry.balance}`}
      refetching={refetching}
      onRow={(entry) => {
        if (openingOf(entry)) onOpen(entry);
      }}
      // STM-008: the newest page begins with the closing balance, the oldest ends with the opening one.
      before={
        page === 0 ? (
          <BalanceRow
            name="Saldo de fechamento"
            date={upToToday(afterBalance.date)}
            value={afterBalance.value}
          />
        ) : null
      }
      after={page === lastPage ? <BalanceRow name="Saldo de abertura" {...prevBalance} /> : null}
      empty={<p className={styles.nothing}>Nenhuma movimentação realizada neste período</p>}
    />
  );
}

/** A month in progress closes today, not on a future day. */
function upToToday(date: string): string {
  const today = todayIn();
  return date < today ? date : today;
}

function BalanceRow({ name, date, value }: { name: string; date: string; value: number }) {
  return (
    <tr className={styles.edge}>
      <td className="num" data-phone="hidden">
        {formatDate(date)}
      </td>
      <th scope="row" colSpan={6} data-phone="title">
        {name}
      </th>
      <td data-numeric data-phone="end">
        <MoneyText cents={value} bare />
      </td>
    </tr>
  );
}
