import { awaitsOurAnswer, claimKindOf, mayClaim, type PixKeyStatus } from "@malote/domain/own-pix-key";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { FailedNotice, FailedQuery } from "../shell/failed-query.tsx";
import { useSession } from "../shell/session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { pixKeyQuery, useRefreshKeys } from "./api.ts";
import { ApprovalView, ClaimView, mayDecide, ProgressView } from "./claim-views.tsx";
import { DetailsView } from "./details-view.tsx";
import { NewKeyForm } from "./new-key-form.tsx";
import { RemoveKeyDialog } from "./remove-key-dialog.tsx";
import { VerifyForm } from "./verify-form.tsx";

interface PixKeyDialogProps {
  /** Id of the key; undefined for a new one. */
  id: string | undefined;
  onClose: () => void;
  onCreated: (id: string) => void;
}

/** Wizard of a key: its content depends on the key's status (PIX-016). */
export default function PixKeyDialog({ id, onClose, onCreated }: PixKeyDialogProps) {
  return id ? (
    <OfKey key={id} id={id} onClose={onClose} />
  ) : (
    <NewKeyForm onClose={onClose} onCreated={onCreated} />
  );
}

function OfKey({ id, onClose }: { id: string; onClose: () => void }) {
  const session = useSession();
  const [asksToDelete, setAsksToDelete] = useState(false);
  const found = useQuery(pixKeyQuery(id));
  const refresh = useRefreshKeys();
  const status = found.data?.status;
  const before = useRef(status);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the moment of the change counts, not a new callback
  useEffect(() => {
    if (before.current && before.current !== status) refresh();
    before.current = status;
    // PIX-045: nothing is left to show.
    if (status === "REMOVED") onClose();
  }, [status]);

  if (!found.data) {
    return (
      <Dialog opened size="lg" title="Chave Pix" onClose={onClose}>
        {found.isError ? (
          <FailedQuery title="Não foi possível carregar a chave" query={found} />
        ) : (
          <LoadingState label="Carregando a chave">
            <Bone height={240} />
          </LoadingState>
        )}
      </Dialog>
    );
  }
  const pixKey = found.data;
  if (pixKey.status === "REMOVED") return null;
  const View = viewOf(pixKey.status, mayDecide(session));
  return (
    <>
      <View
        pixKey={pixKey}
        failed={
          found.isError ? <FailedNotice title="Não foi possível atualizar a chave" query={found} /> : null
        }
        onClose={onClose}
        onDelete={() => setAsksToDelete(true)}
      />
      {asksToDelete ? <RemoveKeyDialog pixKey={pixKey} onClose={() => setAsksToDelete(false)} /> : null}
    </>
  );
}

function viewOf(status: PixKeyStatus, decides: boolean) {
  if (status === "VALIDATING") return VerifyForm;
  if (mayClaim(status)) return ClaimView;
  if (awaitsOurAnswer(status)) return decides ? ApprovalView : DetailsView;
  return claimKindOf(status) ? ProgressView : DetailsView;
}
