import type { InfractionExport, InfractionFilters } from "@malote/contracts/contestations";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { saveReport } from "../shell/save-report.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { exportQuery, fetchExport, requestExport } from "./api.ts";

const fallback = "Ocorreu um erro ao tentar exportar as infrações";
const showError = (error: unknown) => toast.bad(errorSentence(error, fallback) ?? fallback);

async function save({ id, file_name }: InfractionExport): Promise<void> {
  saveReport(await fetchExport(id), file_name);
}

/**
 * Requests the file, waits for it and saves it (MED-024, MED-025). An e-mail brings it too, so the page may be left.
 */
export function ExportButton({ filters }: { filters: InfractionFilters }) {
  const [isAsking, setAsking] = useState(false);
  const [exportId, setExportId] = useState<string | null>(null);
  const { data, error } = useQuery(exportQuery(exportId));

  const end = useCallback(() => {
    setAsking(false);
    setExportId(null);
  }, []);
  useEffect(() => {
    if (exportId === null) return;
    if (error) showError(error);
    else if (data?.status === "succeeded") void save(data).catch(showError);
    else if (data && data.status !== "processing") toast.bad(fallback);
    if (error || (data && data.status !== "processing")) end();
  }, [exportId, data, error, end]);

  async function ask() {
    setAsking(true);
    try {
      setExportId((await requestExport(filters)).id);
    } catch (problem) {
      showError(problem);
      setAsking(false);
    }
  }
  return (
    <Button icon={<IconDownload size={18} aria-hidden />} busy={isAsking} onClick={() => void ask()}>
      {isAsking ? "Exportando..." : "Exportar"}
    </Button>
  );
}

/** Dialog behind the e-mail's link: it downloads the file with the reader's own session. */
export function RequestedExport({ exportId, onClose }: { exportId: string; onClose: () => void }) {
  const [isSaving, setSaving] = useState(false);
  const asked = useQuery(exportQuery(exportId));
  const words = asked.isError
    ? (errorSentence(asked.error) ?? fallback)
    : asked.data?.status === "expired"
      ? "Esta exportação não está mais disponível. Peça de novo."
      : asked.data?.status === "failed"
        ? fallback
        : asked.data?.status === "succeeded"
          ? "Uma planilha CSV com as infrações que você pediu."
          : "A exportação ainda está sendo preparada.";
  const { data } = asked;
  return (
    <Notice
      tone={asked.isError || data?.status === "expired" || data?.status === "failed" ? "yellow" : "green"}
      title="Exportação de infrações"
      action={
        <>
          {data?.status === "succeeded" ? (
            <Button
              size="sm"
              look="primary"
              busy={isSaving}
              onClick={() => {
                setSaving(true);
                void save(data)
                  .catch(showError)
                  .finally(() => setSaving(false));
              }}
            >
              Baixar lista
            </Button>
          ) : null}
          <Button size="sm" look="quiet" onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      {words}
    </Notice>
  );
}
