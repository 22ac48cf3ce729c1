import { changeReceiver } from "@malote/contracts/receivers";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { FailedQuery } from "../shell/failed-query.tsx";
import { may, useSession } from "../shell/session.ts";
import { focusBack } from "../ui/focus.ts";
import { FullScreenModal } from "../ui/full-screen-modal.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { receiverQuery } from "./api.ts";
import { ReceiverForm } from "./receiver-form.tsx";
import styles from "./receiver-modal.module.css";
import { ReceiverView } from "./receiver-view.tsx";

interface ReceiverModalProps {
  /** Left out for a new receiver. */
  receiverId: string | undefined;
  onClose: () => void;
}

/** RCV-007, RCV-008: one receiver on the whole screen, editable or read-only. */
export default function ReceiverModal({ receiverId, onClose }: ReceiverModalProps) {
  const session = useSession();
  const mayWrite = may(changeReceiver, session);
  if (receiverId !== undefined) return <OneReceiver id={receiverId} mayWrite={mayWrite} onClose={onClose} />;
  return mayWrite ? <ReceiverForm onClose={onClose} /> : null;
}

function OneReceiver({ id, mayWrite, onClose }: { id: string; mayWrite: boolean; onClose: () => void }) {
  const receiver = useQuery(receiverQuery(id));
  // The form replaces the loading page and so loses its opener, which is remembered here.
  const [opener] = useState(() => document.activeElement);
  useEffect(() => () => focusBack(opener, null), [opener]);
  if (receiver.data && mayWrite) return <ReceiverForm receiver={receiver.data} onClose={onClose} />;
  return (
    <FullScreenModal opened onClose={onClose} title={mayWrite ? "Editar recebedor" : "Recebedor"}>
      <div className={styles.page}>
        {receiver.data ? (
          <ReceiverView receiver={receiver.data} />
        ) : receiver.isError ? (
          <FailedQuery title="Não foi possível abrir o recebedor" query={receiver} />
        ) : (
          <LoadingState label="Carregando o recebedor">
            <Bone height={320} />
          </LoadingState>
        )}
      </div>
    </FullScreenModal>
  );
}
