import type { Failure, FailureOutcomes, Failures } from "@malote/contracts/failures";
import { useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { newId } from "../shell/new-id.ts";
import { useOneAtATime } from "../shell/one-at-a-time.ts";
import { awaitsApprovalText } from "../ui/awaits-approval.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { counted, formatMoney } from "../ui/format.ts";
import { toast } from "../ui/toasts.tsx";
import { useResolveFailures, type Way } from "./api.ts";

interface ResolveDialogProps {
  batchId: string;
  way: Way;
  failures: Failures;
  chosen: readonly Failure[];
  /** Called with the refused payments, which are listed, once every payment has its answer. */
  onDone: (refused: FailureOutcomes["data"]) => void;
  onClose: () => void;
}

const words = {
  retry: {
    title: "Tentar de novo",
    confirm: "Tentar de novo",
    failed: "Não foi possível reenviar os pagamentos.",
  },
  give_back: {
    title: "Devolver ao saldo",
    confirm: "Devolver ao saldo",
    failed: "Não foi possível devolver os pagamentos.",
  },
} as const;

/** Shows number and total first; payments of the same receivers are returned together (TRF-047). */
export function ResolveDialog(props: ResolveDialogProps) {
  const { batchId, way, failures, onDone, onClose } = props;
  // Versions at the moment of opening: the server refuses payments that changed meanwhile, one by one.
  const [chosen] = useState(props.chosen);
  const [key] = useState(() => newId());
  const [refusal, setRefusal] = useState<string>();
  const resolve = useResolveFailures(batchId, way, {
    onSuccess: ({ data }) => {
      showOutcomes(data);
      onDone(data.filter(({ outcome }) => outcome === "refused"));
      onClose();
    },
    onError: (error) => {
      const text = errorSentence(error, words[way].failed);
      if (text) toast.bad(text);
      setRefusal(text);
    },
  });
  const resolving = useOneAtATime();
  const receivers = new Set(chosen.map(({ receiver_id }) => receiver_id));
  const going =
    way === "retry" ? chosen : failures.data.filter(({ receiver_id }) => receivers.has(receiver_id));
  const askedFor = going.filter(({ waits_for_approval }) => waits_for_approval).length;
  const waiting = failures.data.filter(({ waits_for_approval }) => waits_for_approval).length;
  const along = going.length - chosen.length;
  const total = formatMoney(going.reduce((sum, { value }) => sum + value, 0));
  const payments = counted(going.length, "pagamento", "pagamentos");
  return (
    <ConfirmDialog
      opened
      title={words[way].title}
      confirmLabel={words[way].confirm}
      busy={resolve.isPending}
      refusal={refusal}
      onClose={onClose}
      onConfirm={() => {
        if (!resolving.begin()) return;
        setRefusal(undefined);
        resolve.mutate({ chosen, key }, { onSettled: resolving.end });
      }}
    >
      {way === "retry" ? (
        <>
          <p>
            Enviar de novo <strong>{payments}</strong>, no total de <strong className="num">{total}</strong>,
            para as mesmas contas e chaves?
          </p>
          <p className="muted">
            {failures.retry.waits_for_approval
              ? "Nada sai antes que outra pessoa aprove."
              : "Se a conta ou a chave estiver errada, corrija o pagamento em vez de tentar de novo."}
          </p>
        </>
      ) : (
        <>
          <p>
            Devolver <strong>{payments}</strong>? <strong className="num">{total}</strong> voltam para o
            saldo.
          </p>
          {along > 0 ? (
            <p>
              {along === 1 ? "Um deles não foi selecionado" : `${along} deles não foram selecionados`}: as
              falhas de um mesmo recebedor são devolvidas juntas.
            </p>
          ) : null}
          {askedFor > 0 ? (
            <p>
              {askedFor === 1
                ? "Um deles aguarda aprovação para ser enviado de novo: devolvido, deixa de esperar por ela."
                : `${askedFor} deles aguardam aprovação para serem enviados de novo: devolvidos, deixam de esperar por ela.`}
            </p>
          ) : null}
          {waiting > askedFor ? (
            <p>
              {waiting - askedFor === 1
                ? "Uma falha que aguarda aprovação fica como está."
                : `${waiting - askedFor} falhas que aguardam aprovação ficam como estão.`}
            </p>
          ) : null}
          <p className="muted">
            Um pagamento devolvido não pode mais ser corrigido. Para pagar de novo, inclua-o em outro lote.
          </p>
        </>
      )}
    </ConfirmDialog>
  );
}

function showOutcomes(data: FailureOutcomes["data"]): void {
  const count = (wanted: string) => data.filter(({ outcome }) => outcome === wanted).length;
  const [sent, waiting, given] = [count("sent"), count("waits_for_approval"), count("given_back")];
  if (sent > 0) toast.good(`${counted(sent, "pagamento enviado", "pagamentos enviados")} de novo.`);
  if (waiting > 0) toast.info(awaitsApprovalText);
  if (given > 0) toast.good(`${counted(given, "pagamento devolvido", "pagamentos devolvidos")} ao saldo.`);
  if (sent + waiting + given === 0) toast.bad("Nenhum pagamento mudou. Veja os motivos na lista.");
}
