import type { Boleto } from "@malote/contracts/boletos";
import { boletoBatchNameInTableMax, boletoDescriptionMax } from "@malote/domain/limits";
import { useQuery } from "@tanstack/react-query";
import {
  OneLine,
  OpenBatchLink,
  OpenPaymentLink,
  PaymentsPage,
  PendingPayment,
  usePaymentsSearch,
} from "../payments/parts.ts";
import { BankSelect } from "../transfers/index.ts";
import type { Column } from "../ui/data-table.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { allBoletosQuery, boletoQuery, boletosBlankslateQuery, receiptsOfBoletosQuery } from "./api.ts";
import BoletoDetailsDialog from "./boleto-details-dialog.tsx";
import { lookOfBoleto, noteOf } from "./boleto-status.ts";
import { boletoName, dueText, lineText, payDayText } from "./boleto-text.ts";
import { boletoFilterWords, boletosSearch } from "./search.ts";

/** BIL-030: lists the boletos of all batches, with filters. */
export default function BoletosPage() {
  const search = usePaymentsSearch(boletosSearch, boletoFilterWords);
  const list = useQuery(allBoletosQuery(search.filters, search.page - 1));
  return (
    <PaymentsPage
      kind="BILLET"
      words={words}
      statusWords={boletoFilterWords}
      search={search}
      list={list}
      blankslateQuery={boletosBlankslateQuery}
      receiptsQuery={receiptsOfBoletosQuery(search.filters)}
      columns={columns}
      twoLines={twoLines}
      nameOf={boletoName}
      BankSelect={BankSelect}
      OpenPayment={OpenBoleto}
    />
  );
}

/** Shows the whole sentence of a mistake, because there is room for it. */
function Mistake({ boleto }: { boleto: Boleto }) {
  const note = boleto.errors.length > 0 ? noteOf(boleto) : undefined;
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

/** BIL-031: columns of the boletos' table. */
const columns: readonly Column<Boleto>[] = [
  {
    id: "description",
    heading: "Descrição",
    width: 1.9,
    onPhone: "title",
    cell: (boleto) => (
      // Stacked on a card as well, whose cells place their parts side by side.
      <div>
        <OpenPaymentLink id={boleto.id} name={boletoName(boleto)} max={boletoDescriptionMax.inTable} />
        <Mistake boleto={boleto} />
      </div>
    ),
  },
  {
    id: "code",
    heading: "Código",
    width: 2.2,
    cell: (boleto) => <OneLine whole={lineText(boleto)} />,
  },
  {
    id: "batch",
    heading: "Lote",
    width: 1.6,
    cell: ({ batch }) => <OpenBatchLink {...batch} max={boletoBatchNameInTableMax} />,
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
    cell: (boleto) => <span className="num">{payDayText(boleto)}</span>,
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
    cell: (boleto) => {
      const { name, color, shape } = lookOfBoleto(boleto);
      return (
        <StatusPill color={color} shape={shape}>
          {name}
        </StatusPill>
      );
    },
  },
];

const twoLines = {
  widths: "minmax(190px, 1fr) minmax(0, 1.6fr) auto auto auto auto",
  first: "description code due value status receipt",
  second: "batch code pays value status receipt",
};

/** Shows one boleto above the list, read by its id. */
function OpenBoleto({ id, onClose }: { id: string; onClose: () => void }) {
  const boleto = useQuery(boletoQuery(id));
  return boleto.data ? (
    <BoletoDetailsDialog boleto={boleto.data} onClose={onClose} />
  ) : (
    <PendingPayment title="Detalhes do boleto" payment={boleto} onClose={onClose} />
  );
}
