import type { ResponseOf } from "@malote/contracts/contract";
import type { readReport } from "@malote/contracts/reports";
import { useMutation, useQuery } from "@tanstack/react-query";
import { errorSentence } from "../shell/call.ts";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { saveReport } from "../shell/save-report.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { counted, formatDate, formatDateTime } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Notice } from "../ui/notice.tsx";
import { fetchReport, requestedReportQuery } from "./api.ts";

interface RequestedReportProps {
  id: string;
  onClose: () => void;
}

/** Target of the e-mail's link: the file, while it exists. */
export default function RequestedReportDialog({ id, onClose }: RequestedReportProps) {
  const asked = useQuery(requestedReportQuery(id));
  const download = useMutation({
    mutationFn: () => fetchReport(id),
    onSuccess: (file) => saveReport(file, asked.data?.file_name ?? "relatorio"),
  });
  const isReady = asked.data?.state === "ready";
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Relatório"
      actions={
        <>
          <Button onClick={onClose} data-autofocus>
            Voltar
          </Button>
          {isReady ? (
            <Button look="primary" busy={download.isPending} onClick={() => download.mutate()}>
              Baixar relatório
            </Button>
          ) : null}
        </>
      }
    >
      {download.error ? (
        <Notice tone="red" alert>
          {errorSentence(download.error, "Não foi possível baixar o relatório. Tente de novo.")}
        </Notice>
      ) : null}
      {asked.data ? (
        <>
          {asked.isError ? (
            <FailedNotice title="Não foi possível saber se o relatório está pronto" query={asked} />
          ) : null}
          <ReportState {...asked.data} />
        </>
      ) : asked.isError ? (
        <FailedQuery title="Não foi possível abrir o relatório" query={asked} />
      ) : (
        <LoadingState>
          <Bone height={48} />
        </LoadingState>
      )}
    </Dialog>
  );
}

function ReportState(report: ResponseOf<typeof readReport>) {
  const period = `de ${formatDate(report.initialDate)} a ${formatDate(report.endDate)}`;
  switch (report.state) {
    case "making":
      return (
        <p role="status">
          Estamos preparando o relatório {period}. Você pode esperar aqui ou voltar pelo e-mail que
          enviaremos.
        </p>
      );
    case "ready":
      return (
        <>
          <p role="status">
            {report.kind === "payouts" ? "Transferências" : "Extrato"} {period}, com{" "}
            <strong>
              {report.kind === "payouts"
                ? counted(report.rows_count ?? 0, "transferência", "transferências")
                : counted(report.rows_count ?? 0, "lançamento", "lançamentos")}
            </strong>
            .
          </p>
          <p className="muted">Disponível até {formatDateTime(report.expires_at)}.</p>
        </>
      );
    case "expired":
      return <p role="status">O prazo para baixar este relatório acabou. Peça de novo.</p>;
    case "failed":
      return <p role="status">Não foi possível preparar este relatório. Peça de novo.</p>;
  }
}
