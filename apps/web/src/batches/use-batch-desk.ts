import type { Batch } from "@malote/contracts/batches";
import { confirmBatchChecks } from "@malote/contracts/checks";
import { batchView, closeStep } from "@malote/domain/batch";
import { cents } from "@malote/domain/money";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { paymentKeys } from "../payments/index.ts";
import { companySettingsQuery, refreshTopBar } from "../shell/balance.ts";
import { errorSentence, refusalSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { may, type Session } from "../shell/session.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { toast } from "../ui/toasts.tsx";
import { batchKeys, closingPollMs } from "./api.ts";
import {
  batchApprovalsQuery,
  batchChecksQuery,
  batchFindingsQuery,
  batchSummaryQuery,
  firstStepsQuery,
  hasFailedQuery,
  isUnfinished,
  type OpenBatch,
  useCloseBatch,
  useSaveBatch,
  useSendToApproval,
} from "./open-batch-api.ts";
import { useBatchAddress } from "./use-batch-address.ts";

/** BAT-032; the fourth step, waiting for balance, is the view of a batch in WAITING. */
export type WizardStep = "first_steps" | "form" | "funding";

export type BatchDialog =
  | "confirm"
  | "delete"
  | "rename"
  | "reject"
  | "remove_failed"
  | "receipts"
  | "cancel";

/** Snapshot that the person confirms: if the batch changes meanwhile, the server refuses. */
type Confirming = Pick<Batch, "name" | "payments_count" | "value" | "revision">;

export function failWith(fallback: string) {
  return (error: unknown) => {
    const text = errorSentence(error, fallback);
    if (text) toast.bad(text);
  };
}

/** State that the parts of an open batch's screen share: view, step, name, dialogs, and the money actions. */
export function useBatchDesk(batch: OpenBatch, session: Session) {
  const { id } = batch;
  const queryClient = useQueryClient();
  const address = useBatchAddress();
  const settings = useQuery(companySettingsQuery);
  const pollMs = isUnfinished(batch) ? closingPollMs : (false as const);
  const summary = useQuery({
    ...batchSummaryQuery(id),
    refetchInterval: (query) => (query.state.status === "error" ? false : pollMs),
  });
  const view = batchView({
    status: batch.status,
    profile: session.profile,
    isNamedApprover: settings.data?.approvesBatches === true,
  });
  const filled = useQuery({ ...firstStepsQuery(session), enabled: view === "wizard" });
  const checks = useQuery({ ...batchChecksQuery(id), enabled: view === "wizard" || view === "approval" });
  // Checks by today's rules: a date that passed, or a document blocked meanwhile, makes stored payments
  // wrong.
  const errorsCount = view === "wizard" ? (checks.data?.errors_count ?? batch.errors_count) : 0;
  // A batch that could not be closed is not funded.
  const isFunding = address.etapa === "envio" && errorsCount === 0 && batch.payments_count > 0;
  const step: WizardStep = filled.data === false ? "first_steps" : isFunding ? "funding" : "form";

  const isUnsent = batch.status === "DRAFT" || batch.status === "WAITING_APPROVAL";
  const approvesByName =
    session.profile === "operator" &&
    batch.status === "WAITING_APPROVAL" &&
    settings.data?.approvesBatches === true;
  // An operator approves by the digest of what is shown, also when the company requires no other approver.
  const readsApprovals = isUnsent && (settings.data?.asksForApprovals === true || approvesByName);
  const approvals = useQuery({ ...batchApprovalsQuery(id), enabled: readsApprovals });
  const findings = useQuery({ ...batchFindingsQuery(id), enabled: isUnsent && batch.payments_count > 0 });

  const [typedName, setTypedName] = useState<string | null>(null);
  const name = typedName ?? batch.name;
  const isRenamed = name.trim() !== batch.name;
  const [dialog, setDialog] = useState<BatchDialog | null>(null);
  const [confirming, setConfirming] = useState<Confirming | null>(null);
  useUnsavedWork(view === "wizard" && isRenamed);

  const save = useSaveBatch(id);
  const close = useCloseBatch(id);
  const toApproval = useSendToApproval(id);
  const moving = useOneAtATime();
  useRefreshOnProgress(batch);

  const isValidationAccount = settings.data?.validationAccount === true;
  const balance = summary.data?.balance;
  /** BAT-073: true while none of its transfers has started. */
  const isAllScheduled =
    batch.type === "TRANSFER" &&
    batch.status === "RECEIVED" &&
    summary.data?.by_status.some(
      ({ status, count }) => status === "SCHEDULED" && count === batch.payments_count,
    ) === true;
  const isCovered = balance !== undefined && balance >= batch.value;
  /** BAT-053: a validation account skips the step that asks for money; its batch waits for the money all the same. */
  const isFunded = isValidationAccount || isCovered;
  /** False until it is known whether another person has to approve; nothing is offered until then. */
  const isApproverKnown =
    !isUnsent || (settings.data !== undefined && (!readsApprovals || approvals.data !== undefined));
  /** The company requires another approver, because this person prepared the batch or approved it before. */
  const needsOtherApprover =
    approvals.data !== undefined &&
    approvals.data.needed > 0 &&
    (!approvals.data.may_approve || (batch.status === "DRAFT" && approvals.data.needed > 1));

  // One key per batch and content. Every retry repeats it.
  const intention = useRef<{ revision: number; key: string }>(undefined);
  function keyFor(revision: number): string {
    if (intention.current?.revision !== revision) intention.current = { revision, key: newId() };
    return intention.current.key;
  }

  function refuseErrors(count: number): boolean {
    if (count === 0) return false;
    address.filter({ pagamentos: "com-erro", dados: null });
    void refusalSentence("batch_has_errors", { count }).then(toast.bad);
    return true;
  }

  function refuseUnready(): boolean {
    if (batch.payments_count === 0) {
      void refusalSentence("batch_empty").then(toast.bad);
      return true;
    }
    return refuseErrors(errorsCount);
  }

  return {
    id,
    batch,
    session,
    view,
    step,
    isLoadingSteps: view === "wizard" && filled.isPending,
    address,
    summary,
    settings,
    pollMs,
    checks: checks.data,
    errorsCount,
    isAllScheduled,
    isCovered,
    isFunded,
    isValidationAccount,
    isApproverKnown,
    needsOtherApprover,
    /** The digest to approve is not known yet, so an operator's close would be refused. */
    lacksDigest: approvesByName && !approvals.data?.digest,
    mayTick:
      may(confirmBatchChecks, session) && !(view === "approval" && (needsOtherApprover || !isApproverKnown)),
    /** Findings that a person has to confirm by name before the batch goes on. */
    missingTicks: findings.data?.missing ?? [],
    hasTicks: findings.data?.data.some(({ severity }) => severity === "tick") === true,
    /** An approval is refused while dates have passed, so the notice shows before the click (BAT-049). */
    hasExpiredDates: checks.data?.hasTimeError === true,
    approvals: approvals.data,
    mayCorrect: session.profile === "admin" || settings.data?.operatorsMayCorrect === true,
    mayReturn: session.profile === "admin" || settings.data?.operatorsMayGiveBack === true,
    name,
    setName: setTypedName,
    isRenamed,
    isNameValid: name.trim() !== "",
    dialog,
    openDialog: setDialog,
    closeDialog: () => setDialog(null),
    confirming,
    isSaving: save.isPending,
    isClosing: close.isPending,
    isSending: toApproval.isPending,

    saveDraft() {
      save.mutate(
        { name: name.trim() },
        {
          onSuccess: () => {
            setTypedName(null);
            toast.good("Seu rascunho foi salvo!");
          },
          onError: failWith("Ocorreu uma falha ao salvar o lote."),
        },
      );
    },

    /**
     * 'Fechar lote' and 'Continuar' (BAT-053, BAT-054): saves, reads the current balance, and decides the next step.
     */
    async goOn() {
      if (refuseUnready() || !moving.begin()) return;
      try {
        const saved = await save.mutateAsync({ name: name.trim() });
        setTypedName(null);
        const [now, { errors_count }] = await Promise.all([
          queryClient.fetchQuery({ ...batchSummaryQuery(id), staleTime: 0 }),
          // The draft may have been open over midnight.
          queryClient.fetchQuery({ ...batchChecksQuery(id), staleTime: 0 }),
        ]);
        if (refuseErrors(errors_count)) return;
        const next = closeStep({
          profile: session.profile,
          totalCents: cents(saved.value),
          availableCents: cents(now.balance),
          isValidationAccount,
        });
        if (next === "confirmation" && !needsOtherApprover) {
          setConfirming(saved);
          setDialog("confirm");
        } else address.open({ etapa: "envio" });
      } catch (error) {
        failWith("Ocorreu um erro ao salvar o lote.")(error);
      } finally {
        moving.end();
      }
    },

    askToClose() {
      setConfirming(batch);
      setDialog("confirm");
    },

    confirmClose() {
      if (!confirming || !moving.begin()) return;
      const { revision } = confirming;
      const approves = batch.status === "WAITING_APPROVAL";
      close.mutate(
        {
          revision,
          idempotencyKey: keyFor(revision),
          // An operator named by the company approves; only an admin closes.
          ...(session.profile === "operator" && approvals.data?.digest && { digest: approvals.data.digest }),
        },
        {
          onSuccess: ({ is_batch_paid, status }) => {
            setDialog(null);
            if (address.etapa) address.forget("etapa");
            if (status === "WAITING_APPROVAL")
              toast.good("Aprovação registrada. Falta a aprovação de outra pessoa.");
            else if (!approves) toast.good("Lote de pagamentos fechado com sucesso!");
            else
              toast.good(
                is_batch_paid
                  ? "Lote aprovado com sucesso!"
                  : "Lote aprovado com sucesso! Aguardamos o recebimento do valor total do lote",
              );
          },
          onError: (error) => {
            failWith("Ocorreu uma falha ao fechar o lote.")(error);
            setDialog(null);
          },
          onSettled: moving.end,
        },
      );
    },

    sendToApproval() {
      if (!moving.begin()) return;
      toApproval.mutate(batch.revision, {
        onSuccess: () => {
          if (address.etapa) address.forget("etapa");
          toast.good("Lote enviado para aprovação.");
        },
        onError: failWith("Ocorreu um erro ao enviar lote para aprovação."),
        onSettled: moving.end,
      });
    },
  };
}
export type BatchDesk = ReturnType<typeof useBatchDesk>;

/** Invalidates lists and balance when a batch progresses by itself: it was paid, or its money arrived. */
function useRefreshOnProgress({ id, status, paid_count, failed_count, returned_count }: OpenBatch): void {
  const queryClient = useQueryClient();
  const progress = `${status} ${paid_count} ${failed_count} ${returned_count}`;
  const last = useRef(progress);
  useEffect(() => {
    if (last.current === progress) return;
    const statusChanged = last.current.split(" ")[0] !== status;
    last.current = progress;
    void queryClient.invalidateQueries({ queryKey: [...batchKeys.all, "list"] });
    void queryClient.invalidateQueries({ queryKey: batchKeys.summary(id) });
    // A cached "none failed" would hide failures that followed.
    void queryClient.invalidateQueries({ queryKey: hasFailedQuery(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: paymentKeys.ofBatch(id) });
    void queryClient.invalidateQueries({ queryKey: paymentKeys.anyOne });
    void queryClient.invalidateQueries({ queryKey: paymentKeys.ofAll });
    if (statusChanged) refreshTopBar();
  }, [progress, status, id, queryClient]);
}
