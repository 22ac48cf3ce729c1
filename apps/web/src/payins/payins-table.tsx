import type { Payin } from "@malote/contracts/payins";
import { endToEndIdShownMax } from "@malote/domain/limits";
import { payinStatusNames, payinTypeNames } from "@malote/domain/payin-names";
import { formatTaxId } from "@malote/domain/tax-id";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useSession } from "../shell/session.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { cutText, formatDateTime } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { payinLooks } from "./payin-looks.ts";
import styles from "./payins.module.css";
import { isRefundable, mayRefund, refundTip } from "./refund-rules.ts";

interface PayinsTableProps {
  payins: readonly Payin[];
  refetching: boolean;
  /** PAY-009: neither details nor refunds. */
  simple: boolean;
  onOpen: (id: string) => void;
  onRefund: (payin: Payin) => void;
}

export function PayinPill({ status }: Pick<Payin, "status">) {
  return <StatusPill {...payinLooks[status]}>{payinStatusNames[status]}</StatusPill>;
}

function Status({ payin }: { payin: Payin }) {
  return (
    <>
      <PayinPill status={payin.status} />
      {payin.infraction_ids.length > 0 ? (
        <span className={`small muted ${styles.double}`}>Contestado</span>
      ) : null}
      {payin.paid_twice ? <span className={`small muted ${styles.double}`}>Pago em dobro</span> : null}
    </>
  );
}

const documentOf = ({ payer }: Payin) =>
  payer.tax_id ? <span className="num">{formatTaxId(payer.tax_id)}</span> : "—";

/** PAY-010: the table cuts end-to-end ids. */
function EndToEndId({ payin: { end_to_end_id: id } }: { payin: Payin }) {
  if (!id) return "—";
  return (
    <span className={styles.id} title={id}>
      <code className="small">{cutText(id, endToEndIdShownMax)}</code>
      <CopyButton text={id} label="Copiar ID Pix" />
    </span>
  );
}

export function PayinsTable({ payins, refetching, simple, onOpen, onRefund }: PayinsTableProps) {
  const session = useSession();
  const shared = { caption: "Recebimentos", rows: payins, keyOf: ({ id }: Payin) => id, refetching };
  const document: Column<Payin> = { id: "document", heading: "Documento", cell: documentOf, width: 13 };
  const endToEndId: Column<Payin> = {
    id: "e2e",
    heading: "ID Pix",
    cell: (payin) => <EndToEndId payin={payin} />,
    width: 12,
  };
  const value: Column<Payin> = {
    id: "value",
    heading: "Valor",
    numeric: true,
    onPhone: "end",
    cell: ({ amount }) => <MoneyText cents={amount} />,
    width: 11,
  };
  if (simple) {
    return <DataTable {...shared} columns={[{ ...document, onPhone: "title" }, value, endToEndId]} />;
  }
  const columns: Column<Payin>[] = [
    {
      id: "date",
      heading: "Data",
      cell: ({ created_at: at }) => <span className={`num ${styles.when}`}>{formatDateTime(at)}</span>,
      width: 10,
    },
    {
      id: "payer",
      heading: "Pagador",
      onPhone: "title",
      cell: ({ id, payer, payment_link: link }) => (
        <span className={styles.from}>
          <a
            href={`?recebimento=${id}`}
            className={styles.payer}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              onOpen(id);
            }}
          >
            {payer.name ?? "Pagador não informado"}
          </a>
          {link ? <span className="small muted">{link.name}</span> : null}
        </span>
      ),
      width: 19,
    },
    document,
    { id: "type", heading: "Método", cell: ({ payment_type: type }) => payinTypeNames[type], width: 13 },
    endToEndId,
    value,
    { id: "status", heading: "Status", cell: (payin) => <Status payin={payin} />, width: 11 },
    {
      id: "refund",
      heading: "Devolver",
      width: 8,
      cell: (payin) => {
        if (!mayRefund(payin, session)) return "—";
        const isOff = !isRefundable(payin);
        return (
          <IconButton
            label={`Devolver a ${payin.payer.name ?? "quem pagou"}`}
            title={refundTip(payin)}
            // Stays focusable, because the details explain why it cannot be used.
            aria-disabled={isOff || undefined}
            onClick={() => (isOff ? onOpen(payin.id) : onRefund(payin))}
          >
            <IconArrowBackUp size={18} aria-hidden />
          </IconButton>
        );
      },
    },
  ];
  return <DataTable {...shared} columns={columns} onRow={({ id }) => onOpen(id)} />;
}
