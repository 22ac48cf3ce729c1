import { approveInfractions, type Infraction } from "@malote/contracts/contestations";
import { refusalOfAnswer, situationNames } from "@malote/domain/infraction";
import { endToEndIdShownMax } from "@malote/domain/limits";
import { shorten } from "@malote/domain/shorten";
import { formatTaxId } from "@malote/domain/tax-id";
import { IconAlertTriangle, IconChecks } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { pathOf } from "../shell/routes.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDateTime } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { SelectionBar } from "../ui/selection-bar.tsx";
import { systemNow } from "../ui/system-time.ts";
import { useSelection } from "../ui/use-selection.ts";
import { ApproveDialog } from "./approve-dialog.tsx";
import styles from "./contestations.module.css";
import { AnalysisPill, DeadlinePill, OpinionPill } from "./pills.tsx";

const infractionPath = pathOf("InfractionPage");

/** MED-020: true when an answer is accepted; the server checks again. */
export const mayBeAnswered = (infraction: Infraction, now: Date = systemNow()): boolean =>
  refusalOfAnswer(
    {
      analysisStatus: infraction.analysis_status,
      contestedAt: infraction.contested_at ? new Date(infraction.contested_at) : null,
      analysisDueAt: new Date(infraction.analysis_due_date),
    },
    now,
  ) === undefined;

/** A request that waits for another person cannot be approved again. */
const mayBeSelected = (infraction: Infraction): boolean =>
  mayBeAnswered(infraction) && infraction.approval_request === null;

/** MED-010: icon of an infraction contested by e-mail. */
export function ContestedMark() {
  return (
    <span
      className={styles.contested}
      role="img"
      title="Infração já contestada via e-mail"
      aria-label="Infração já contestada via e-mail"
    >
      <IconAlertTriangle size={18} aria-hidden />
    </span>
  );
}

interface InfractionsTableProps {
  infractions: readonly Infraction[];
  refetching: boolean;
}

export function InfractionsTable({ infractions, refetching }: InfractionsTableProps) {
  const session = useSession();
  const navigate = useNavigate();
  const mayApprove = may(approveInfractions, session);
  const [asks, setAsks] = useState(false);
  const answerable = mayApprove ? infractions.filter(mayBeSelected) : [];
  const { selected, isAll, isSelected, select, selectAll } = useSelection(answerable);

  const columns: readonly Column<Infraction>[] = [
    {
      id: "date",
      label: "Data",
      width: 15,
      heading: mayApprove ? (
        <span className={styles.lead}>
          <Checkbox
            label="Selecionar todas as pendentes desta página"
            checked={isAll}
            partly={selected.length > 0 && !isAll}
            disabled={answerable.length === 0}
            onChange={selectAll}
          />
          Data
        </span>
      ) : (
        "Data"
      ),
      cell: (infraction) => (
        <span className={styles.lead}>
          {mayApprove ? (
            <Checkbox
              label={`Selecionar a infração de ${infraction.payer_name}`}
              checked={isSelected(infraction)}
              disabled={!mayBeSelected(infraction)}
              onChange={(on) => select(infraction, on)}
            />
          ) : null}
          <Link to={infractionPath} params={{ infractionId: infraction.id }} className={`num ${styles.when}`}>
            {formatDateTime(infraction.infraction_date)}
          </Link>
        </span>
      ),
    },
    {
      id: "due",
      heading: "Prazo",
      width: 11.5,
      cell: (infraction) => (
        <span className={styles.due}>
          <DeadlinePill infraction={infraction} />
          {infraction.contested_at ? <ContestedMark /> : null}
        </span>
      ),
    },
    {
      id: "payer",
      heading: "Pagador",
      width: 13.5,
      onPhone: "title",
      cell: ({ payer_name }) => <span className={styles.breaks}>{payer_name}</span>,
    },
    {
      id: "document",
      heading: "Documento",
      width: 12.5,
      cell: ({ payer_tax_id }) => (
        <span className="num">{payer_tax_id ? formatTaxId(payer_tax_id) : "–"}</span>
      ),
    },
    {
      id: "pix",
      heading: "ID Pix",
      width: 13.5,
      cell: ({ transaction_id }) => (
        <span className={styles.copied}>
          <span title={transaction_id} className="num">
            {shorten(transaction_id, endToEndIdShownMax)}
          </span>
          <CopyButton text={transaction_id} label="Copiar ID Pix" />
        </span>
      ),
    },
    {
      id: "amount",
      heading: "Valor",
      numeric: true,
      width: 13,
      cell: ({ amount }) => <MoneyText cents={amount} />,
    },
    {
      id: "situation",
      heading: "Tipo",
      width: 11,
      cell: ({ situation_type }) => <span className={styles.breaks}>{situationNames[situation_type]}</span>,
    },
    { id: "opinion", heading: "Parecer", width: 12.5, cell: ({ status }) => <OpinionPill code={status} /> },
    {
      id: "status",
      heading: "Status",
      width: 12,
      onPhone: "end",
      cell: (infraction) => (
        <span className={styles.states}>
          <AnalysisPill status={infraction.analysis_status} />
          {/* Text that wraps, because the narrowest column has no room for a second pill. */}
          {infraction.approval_request && mayBeAnswered(infraction) ? (
            <span className={`small ${styles.breaks}`}>Aguarda aprovação</span>
          ) : null}
        </span>
      ),
    },
  ];
  return (
    <>
      {mayApprove && answerable.length > 0 ? (
        <SelectionBar
          count={selected.length}
          words={["infração selecionada", "infrações selecionadas"]}
          all={{ label: "Selecionar as pendentes", isSelected: isAll, onSelect: selectAll }}
        >
          <Button size="sm" icon={<IconChecks size={18} aria-hidden />} onClick={() => setAsks(true)}>
            Aprovar selecionadas
          </Button>
        </SelectionBar>
      ) : null}
      <div className={styles.list}>
        <DataTable
          caption="Contestações"
          fixed
          columns={columns}
          rows={infractions}
          keyOf={({ id }) => id}
          onRow={({ id }) => void navigate({ to: infractionPath, params: { infractionId: id } })}
          refetching={refetching}
        />
      </div>
      {asks ? (
        <ApproveDialog
          infractions={selected}
          onClose={() => setAsks(false)}
          onApproved={() => {
            setAsks(false);
            selectAll(false);
          }}
        />
      ) : null}
    </>
  );
}
