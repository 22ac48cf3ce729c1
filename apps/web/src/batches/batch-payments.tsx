import { changeTransfer, refundTransfer, type Transfer } from "@malote/contracts/transfers";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { may } from "../shell/session.ts";
import {
  filterWords,
  RefundDialog,
  RepairPanel,
  TransferDetailsDialog,
  type TransferFilters,
  TransferList,
  TransferWizard,
  transferQuery,
} from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { Chip } from "../ui/chip.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { formatCount } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { SearchField } from "../ui/search-field.tsx";
import styles from "./batch-screen.module.css";
import type { BatchDesk } from "./use-batch-desk.ts";

const withErrors = "com-erro";
const everything = "todas";
const statusOptions = Object.entries(filterWords).map(([value, { label }]) => ({ value, label }));

/** What the address says, or the product's default: a draft with mistakes opens on them. */
function chosenFilter(desk: BatchDesk): string {
  const word = desk.address.pagamentos;
  if (word === withErrors || word === everything || (word && Object.hasOwn(filterWords, word))) return word;
  return desk.view === "wizard" && desk.batch.errors_count > 0 ? withErrors : everything;
}

/** The payments of a batch with their filters (BAT-036, BAT-037), and the one that is open. */
export function BatchPayments({ desk, head }: { desk: BatchDesk; head?: ReactNode }) {
  const { batch, address } = desk;
  const word = chosenFilter(desk);
  const isDraft = desk.view === "wizard";
  const [openRepair, setOpenRepair] = useState<string | null | undefined>(undefined);
  const [corrected, setCorrected] = useState(0);
  const filters: TransferFilters = {
    status: word === withErrors ? "WITH_ERRORS" : (filterWords[word]?.status ?? null),
    search: address.dados,
  };
  const isFiltered = filters.status !== null || filters.search !== "";
  const chooseFilter = (next: string | null) => {
    setOpenRepair(undefined);
    address.filter({ pagamentos: next });
  };
  const open = address.pagamento ? (
    <OpenPayment key={address.pagamento} desk={desk} id={address.pagamento} />
  ) : null;
  // An empty draft has nothing to filter; only the form of its first payment belongs here.
  if (isDraft && batch.payments_count === 0) return open;
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we serve */}
      <div className={styles.filters} role="search" aria-label="Filtros dos pagamentos">
        {isDraft && batch.errors_count > 0 ? (
          <Chip on={word === withErrors} onClick={() => chooseFilter(withErrors)}>
            Linhas com erro · {formatCount(batch.errors_count)}
          </Chip>
        ) : null}
        <Chip on={word === everything} onClick={() => chooseFilter(everything)}>
          Todas · {formatCount(batch.payments_count)}
        </Chip>
        <ChoiceChip
          label="Status"
          allLabel="Status"
          value={word === withErrors || word === everything ? null : word}
          options={statusOptions}
          onChange={(value) => chooseFilter(value ?? everything)}
        />
        <SearchField
          label="Dados do pagamento"
          className={styles.search ?? ""}
          value={address.dados}
          onSearch={(dados) => address.filter({ dados: dados || null })}
        />
        {head}
      </div>
      <TransferList
        key={`${word} ${address.dados}`}
        batchId={batch.id}
        filters={filters}
        pollMs={desk.pollMs}
        onOpen={(transfer) => address.open({ pagamento: transfer.id })}
        empty={
          isFiltered ? (
            <EmptyState drawing="search" title="Nenhum pagamento encontrado">
              <p>Confira a busca ou veja todos os pagamentos do lote.</p>
            </EmptyState>
          ) : isDraft ? null : (
            <EmptyState drawing="batches" title="Este lote não tem pagamentos" />
          )
        }
        {...(isDraft
          ? {
              repair: {
                openId: word === withErrors ? openRepair : (openRepair ?? null),
                onToggle: setOpenRepair,
                panel: (transfer: Transfer) => (
                  <Suspense fallback={<Bone height={120} />}>
                    <RepairPanel
                      key={transfer.id}
                      batchId={batch.id}
                      transfer={transfer}
                      takesFocus={openRepair === transfer.id ? "at once" : corrected > 0 ? "if free" : "no"}
                      onOpenForm={() => address.open({ pagamento: transfer.id })}
                      onSaved={() => {
                        setOpenRepair(word === withErrors ? undefined : null);
                        setCorrected((before) => before + 1);
                      }}
                    />
                  </Suspense>
                ),
              },
            }
          : {})}
      />
      {open}
    </>
  );
}

/** BAT-040: a draft's payment opens in the wizard, any other in the details. */
function OpenPayment({ desk, id }: { desk: BatchDesk; id: string }) {
  const { batch, address } = desk;
  const isNew = id === "novo";
  const transfer = useQuery({ ...transferQuery(id), enabled: !isNew });
  const [mode, setMode] = useState<"details" | "correct" | "refund">("details");
  const close = () => address.leave("pagamento");
  if (isNew) {
    return desk.view === "wizard" ? (
      <Suspense>
        <TransferWizard batchId={batch.id} batchStatus={batch.status} onClose={close} />
      </Suspense>
    ) : null;
  }
  if (!transfer.data) {
    return (
      <Dialog opened onClose={close} title="Detalhes da transferência" size="lg">
        {transfer.isError ? (
          <ErrorState
            title="Não foi possível abrir o pagamento"
            message={errorSentence(transfer.error)}
            requestId={transfer.error instanceof CallError ? transfer.error.requestId : undefined}
            onRetry={() => void transfer.refetch()}
          />
        ) : (
          <LoadingState>
            <Bone height={280} />
          </LoadingState>
        )}
      </Dialog>
    );
  }
  if (desk.view === "wizard" || mode === "correct") {
    return (
      <Suspense>
        <TransferWizard
          batchId={batch.id}
          batchStatus={batch.status}
          transfer={transfer.data}
          onClose={desk.view === "wizard" ? close : () => setMode("details")}
        />
      </Suspense>
    );
  }
  const hasFailed = transfer.data.status === "FAILED" && batch.status === "RECEIVED";
  return (
    <Suspense>
      <TransferDetailsDialog
        transfer={transfer.data}
        onClose={close}
        actions={
          hasFailed ? (
            <>
              {may(refundTransfer, desk.session) ? (
                <Button onClick={() => setMode("refund")}>Devolver ao saldo</Button>
              ) : null}
              {/* Sending reserved money elsewhere is an admin's decision, as closing was. */}
              {may(changeTransfer, desk.session) && desk.session.profile === "admin" ? (
                <Button look="primary" onClick={() => setMode("correct")}>
                  Corrigir pagamento
                </Button>
              ) : null}
            </>
          ) : null
        }
      />
      {mode === "refund" ? (
        <RefundDialog
          batchId={batch.id}
          transfer={transfer.data}
          onClose={() => setMode("details")}
          onRefunded={() => setMode("details")}
        />
      ) : null}
    </Suspense>
  );
}
