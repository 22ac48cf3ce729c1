import { sheetRowsMax } from "@malote/domain/limits";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { pathOf } from "../shell/routes.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { FocusedHeading } from "../ui/focused-heading.tsx";
import { formatCount } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toasts.tsx";
import { DropArea } from "./drop-area.tsx";
import styles from "./import-page.module.css";
import { ModelSheets } from "./model-sheets.tsx";
import { ReadingProgress } from "./reading-progress.tsx";
import { type RunningImport, runningImport } from "./running-import.ts";
import { importSearch, isSheetId } from "./search.ts";
import { UploadProgress } from "./upload-progress.tsx";

const ChooseColumns = lazyPart(() => import("./choose-columns.tsx"));

const sheetOf = (running: RunningImport) => (running.kind === "reading" ? running.sheetId : undefined);

export default function ImportPage() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [{ planilha }, change] = usePageSearch(importSearch);
  const running = useSyncExternalStore(runningImport.subscribe, runningImport.read);
  useUnsavedWork(running.kind === "uploading");
  const isLeaving = useRef(false);
  const [isChoosing, setChoosing] = useState(false);
  const unclear = running.kind === "failed" ? running.failure.sheet : undefined;

  // On arrival the address names a running import, or the tab remembers one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arriving
  useEffect(() => {
    const sheetId = planilha ?? runningImport.rememberedSheet();
    if (sheetId && runningImport.read().kind === "idle" && isSheetId(sheetId)) runningImport.follow(sheetId);
  }, []);

  // From then on the import changes first, and the address follows. Reads the state again, because arriving
  // may have started an import.
  // biome-ignore lint/correctness/useExhaustiveDependencies: any change of the import is a reason to look
  useEffect(() => {
    if (isLeaving.current) return;
    const sheetId = sheetOf(runningImport.read());
    if (sheetId !== planilha) change({ planilha: sheetId ?? null }, { replace: true });
  }, [running, planilha, change]);

  /**
   * IMP-023: the list of batches replaces this page in the history and the batch opens over it. So X, Esc and Back all
   * return to the list, and no address opens the batch again.
   */
  async function openBatch(batchId: string) {
    if (isLeaving.current) return;
    isLeaving.current = true;
    runningImport.reset();
    void queryClient.invalidateQueries({ queryKey: ["batches"] });
    await navigate({ to: pathOf("BatchesPage"), search: {}, replace: true });
    await navigate({ to: pathOf("BatchesPage"), search: { lote: batchId } });
  }
  function cancel() {
    void runningImport.cancel();
    toast.info("Importação cancelada.");
  }

  return (
    <div className={styles.page}>
      <PageHeader
        title="Importação de planilha"
        subtitle={`Até ${formatCount(sheetRowsMax)} linhas por arquivo, xlsx ou csv. Seu arquivo fica guardado com o lote.`}
      />
      {running.kind === "uploading" ? (
        <UploadProgress file={running.file} sent={running.sent} total={running.total} onCancel={cancel} />
      ) : running.kind === "reading" ? (
        <ReadingProgress
          key={running.sheetId}
          sheetId={running.sheetId}
          fileName={running.file?.name}
          onImported={(batchId) => void openBatch(batchId)}
          onCancel={cancel}
        />
      ) : unclear && isChoosing ? (
        <section className={styles.drop} data-state="columns" aria-labelledby="colunas">
          <FocusedHeading id="colunas">O que há em cada coluna?</FocusedHeading>
          <p className="muted">{running.kind === "failed" ? running.failure.message : null}</p>
          <Suspense fallback={<Bone height={240} />}>
            <ChooseColumns
              sheetId={unclear.id}
              columns={unclear.columns}
              onRead={() => {
                setChoosing(false);
                runningImport.follow(unclear.id);
              }}
              onCancel={() => {
                setChoosing(false);
                runningImport.reset();
              }}
              cancelLabel="Escolher outro arquivo"
            />
          </Suspense>
        </section>
      ) : (
        <DropArea
          onChooseColumns={unclear ? () => setChoosing(true) : undefined}
          failure={running.kind === "failed" ? running.failure : undefined}
          file={running.kind === "failed" ? running.file : undefined}
          onFile={(file) => void runningImport.start(file)}
          onSeveral={() => runningImport.fail({ message: "Importe uma planilha por vez." })}
        />
      )}
      <ModelSheets />
    </div>
  );
}
