import { downloadMonthlyReport } from "@malote/contracts/billing";
import { useQuery } from "@tanstack/react-query";
import { CompanyFrame } from "../company/index.ts";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { SupportLink } from "../shell/support-link.tsx";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Button } from "../ui/button.tsx";
import { formatMonth } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { invoicesQuery, useDownloadReport } from "./api.ts";
import { ExampleInvoices, InvoiceTable } from "./invoice-table.tsx";
import { billingSearch } from "./search.ts";

export default function BillingPage() {
  const [{ relatorio }, change] = usePageSearch(billingSearch);
  const session = useSession();
  const invoices = useQuery(invoicesQuery);
  return (
    <CompanyFrame subtitle="O que o uso da plataforma custou a cada mês.">
      {relatorio && may(downloadMonthlyReport, session) ? (
        <RequestedReport month={relatorio} onClose={() => change({ relatorio: null })} />
      ) : null}
      <ListFaces
        query={invoices}
        loading="Carregando as faturas"
        failed="Não foi possível carregar as faturas"
        bones={<Bone height={320} />}
        emptyFace={({ length }) => (length > 0 ? null : <ExampleInvoices />)}
      >
        {(list) => <InvoiceTable invoices={list} />}
      </ListFaces>
      {invoices.data ? <BillingHelp /> : null}
    </CompanyFrame>
  );
}

/** Dialog behind the e-mail's link: it downloads the file with the reader's own session. */
function RequestedReport({ month, onClose }: { month: string; onClose: () => void }) {
  const download = useDownloadReport();
  return (
    <Notice
      tone="green"
      title={`Relatório de ${formatMonth(month.slice(0, 7))}`}
      action={
        <>
          <Button size="sm" look="primary" busy={download.isPending} onClick={() => download.mutate(month)}>
            Baixar relatório
          </Button>
          <Button size="sm" look="quiet" onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      Uma planilha CSV com cada pagamento desta fatura.
    </Notice>
  );
}

/** COM-029: names whom to ask, below the table. */
function BillingHelp() {
  return (
    <p className="muted">
      Dúvidas sobre uma fatura? <SupportLink>Fale com o suporte</SupportLink>.
    </p>
  );
}
