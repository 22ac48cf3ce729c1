import type { Payin } from "@malote/contracts/payins";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { useSession } from "../shell/session.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { fetchPayinReceipt, payinQuery } from "./api.ts";
import { PayinDetails } from "./payin-details.tsx";
import { ReceiptDownload } from "./receipt-download.tsx";
import { isRefundable, mayRefund, refundObstacle, refundTip } from "./refund-rules.ts";

interface PayinDialogProps {
  id: string;
  onRefund: (payin: Payin) => void;
  onClose: () => void;
}

/** Dialog with the facts of a payin and its refunds. */
export default function PayinDialog({ id, onRefund, onClose }: PayinDialogProps) {
  const session = useSession();
  const { data: payin, ...asked } = useQuery(payinQuery(id));
  const canRefund = payin && mayRefund(payin, session);
  // PAY-026: a rejected payin cannot be refunded here.
  const isOff = payin && (!isRefundable(payin) || payin.rejected_at !== null);
  return (
    <Dialog
      opened
      size="lg"
      title="Detalhes do recebimento"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Fechar detalhes</Button>
          {payin?.boleto_url ? (
            <a className={buttonClass()} href={payin.boleto_url} target="_blank" rel="noreferrer">
              Abrir segunda via
            </a>
          ) : null}
          {payin?.receipt_file_url ? (
            <ReceiptDownload
              name={payin.payer.name}
              fetch={() => fetchPayinReceipt(payin.id)}
              label="Baixar comprovante"
            />
          ) : null}
          {canRefund ? (
            <Button
              icon={<IconArrowBackUp aria-hidden />}
              title={refundTip(payin)}
              disabled={isOff}
              onClick={() => onRefund(payin)}
            >
              Devolver
            </Button>
          ) : null}
        </>
      }
    >
      {payin ? (
        <>
          {asked.isError ? (
            <FailedNotice title="Não foi possível atualizar o recebimento" query={asked} />
          ) : null}
          <PayinDetails
            payin={payin}
            obstacle={canRefund ? refundObstacle(payin) : undefined}
            onRefund={canRefund && !isOff ? () => onRefund(payin) : undefined}
          />
        </>
      ) : asked.isError ? (
        <FailedQuery title="Ocorreu um erro ao buscar o recebimento" query={asked} />
      ) : (
        <LoadingState label="Carregando o recebimento">
          <Bone height={320} />
        </LoadingState>
      )}
    </Dialog>
  );
}
