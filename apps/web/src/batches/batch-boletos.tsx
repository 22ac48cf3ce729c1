import { changeBoleto, refundBoleto, removeBoleto } from "@malote/contracts/boletos";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, Suspense, useState } from "react";
import {
  BoletoDetailsDialog,
  BoletoList,
  BoletoWizard,
  boletoFilterWords,
  boletoQuery,
  CancelScheduleDialog,
  RefundBoletoDialog,
} from "../boletos/index.ts";
import { PendingPayment } from "../payments/parts.ts";
import { may } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { NoPayments } from "./no-payments.tsx";
import { PaymentFilters, usePaymentFilters } from "./payment-filters.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

const words = {
  statuses: boletoFilterWords,
  all: { word: "todos", label: "Todos" },
  withErrors: "Boletos com erro",
} as const;

export function BatchBoletos({ desk, head }: { desk: BatchDesk; head?: ReactNode }) {
  const { batch, address } = desk;
  const { word, filters, isFiltered } = usePaymentFilters(desk, words);
  const isDraft = desk.view === "wizard";
  const open = address.pagamento ? (
    <OpenBoleto key={address.pagamento} desk={desk} id={address.pagamento} />
  ) : null;
  // An empty draft has nothing to filter, so only the form of its first boleto is shown.
  if (isDraft && batch.payments_count === 0) return open;
  return (
    <>
      <PaymentFilters
        desk={desk}
        words={words}
        word={word}
        head={head}
        onChoose={(pagamentos) => address.filter({ pagamentos })}
      />
      <BoletoList
        key={`${word} ${address.dados}`}
        batchId={batch.id}
        filters={filters}
        pollMs={desk.pollMs}
        onOpen={({ id }) => address.open({ pagamento: id })}
        empty={<NoPayments isFiltered={isFiltered} isDraft={isDraft} />}
      />
      {open}
    </>
  );
}

/** BIL-023, BAT-040: a boleto of a draft opens in the wizard, any other in the details. */
function OpenBoleto({ desk, id }: { desk: BatchDesk; id: string }) {
  const { batch, address, session } = desk;
  const isNew = id === "novo";
  const isDraft = desk.view === "wizard";
  const boleto = useQuery({ ...boletoQuery(id), enabled: !isNew });
  const [mode, setMode] = useState<"details" | "correct" | "refund" | "cancel">("details");
  const close = () => address.leave("pagamento");
  const backToDetails = () => setMode("details");
  if (isNew) {
    return isDraft ? (
      <Suspense>
        <BoletoWizard batchId={batch.id} batchStatus={batch.status} onClose={close} />
      </Suspense>
    ) : null;
  }
  if (!boleto.data) return <PendingPayment title="Detalhes do boleto" payment={boleto} onClose={close} />;
  if (isDraft || mode === "correct") {
    return (
      <Suspense>
        <BoletoWizard
          batchId={batch.id}
          batchStatus={batch.status}
          boleto={boleto.data}
          mayReturn={desk.mayReturn}
          onClose={isDraft ? close : backToDetails}
        />
      </Suspense>
    );
  }
  const isFailed = boleto.data.status === "FAILED" && batch.status === "RECEIVED";
  const ofDialog = { batchId: batch.id, boleto: boleto.data, onClose: backToDetails };
  return (
    <Suspense>
      <BoletoDetailsDialog
        boleto={boleto.data}
        onClose={close}
        actions={
          <>
            {boleto.data.can_cancel && may(removeBoleto, session) ? (
              <Button look="danger" onClick={() => setMode("cancel")}>
                Cancelar agendamento
              </Button>
            ) : null}
            {isFailed && may(refundBoleto, session) && desk.mayReturn ? (
              <Button onClick={() => setMode("refund")}>Devolver ao saldo</Button>
            ) : null}
            {isFailed && may(changeBoleto, session) && desk.mayCorrect ? (
              <Button look="primary" onClick={() => setMode("correct")}>
                Corrigir boleto
              </Button>
            ) : isFailed && may(changeBoleto, session) ? (
              <span className="small muted">
                Só administradores corrigem. Peça a um administrador da sua empresa.
              </span>
            ) : null}
          </>
        }
      />
      {mode === "refund" ? <RefundBoletoDialog {...ofDialog} onRefunded={backToDetails} /> : null}
      {mode === "cancel" ? <CancelScheduleDialog {...ofDialog} /> : null}
    </Suspense>
  );
}
