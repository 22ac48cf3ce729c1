import { type PaymentLink, removePaymentLink } from "@malote/contracts/payment-links";
import { IconExternalLink, IconReceipt, IconTrash } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { may, useSession } from "../shell/session.ts";
import { useNamedPath } from "../shell/use-named-path.ts";
import { IconButton } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDate } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { copied, methodsText, statusLooks } from "./link-looks.ts";
import styles from "./payment-links.module.css";

interface PaymentLinksTableProps {
  links: readonly PaymentLink[];
  refetching: boolean;
  onRemove: (link: PaymentLink) => void;
}

/** LNK-003: columns and actions of the links. */
export function PaymentLinksTable({ links, refetching, onRemove }: PaymentLinksTableProps) {
  const session = useSession();
  const payinsPath = useNamedPath("ReceivablesPage");
  const mayRemove = may(removePaymentLink, session);
  const columns: readonly Column<PaymentLink>[] = [
    {
      id: "name",
      heading: "Nome",
      onPhone: "title",
      width: 2.2,
      cell: ({ name, description }) => (
        <span className={styles.name}>
          <strong>{name}</strong>
          {description ? <span className="small muted">{description}</span> : null}
        </span>
      ),
    },
    {
      id: "amount",
      heading: "Valor",
      numeric: true,
      width: 1.2,
      cell: ({ amount }) => <MoneyText cents={amount} />,
    },
    {
      id: "created",
      heading: "Criado em",
      width: 1.2,
      cell: ({ created_at }) => <span className="num">{formatDate(created_at)}</span>,
    },
    {
      id: "expires",
      heading: "Expira em",
      width: 1.2,
      cell: ({ expires_at }) => <span className="num">{formatDate(expires_at)}</span>,
    },
    {
      id: "methods",
      heading: "Métodos",
      width: 1.6,
      cell: ({ payment_methods }) => methodsText(payment_methods),
    },
    {
      id: "status",
      heading: "Status",
      width: 1.1,
      cell: ({ status }) => {
        const { name, color, shape } = statusLooks[status];
        return (
          <StatusPill color={color} shape={shape}>
            {name}
          </StatusPill>
        );
      },
    },
    {
      id: "actions",
      heading: "Ações",
      width: 1.2,
      cell: (link) => (
        <span className={styles.actions}>
          <CopyButton text={link.link} label={`Copiar o link ${link.name}`} done={copied} />
          {link.payin_id && payinsPath ? (
            <Link
              to={payinsPath}
              search={{ recebimento: link.payin_id }}
              className={styles.open}
              aria-label={`Ver o recebimento do link ${link.name}`}
              title={`Ver o recebimento do link ${link.name}`}
            >
              <IconReceipt size={18} aria-hidden />
            </Link>
          ) : null}
          <a
            className={styles.open}
            href={link.link}
            target="_blank"
            rel="noreferrer"
            aria-label={`Abrir o link ${link.name}`}
            title={`Abrir o link ${link.name}`}
          >
            <IconExternalLink size={18} aria-hidden />
          </a>
          {mayRemove ? <RemoveButton link={link} onRemove={onRemove} /> : null}
        </span>
      ),
    },
  ];
  return (
    <DataTable
      caption="Links de pagamento"
      columns={columns}
      rows={links}
      keyOf={({ id }) => id}
      refetching={refetching}
    />
  );
}

/** LNK-009: on a paid link it stays focusable, to explain why it cannot be used. */
function RemoveButton({ link, onRemove }: { link: PaymentLink; onRemove: (link: PaymentLink) => void }) {
  const isPaid = link.status === "paid";
  const label = `Excluir o link ${link.name}`;
  return (
    <IconButton
      label={label}
      title={isPaid ? "O link não pode ser excluído pois já foi recebido" : label}
      aria-disabled={isPaid || undefined}
      onClick={() => (isPaid ? undefined : onRemove(link))}
    >
      <IconTrash size={18} aria-hidden />
    </IconButton>
  );
}
