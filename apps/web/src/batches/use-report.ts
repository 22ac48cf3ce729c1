import type { Batch } from "@malote/contracts/batches";
import { useMutation } from "@tanstack/react-query";
import { errorSentence } from "../shell/call.ts";
import { saveReport } from "../shell/save-report.ts";
import { toast } from "../ui/toasts.tsx";
import { fetchBadRows, fetchReport } from "./open-batch-api.ts";

/** Replaces characters of a batch's name that some systems refuse in file names. */
export function fileNameOf(batchName: string, ending: string): string {
  const plain = batchName
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .toLowerCase();
  return `${plain || "lote"}-${ending}.xlsx`;
}

function useDownload(
  fetchFile: (id: string) => Promise<Blob>,
  batch: Pick<Batch, "id" | "name">,
  ending: string,
) {
  const download = useMutation({
    mutationFn: () => fetchFile(batch.id),
    onSuccess: (file) => saveReport(file, fileNameOf(batch.name, ending)),
    onError: (error) => {
      const text = errorSentence(error, "Não foi possível baixar o arquivo. Tente de novo.");
      if (text) toast.bad(text);
    },
  });
  return download;
}

/** BAT-027: downloads the report of a batch. */
export function useReport(batch: Pick<Batch, "id" | "name">) {
  const download = useDownload(fetchReport, batch, "relatorio");
  return {
    busy: download.isPending,
    download: () => {
      if (download.isPending) return;
      toast.report("Seu relatório está sendo gerado.");
      download.mutate();
    },
  };
}

/** Downloads only the rows with mistakes, each with its reasons, to correct in a spreadsheet and import again. */
export function useBadRows(batch: Pick<Batch, "id" | "name">) {
  const download = useDownload(fetchBadRows, batch, "linhas-com-erro");
  return { busy: download.isPending, download: () => download.mutate() };
}
