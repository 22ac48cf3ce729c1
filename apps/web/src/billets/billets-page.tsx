import type { Billet, BilletPageFilter } from "@malote/contracts/billets";
import { billetBatchNameInTableMax, billetDescriptionMax } from "@malote/domain/limits";
import { useQuery } from "@tanstack/react-query";
import {
  OneLine,
  OpenBatchLink,
  OpenPaymentLink,
  PaymentsPage,
  usePaymentsSearch,
} from "../payments/parts.ts";
import { BankSelect } from "../transfers/index.ts";
import type { Column } from "../ui/data-table.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { allBilletsQuery, billetsBlankslateQuery, receiptsOfBilletsQuery } from "./api.ts";
import { billetFilterWords, lookOfBillet, noteOf } from "./billet-status.ts";
import { billetName, dueText, lineText, payDayText } from "./billet-text.ts";
import { OpenBillet } from "./open-billet.tsx";

/** BIL-030. */
export default function BilletsPage() {
  const search = usePaymentsSearch<BilletPageFilter>(billetFilterWords);
  const list = useQuery(allBilletsQuery(search.filters, search.pagina - 1));
  return (
    <PaymentsPage
      kind="BILLET"
      words={words}
      statusWords={billetFilterWords}
      search={search}
      list={list}
      blankslateQuery={billetsBlankslateQuery}
      receiptsQuery={receiptsOfBilletsQuery(search.filters)}
      columns={columns}
      nameOf={billetName}
      BankSelect={BankSelect}
      OpenPayment={OpenBillet}
    />
  );
}

/** The whole sentence of what is wrong, where it has room: a pill stays one word. */
function Mistake({ billet }: { billet: Billet }) {
  const note = billet.errors.length > 0 ? noteOf(billet) : undefined;
  return note ? (
    <small style={{ display: "block", color: "var(--red)", overflowWrap: "anywhere" }}>{note}</small>
  ) : null;
}

const words = {
  title: "Seus boletos",
  one: "boleto",
  many: "boletos",
  searchLabel: "Código, descrição, valor ou lote",
  failed: "Não foi possível carregar os boletos",
  nothing: "Nenhum boleto foi encontrado na sua busca",
  firstUse: "Pague seu primeiro boleto",
  firstUseText: "Todos os boletos dos seus lotes aparecem aqui, com busca, status e comprovantes.",
};

/** BIL-031. */
const columns: readonly Column<Billet>[] = [
  {
    id: "description",
    heading: "Descrição",
    width: 1.9,
    onPhone: "title",
    cell: (billet) => (
      // One below the other on a card as well, whose cells put things beside one another.
      <div>
        <OpenPaymentLink id={billet.id} name={billetName(billet)} max={billetDescriptionMax.inTable} />
        <Mistake billet={billet} />
      </div>
    ),
  },
  {
    id: "code",
    heading: "Código",
    width: 2.2,
    cell: (billet) => <OneLine whole={lineText(billet)} />,
  },
  {
    id: "batch",
    heading: "Lote",
    width: 1.6,
    cell: ({ batch }) => <OpenBatchLink {...batch} max={billetBatchNameInTableMax} />,
  },
  {
    id: "due",
    heading: "Vencimento",
    width: 1.2,
    cell: ({ due_date }) => <span className="num">{dueText(due_date)}</span>,
  },
  {
    id: "pays",
    heading: "Pagamento",
    width: 1.2,
    cell: (billet) => <span className="num">{payDayText(billet)}</span>,
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
    id: "status",
    heading: "Status",
    width: 1.7,
    cell: (billet) => {
      const { name, color, shape } = lookOfBillet(billet);
      return (
        <StatusPill color={color} shape={shape}>
          {name}
        </StatusPill>
      );
    },
  },
];
