import { type UseQueryResult, useQueryClient } from "@tanstack/react-query";
import { Suspense } from "react";
import { FirstStepsForm } from "../first-steps/index.ts";
import { FailedNotice } from "../shell/failed-query.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import type { Session } from "../shell/session.ts";
import { counted, formatDateTime } from "../ui/format.ts";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { StatusPill } from "../ui/status-pill.tsx";
import { BatchActions } from "./batch-actions.tsx";
import { BatchForm } from "./batch-form.tsx";
import { BatchMenu } from "./batch-menu.tsx";
import styles from "./batch-screen.module.css";
import { BatchSidePanel } from "./batch-side-panel.tsx";
import { lookOf, paymentWords } from "./batch-status.ts";
import { ApprovalView, DefaultView, WaitingView } from "./batch-views.tsx";
import type { OpenBatch } from "./open-batch-api.ts";
import { type BatchDesk, useBatchDesk } from "./use-batch-desk.ts";

const FundingStep = lazyPart(() => import("./funding-step.tsx"));
const BatchDialogs = lazyPart(() => import("./batch-dialogs.tsx"));

interface BatchScreenProps {
  batch: OpenBatch;
  /** The read of the batch. An error ends its polling and is shown above what was read before (SES-070). */
  query: UseQueryResult<OpenBatch>;
  session: Session;
  onClose: () => void;
}

/** Frame of an open batch; its content depends on the view (BAT-021). */
export function BatchScreen({ batch, query, session, onClose }: BatchScreenProps) {
  const desk = useBatchDesk(batch, session);
  const look = lookOf(batch);
  return (
    <FullScreenModal
      opened
      onClose={onClose}
      title={batch.name}
      subtitle={subtitleOf(batch)}
      headerEnd={
        <>
          <span className={styles.status}>
            <StatusPill color={look.color} shape={look.shape}>
              {look.name}
            </StatusPill>
          </span>
          <BatchMenu desk={desk} />
        </>
      }
      totalCents={batch.value}
      totalLabel="Total do lote"
      actions={<BatchActions desk={desk} />}
      sidePanel={desk.step === "first_steps" ? undefined : <BatchSidePanel desk={desk} />}
    >
      {query.isError ? <FailedNotice title="Não foi possível atualizar o lote" query={query} /> : null}
      <BatchBody desk={desk} />
      <Suspense>{desk.dialog ? <BatchDialogs desk={desk} onDeleted={onClose} /> : null}</Suspense>
    </FullScreenModal>
  );
}

function subtitleOf(batch: OpenBatch): string {
  return [
    batch.spreadsheet_file_name && `Planilha ${batch.spreadsheet_file_name}`,
    counted(batch.payments_count, ...paymentWords(batch)),
    `criado por ${batch.created_by.name} em ${formatDateTime(batch.created_at)}`,
  ]
    .filter(Boolean)
    .join(" · ");
}

function BatchBody({ desk }: { desk: BatchDesk }) {
  const queryClient = useQueryClient();
  const loading = (
    <LoadingState label="Carregando o lote">
      <Bone height={420} />
    </LoadingState>
  );
  switch (desk.view) {
    case "approval":
      return <ApprovalView desk={desk} />;
    case "waiting_receipt":
      return <WaitingView desk={desk} />;
    case "default":
      return <DefaultView desk={desk} />;
    case "wizard":
      if (desk.isLoadingSteps) return loading;
      return (
        <Suspense fallback={loading}>
          {desk.step === "first_steps" ? (
            <FirstStepsForm
              onSaved={() => void queryClient.invalidateQueries({ queryKey: ["first-steps-filled"] })}
            />
          ) : desk.step === "funding" ? (
            <FundingStep desk={desk} />
          ) : (
            <BatchForm desk={desk} />
          )}
        </Suspense>
      );
  }
}
