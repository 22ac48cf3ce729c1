import { useQuery } from "@tanstack/react-query";
import { competenceOf, statusLooks } from "../billing/index.ts";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatCount, formatDate } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { type SimulatedInvoice, simulatedInvoicesQuery, useAnnounceInvoice } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

const facts: readonly Column<SimulatedInvoice>[] = [
  { id: "company", heading: "Empresa", cell: ({ company }) => company.name, onPhone: "title", width: 2 },
  { id: "month", heading: "Competência", cell: competenceOf },
  {
    id: "amount",
    heading: "Quantidade",
    cell: (invoice) => formatCount(invoice.amount_of_transfers),
    numeric: true,
  },
  { id: "total", heading: "Valor", cell: ({ total }) => <MoneyText cents={total} />, numeric: true },
  { id: "due", heading: "Vencimento", cell: ({ due_date }) => formatDate(due_date), numeric: true },
  {
    id: "status",
    heading: "Status",
    cell: ({ status }) => (
      <StatusPill color={statusLooks[status].color} shape={statusLooks[status].shape}>
        {status === "protested" ? "Protestada" : statusLooks[status].name}
      </StatusPill>
    ),
  },
];

/** The operator's own system: announcements about each invoice. */
export function InvoicesPanel() {
  const invoices = useQuery(simulatedInvoicesQuery);
  const announce = useAnnounceInvoice();
  const columns: readonly Column<SimulatedInvoice>[] = [
    ...facts,
    {
      id: "report",
      heading: <span className="sr-only">Avisar</span>,
      width: 2,
      cell: (invoice) => {
        const reports = [
          { kind: "issued", label: "Emitir documentos", shown: !invoice.is_issued },
          { kind: "paid", label: "Pagar", shown: invoice.status !== "paid" },
          { kind: "protested", label: "Protestar", shown: invoice.status === "overdue" },
        ] as const;
        return (
          <span className={styles.buttons}>
            {reports.map(({ kind, label, shown }) =>
              shown ? (
                <Button
                  key={kind}
                  size="sm"
                  disabled={announce.isPending}
                  aria-label={`${label}: ${competenceOf(invoice)} de ${invoice.company.name}`}
                  onClick={() => announce.mutate({ id: invoice.id, kind })}
                >
                  {label}
                </Button>
              ) : null,
            )}
          </span>
        );
      },
    },
  ];
  return (
    <Panel
      id="faturas"
      title="Faturas"
      help="O sistema de cobrança de quem opera a plataforma. Um mês fecha às 6h do primeiro dia do mês seguinte."
    >
      {invoices.isError ? <p role="alert">{errorSentence(invoices.error)}</p> : null}
      {invoices.data?.length === 0 ? (
        <p className="muted">Nenhum mês com pagamentos foi fechado ainda.</p>
      ) : null}
      {invoices.data && invoices.data.length > 0 ? (
        <DataTable
          caption="Faturas de todas as empresas"
          columns={columns}
          rows={invoices.data}
          keyOf={({ id }) => id}
        />
      ) : null}
    </Panel>
  );
}
