import { changeTransfer, refundTransfer, type Transfer } from "@malote/contracts/transfers";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import { PendingPayment } from "../payments/parts.ts";
import { may } from "../shell/session.ts";
import {
  filterWords,
  RefundDialog,
  RepairPanel,
  TransferDetailsDialog,
  TransferList,
  TransferWizard,
  transferQuery,
} from "../transfers/index.ts";
import { Button } from "../ui/button.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { NoPayments } from "./no-payments.tsx";
import { PaymentFilters, usePaymentFilters } from "./payment-filters.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

const words = {
  statuses: filterWords,
  all: { word: "todas", label: "Todas" },
  withErrors: "Linhas com erro",
} as const;

export function BatchTransfers({ desk, head }: { desk: BatchDesk; head?: ReactNode }) {
  const { batch, address } = desk;
  const { word, filters, showsErrors, isFiltered } = usePaymentFilters(desk, words);
  const isDraft = desk.view === "wizard";
  const [openRepair, setOpenRepair] = useState<string | null | undefined>(undefined);
  const [corrected, setCorrected] = useState(0);
  const open = address.pagamento ? (
    <OpenTransfer key={address.pagamento} desk={desk} id={address.pagamento} />
  ) : null;
  // An empty draft has nothing to filter, so only the form of its first payment is shown.
  if (isDraft && batch.payments_count === 0) return open;
  return (
    <>
      <PaymentFilters
        desk={desk}
        words={words}
        word={word}
        head={head}
        onChoose={(next) => {
          setOpenRepair(undefined);
          address.filter({ pagamentos: next });
        }}
      />
      <TransferList
        key={`${word} ${address.dados}`}
        batchId={batch.id}
        filters={filters}
        pollMs={desk.pollMs}
        onOpen={(transfer) => address.open({ pagamento: transfer.id })}
        empty={<NoPayments isFiltered={isFiltered} isDraft={isDraft} />}
        {...(isDraft
          ? {
              repair: {
                openId: showsErrors ? openRepair : (openRepair ?? null),
                onToggle: setOpenRepair,
                panel: (transfer: Transfer) => (
                  <Suspense fallback={<Bone height={120} />}>
                    <RepairPanel
                      // Resets the panel when another correction changed the payment.
                      key={contentOf(transfer)}
                      batchId={batch.id}
                      transfer={transfer}
                      takesFocus={openRepair === transfer.id ? "at once" : corrected > 0 ? "if free" : "no"}
                      onOpenForm={() => address.open({ pagamento: transfer.id })}
                      onSaved={() => {
                        setOpenRepair(showsErrors ? undefined : null);
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

const contentOf = ({ id, value, payment_date, pix_description, integration_id, ...rest }: Transfer) =>
  JSON.stringify([id, value, payment_date, pix_description, integration_id, rest.destination_bank_account]);

/** BAT-040: a payment of a draft opens in the wizard, any other in the details. */
function OpenTransfer({ desk, id }: { desk: BatchDesk; id: string }) {
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
    return <PendingPayment title="Detalhes da transferência" payment={transfer} onClose={close} />;
  }
  if (desk.view === "wizard" || mode === "correct") {
    return (
      <Suspense>
        <TransferWizard
          batchId={batch.id}
          batchStatus={batch.status}
          transfer={transfer.data}
          mayReturn={desk.mayReturn}
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
              {may(refundTransfer, desk.session) && desk.mayReturn ? (
                <Button onClick={() => setMode("refund")}>Devolver ao saldo</Button>
              ) : null}
              {may(changeTransfer, desk.session) && desk.mayCorrect ? (
                <Button look="primary" onClick={() => setMode("correct")}>
                  Corrigir pagamento
                </Button>
              ) : may(changeTransfer, desk.session) ? (
                <span className="small muted">
                  Só administradores corrigem. Peça a um administrador da sua empresa.
                </span>
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
