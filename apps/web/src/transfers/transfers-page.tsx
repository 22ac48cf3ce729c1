import type { ListedTransfer } from "@malote/contracts/transfers";
import { transferTableTextMax } from "@malote/domain/limits";
import { formatPixKey } from "@malote/domain/pix-key";
import { useQuery } from "@tanstack/react-query";
import { filterQuery } from "../payments/index.ts";
import {
  OpenBatchLink,
  OpenPaymentLink,
  PaymentsPage,
  PendingPayment,
  usePaymentsSearch,
} from "../payments/parts.ts";
import type { Column } from "../ui/data-table.tsx";
import { cutText, formatDate } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import {
  allTransfersQuery,
  receiptsOfTransfersQuery,
  transferQuery,
  transfersBlankslateQuery,
} from "./api.ts";
import { BankSelect } from "./bank-select.tsx";
import { accountNumber, keyHolderMark, keyHolderName, receiverName } from "./destination-text.ts";
import { PayoutReportButton } from "./payout-report-button.tsx";
import { filterWords, transfersSearch } from "./search.ts";
import TransferDetailsDialog from "./transfer-details-dialog.tsx";
import { lookOfTransfer } from "./transfer-status.ts";

const batchNameMax = 23;

/** Name of the payee; the key's holder when the payment has no name. */
const payeeName = (transfer: ListedTransfer): string =>
  keyHolderName(transfer) ?? receiverName(transfer.destination_bank_account);

/** TRF-049: lists the transfers of all batches, with filters. */
export default function TransfersPage() {
  const search = usePaymentsSearch(transfersSearch, filterWords);
  const list = useQuery(allTransfersQuery(search.filters, search.page - 1));
  return (
    <PaymentsPage
      kind="TRANSFER"
      words={words}
      statusWords={filterWords}
      search={search}
      list={list}
      blankslateQuery={transfersBlankslateQuery}
      receiptsQuery={receiptsOfTransfersQuery(search.filters)}
      columns={columns}
      twoLines={twoLines}
      actions={<PayoutReportButton filter={filterQuery(search.filters)} />}
      nameOf={payeeName}
      BankSelect={BankSelect}
      OpenPayment={OpenTransfer}
    />
  );
}

const words = {
  title: "Suas transferências",
  one: "transferência",
  many: "transferências",
  searchLabel: "Recebedor, agência, conta, valor ou lote",
  failed: "Não foi possível carregar as transferências",
  nothing: "Nenhuma transferência foi encontrada na sua busca",
  firstUse: "Faça sua primeira transferência",
  firstUseText: "Todas as transferências dos seus lotes aparecem aqui, com busca, status e comprovantes.",
};

/** TRF-050, with texts cut by TRF-054. */
const columns: readonly Column<ListedTransfer>[] = [
  {
    id: "receiver",
    heading: "Recebedor",
    width: 3.3,
    onPhone: "title",
    cell: (transfer) => (
      <>
        <OpenPaymentLink id={transfer.id} name={payeeName(transfer)} max={transferTableTextMax.name} />
        {keyHolderName(transfer) ? <div className="small muted">{keyHolderMark}</div> : null}
      </>
    ),
  },
  {
    id: "bank",
    heading: "Banco",
    width: 1,
    cell: ({ payment_method, destination_bank_account: { Bank } }) =>
      Bank?.name ?? (payment_method === "PIX" ? "Pix" : "–"),
  },
  {
    id: "agency",
    heading: "Agência",
    width: 0.6,
    cell: ({ destination_bank_account: { agency, agency_digit } }) => (
      <span className="num">{accountNumber(agency, agency_digit) ?? "–"}</span>
    ),
  },
  {
    id: "account",
    heading: "Conta",
    width: 3,
    cell: (transfer) => {
      const text = accountText(transfer);
      return (
        // A key is one long word.
        <span style={{ overflowWrap: "anywhere" }} title={text}>
          {cutText(text, transferTableTextMax.account)}
        </span>
      );
    },
  },
  {
    id: "batch",
    heading: "Lote",
    width: 1.3,
    cell: ({ Batch }) => <OpenBatchLink {...Batch} max={batchNameMax} />,
  },
  {
    id: "value",
    heading: "Valor",
    width: 1.4,
    numeric: true,
    onPhone: "end",
    cell: ({ value }) => (value === null ? "–" : <MoneyText cents={value} />),
  },
  {
    id: "date",
    heading: "Data",
    width: 1.2,
    cell: (transfer) => <span className="num">{formatDate(dayOf(transfer))}</span>,
  },
  {
    id: "status",
    heading: "Status",
    width: 1.7,
    cell: (transfer) => {
      const { name, color, shape } = lookOfTransfer(transfer);
      return (
        <StatusPill color={color} shape={shape}>
          {name}
        </StatusPill>
      );
    },
  },
];

/** The account spans both columns, because a key is long. */
const twoLines = {
  widths: "minmax(0, 1.5fr) minmax(0, 0.8fr) minmax(0, 1fr) auto auto auto",
  first: "receiver bank account value status receipt",
  second: "batch agency account value date receipt",
};

/** The account, or the key that replaces it. */
function accountText({ destination_bank_account: to }: ListedTransfer): string {
  if (to.pix_key) return formatPixKey(to.pix_key_type ?? "", to.pix_key);
  return accountNumber(to.account, to.account_digit) ?? "–";
}

/** Date of arrival, else the planned date, else the creation date. */
const dayOf = ({ transfer_date, payment_date, created_at }: ListedTransfer): string =>
  transfer_date ?? payment_date ?? created_at;

/** TRF-055: shows one transfer above the list, read by its id. */
function OpenTransfer({ id, onClose }: { id: string; onClose: () => void }) {
  const transfer = useQuery(transferQuery(id));
  return transfer.data ? (
    <TransferDetailsDialog transfer={transfer.data} batch={transfer.data.Batch} onClose={onClose} />
  ) : (
    <PendingPayment title="Detalhes da transferência" payment={transfer} onClose={onClose} />
  );
}
