import { type Invoice, requestMonthlyReport } from "@malote/contracts/billing";
import { IconBarcode, IconFileInvoice, IconFileSpreadsheet } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { may, useSession } from "../shell/session.ts";
import { SupportLink } from "../shell/support-link.tsx";
import { Button, buttonClass } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatCount, formatDate } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { useRequestReport } from "./api.ts";
import { competenceOf, statusLooks } from "./invoice-looks.ts";
import styles from "./invoice-table.module.css";

type Shown = Omit<Invoice, "id">;

/** Columns with facts; the columns with actions follow them. */
const factsOf = (monthText: (invoice: Shown) => string): readonly Column<Shown>[] => [
  { id: "month", heading: "Competência", cell: monthText, onPhone: "title", width: 1.1 },
  {
    id: "amount",
    heading: "Quantidade",
    cell: (invoice) => formatCount(invoice.amount_of_transfers),
    numeric: true,
  },
  {
    id: "total",
    heading: "Valor",
    cell: (invoice) => <MoneyText cents={invoice.total} />,
    numeric: true,
    width: 1.2,
  },
  {
    id: "status",
    heading: "Status do pagamento",
    cell: ({ status, due_date }) => (
      <span className={styles.status}>
        <StatusPill color={statusLooks[status].color} shape={statusLooks[status].shape}>
          {statusLooks[status].name}
        </StatusPill>
        {status === "paid" ? null : (
          <span className="small muted">
            {status === "open" ? "vence" : "venceu"} em {formatDate(due_date)}
          </span>
        )}
      </span>
    ),
    width: 1.7,
  },
];

interface DocumentLinkProps {
  /** Read by screen readers, with the month: `Baixar o boleto de 10/2026`. */
  name: string;
  label: string;
  icon: ReactNode;
  url: string | null;
  /** Reason why there is no document. */
  missing: string;
}

/** Links to a document of the operator, or shows a disabled button in its place (COM-030, COM-031). */
function DocumentLink({ name, label, icon, url, missing }: DocumentLinkProps) {
  if (!url) {
    return (
      <span className={styles.missing}>
        <Button size="sm" icon={icon} disabled aria-label={`${name}: ${missing}`}>
          {label}
        </Button>
        <span className="small muted" aria-hidden>
          {missing}
        </span>
      </span>
    );
  }
  return (
    <a href={url} target="_blank" rel="noreferrer" className={buttonClass({ size: "sm" })} aria-label={name}>
      {icon}
      {label}
    </a>
  );
}

/** Shown when only the operator knows the counted payments of an invoice, and so provides its report. */
function RequestReport({ month }: { month: string }) {
  return (
    <span className={styles.missing}>
      <span className="small muted">Pagamentos não guardados aqui.</span>
      <span className="small">
        <SupportLink>
          Pedir ao suporte<span className="sr-only"> o relatório de {month}</span>
        </SupportLink>
      </span>
    </span>
  );
}

export function InvoiceTable({ invoices }: { invoices: readonly Invoice[] }) {
  const report = useRequestReport();
  const session = useSession();
  const reportColumn: Column<Invoice> = {
    id: "report",
    heading: "Relatório",
    cell: (invoice) =>
      invoice.has_report ? (
        <Button
          size="sm"
          icon={<IconFileSpreadsheet size={16} aria-hidden />}
          aria-label={`Gerar relatório de ${competenceOf(invoice)}`}
          busy={report.isPending && report.variables === invoice.billing_period_start}
          disabled={report.isPending && report.variables !== invoice.billing_period_start}
          onClick={() => report.mutate(invoice.billing_period_start)}
        >
          Gerar
        </Button>
      ) : (
        <RequestReport month={competenceOf(invoice)} />
      ),
  };
  const columns: readonly Column<Invoice>[] = [
    ...factsOf(competenceOf),
    ...(may(requestMonthlyReport, session) ? [reportColumn] : []),
    {
      id: "electronic-invoice",
      heading: "Nota Fiscal",
      cell: (invoice) => (
        <DocumentLink
          name={`Abrir a nota fiscal de ${competenceOf(invoice)}`}
          label="Abrir"
          icon={<IconFileInvoice size={16} aria-hidden />}
          url={invoice.electronic_invoice_url}
          missing="ainda não emitida"
        />
      ),
    },
    {
      id: "ticket",
      heading: "Boleto",
      cell: (invoice) => (
        <DocumentLink
          name={`Baixar o boleto de ${competenceOf(invoice)}`}
          label="Baixar"
          icon={<IconBarcode size={16} aria-hidden />}
          url={invoice.status === "paid" ? null : invoice.ticket_url}
          missing={invoice.status === "paid" ? "fatura paga" : "ainda não emitido"}
        />
      ),
    },
  ];
  return <DataTable caption="Faturas" columns={columns} rows={invoices} keyOf={({ id }) => id} />;
}

const nothing = () => <span className="faint">—</span>;
const exampleColumns: readonly Column<Shown>[] = [
  ...factsOf(() => "Exemplo"),
  { id: "report", heading: "Relatório", cell: nothing },
  { id: "electronic-invoice", heading: "Nota Fiscal", cell: nothing },
  { id: "ticket", heading: "Boleto", cell: nothing },
];

const example: Shown = {
  billing_period_start: "2026-01-01",
  amount_of_transfers: 120,
  total: 58_80,
  status: "paid",
  due_date: "2026-02-10",
  electronic_invoice_url: null,
  ticket_url: null,
  has_report: false,
};

/** COM-029: an example row, marked so that it is not taken for a debt. */
export function ExampleInvoices() {
  return (
    <>
      <Notice tone="blue" title="Sua empresa ainda não tem faturas">
        A primeira aparece aqui quando o mês fecha. A linha abaixo é só um exemplo: nada foi cobrado.
      </Notice>
      <div className={styles.example}>
        <DataTable
          caption="Exemplo de fatura"
          columns={exampleColumns}
          rows={[example]}
          keyOf={() => "example"}
        />
      </div>
    </>
  );
}
