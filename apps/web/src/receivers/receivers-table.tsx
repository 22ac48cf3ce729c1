import { type Receiver, removeReceivers } from "@malote/contracts/receivers";
import { transferTableTextMax } from "@malote/domain/limits";
import { formatPixKey } from "@malote/domain/pix-key";
import { formatTaxId } from "@malote/domain/tax-id";
import { IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { may, useSession } from "../shell/session.ts";
import { accountNumber, receiverName } from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { Checkbox } from "../ui/checkbox.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { cutText } from "../ui/format.ts";
import { SelectionBar } from "../ui/selection-bar.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { useSelection } from "../ui/use-selection.ts";
import { LastPayment } from "./last-payment.tsx";
import { failureOf, statusLooks } from "./receiver-status.ts";
import styles from "./receivers-page.module.css";
import { RemoveManyDialog } from "./remove-many-dialog.tsx";

interface ReceiversTableProps {
  receivers: readonly Receiver[];
  refetching: boolean;
  onOpen: (id: string) => void;
}

/** RCV-002, with the selection of receivers to delete (RCV-018). */
export function ReceiversTable({ receivers, refetching, onOpen }: ReceiversTableProps) {
  const session = useSession();
  // RCV-019: analysts see no selection and no deletion.
  const mayRemove = may(removeReceivers, session);
  const { selected, isAll, isSelected, select, selectAll } = useSelection(receivers);
  const [asks, setAsks] = useState(false);
  const [removals, setRemovals] = useState(0);
  // The deletion removed the selected rows and the focused button, perhaps the list too, so the title takes
  // the focus.
  useEffect(() => {
    if (removals > 0) document.querySelector<HTMLElement>("[data-page-title]")?.focus();
  }, [removals]);

  const columns: readonly Column<Receiver>[] = [
    {
      id: "name",
      label: "Nome",
      width: 3,
      onPhone: "title",
      heading: mayRemove ? (
        <span className={styles.heading}>
          <Checkbox
            label="Selecionar todos desta página"
            checked={isAll}
            partly={selected.length > 0 && !isAll}
            onChange={selectAll}
          />
          Nome
        </span>
      ) : (
        "Nome"
      ),
      cell: (receiver) => (
        <span className={styles.name}>
          {mayRemove ? (
            <Checkbox
              label={`Selecionar ${receiverName(receiver)}`}
              checked={isSelected(receiver)}
              onChange={(on) => select(receiver, on)}
            />
          ) : null}
          <Link
            to="."
            search={(before) => ({ ...before, recebedor: receiver.id })}
            resetScroll={false}
            title={receiverName(receiver)}
          >
            {cutText(receiverName(receiver), transferTableTextMax.name)}
          </Link>
        </span>
      ),
    },
    {
      id: "document",
      heading: "CPF/CNPJ",
      width: 2,
      cell: ({ cpf_cnpj }) => <span className="num">{cpf_cnpj ? formatTaxId(cpf_cnpj) : "–"}</span>,
    },
    {
      id: "bank",
      heading: "Banco",
      width: 1.6,
      cell: ({ Bank }) => <span className={styles.words}>{Bank?.name ?? "–"}</span>,
    },
    {
      id: "agency",
      heading: "Agência",
      width: 1,
      cell: ({ agency, agency_digit }) => (
        <span className="num">{accountNumber(agency, agency_digit) ?? "–"}</span>
      ),
    },
    {
      id: "account",
      heading: "Conta ou Chave Pix",
      width: 2.6,
      cell: (receiver) => (
        <span className={styles.way} title={wholeWay(receiver)}>
          <span className={styles.wayText}>{wholeWay(receiver)}</span>
        </span>
      ),
    },
    {
      id: "status",
      heading: "Status",
      width: 1.8,
      onPhone: "end",
      cell: (receiver) => <Status receiver={receiver} />,
    },
  ];
  return (
    <>
      {mayRemove ? (
        <SelectionBar
          count={selected.length}
          words={["recebedor selecionado", "recebedores selecionados"]}
          all={{ label: "Selecionar todos desta página", isSelected: isAll, onSelect: selectAll }}
        >
          <Button size="sm" look="danger" icon={<IconTrash aria-hidden />} onClick={() => setAsks(true)}>
            Excluir selecionados
          </Button>
        </SelectionBar>
      ) : null}
      <DataTable
        caption="Seus recebedores"
        columns={columns}
        rows={receivers}
        keyOf={({ id }) => id}
        onRow={({ id }) => onOpen(id)}
        refetching={refetching}
      />
      {asks ? (
        <RemoveManyDialog
          receivers={selected}
          onClose={() => setAsks(false)}
          onRemoved={() => {
            setAsks(false);
            selectAll(false);
            setRemovals(removals + 1);
          }}
        />
      ) : null}
    </>
  );
}

function wholeWay(receiver: Receiver): string {
  if (receiver.pix_key) return formatPixKey(receiver.pix_key_type ?? "", receiver.pix_key);
  return accountNumber(receiver.account, receiver.account_digit) ?? "–";
}

function Status({ receiver }: { receiver: Receiver }) {
  const { name, color, shape } = statusLooks[receiver.status];
  const failure = failureOf(receiver);
  return (
    <div className={styles.status}>
      <StatusPill color={color} shape={shape}>
        {name}
      </StatusPill>
      {failure ? <span className="small muted">{failure}</span> : null}
      <LastPayment receiver={receiver} short />
    </div>
  );
}
