import { cancelPixKeyClaim, claimPixKey, confirmPixKeyClaim, deletePixKey } from "@malote/contracts/pix-keys";
import { holds } from "@malote/contracts/policy";
import { claimDeadline, claimKindOf, mayCancelClaim } from "@malote/domain/own-pix-key";
import { type ReactNode, useState } from "react";
import { useBrand } from "../shell/brand.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { toast } from "../ui/toasts.tsx";
import { type PixKey, useCancelClaim, useClaimKey, useConfirmClaim } from "./api.ts";
import { KeyHead } from "./key-head.tsx";
import { cutKey, keyTextMax } from "./key-text.ts";
import styles from "./pix-keys.module.css";

export interface ViewProps {
  pixKey: PixKey;
  /** Shown when a later read of the key failed, because the content may be stale. */
  failed: ReactNode;
  onClose: () => void;
  onDelete: () => void;
}

interface FrameProps {
  pixKey: PixKey;
  failed: ReactNode;
  onClose: () => void;
  actions: ReactNode;
  children: ReactNode;
}

function Frame({ pixKey, failed, onClose, actions, children }: FrameProps) {
  return (
    <Dialog opened size="lg" title="Chave Pix" onClose={onClose} actions={actions}>
      <div className={styles.view}>
        <KeyHead pixKey={pixKey} />
        {failed}
        {pixKey.error ? <Notice tone="yellow">{pixKey.error.message}</Notice> : null}
        {children}
      </div>
    </Dialog>
  );
}

/** A key held elsewhere, before it is claimed (PIX-034 to PIX-037). */
export function ClaimView({ pixKey, failed, onClose, onDelete }: ViewProps) {
  const session = useSession();
  const claim = useClaimKey(pixKey.id);
  const isClaim = claimKindOf(pixKey.status) === "CLAIM";
  return (
    <Frame
      pixKey={pixKey}
      failed={failed}
      onClose={onClose}
      actions={
        <>
          {may(deletePixKey, session) ? (
            <Button look="danger" onClick={onDelete} style={{ marginRight: "auto" }}>
              Excluir chave
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancelar</Button>
          {may(claimPixKey, session) ? (
            <Button
              look="primary"
              busy={claim.isPending}
              onClick={() =>
                claim.mutate(undefined, () =>
                  toast.good(
                    isClaim
                      ? "Solicitação de reivindicação iniciada com sucesso, aguarde a confirmação do processo."
                      : "Solicitação de portabilidade iniciada com sucesso, confirme a solicitação em sua conta de origem.",
                  ),
                )
              }
            >
              {isClaim ? "Solicitar reivindicação" : "Solicitar portabilidade"}
            </Button>
          ) : null}
        </>
      }
    >
      {isClaim ? (
        <p>
          Esta chave está registrada em nome de outra pessoa. Se o número é da sua empresa, solicite a
          reivindicação: quem está com a chave tem 7 dias para responder e, sem resposta, ela vem para cá.
        </p>
      ) : (
        <p>
          Esta chave já é da sua empresa, em outra instituição. Para trazê-la, solicite a portabilidade e
          confirme o pedido na conta de origem em até 7 dias.
        </p>
      )}
    </Frame>
  );
}

/** A claim that the company opened (PIX-038 to PIX-040). */
export function ProgressView({ pixKey, failed, onClose }: ViewProps) {
  const session = useSession();
  const cancel = useCancelClaim(pixKey.id);
  const isClaim = claimKindOf(pixKey.status) === "CLAIM";
  const word = isClaim ? "reivindicação" : "portabilidade";
  const mayCancel =
    mayCancelClaim(pixKey.status) &&
    may(cancelPixKeyClaim, session) &&
    session !== undefined &&
    holds(session, "pix_key_register");
  return (
    <Frame
      pixKey={pixKey}
      failed={failed}
      onClose={onClose}
      actions={
        <>
          {mayCancel ? (
            <Button
              look="danger"
              busy={cancel.isPending}
              onClick={() =>
                cancel.mutate(undefined, () => toast.good(`Solicitação de ${word} cancelada com sucesso.`))
              }
            >
              Cancelar solicitação
            </Button>
          ) : null}
          <Button look="primary" onClick={onClose}>
            Fechar
          </Button>
        </>
      }
    >
      <p>
        {mayCancelClaim(pixKey.status)
          ? isClaim
            ? "Quem está com a chave foi avisado e tem 7 dias para responder. Você pode fechar esta janela e acompanhar pela situação da chave."
            : "Confirme a portabilidade na conta de origem em até 7 dias. Você pode fechar esta janela e acompanhar pela situação da chave."
          : `A solicitação de ${word} foi enviada e aguarda a outra instituição. Ainda não é possível cancelar.`}
      </p>
    </Frame>
  );
}

/** A claim that another holder opened (PIX-041 to PIX-044), for people who may decide. */
export function ApprovalView({ pixKey, failed, onClose }: ViewProps) {
  const brand = useBrand();
  const keep = useCancelClaim(pixKey.id);
  const release = useConfirmClaim(pixKey.id);
  const [asksToRelease, setAsksToRelease] = useState(false);
  const isClaim = claimKindOf(pixKey.status) === "CLAIM";
  const deadline = formatDateTime(claimDeadline(new Date(pixKey.updated_at)).toISOString());
  return (
    <Frame
      pixKey={pixKey}
      failed={failed}
      onClose={onClose}
      actions={
        <>
          <Button look="danger" disabled={keep.isPending} onClick={() => setAsksToRelease(true)}>
            Liberar chave
          </Button>
          <Button
            look="primary"
            busy={keep.isPending}
            disabled={release.isPending}
            onClick={() =>
              keep.mutate(undefined, () =>
                toast.good(
                  isClaim
                    ? "Chave Pix mantida com sucesso."
                    : `Chave Pix mantida na ${brand.name} com sucesso.`,
                ),
              )
            }
          >
            Manter chave
          </Button>
        </>
      }
    >
      <p>
        {isClaim
          ? "Outra pessoa diz que esta chave é dela e pediu o registro em outra instituição."
          : "Foi pedida a portabilidade desta chave para outra instituição, em nome da sua empresa."}
      </p>
      <Notice tone="yellow" title={`Responda até ${deadline}`}>
        {isClaim
          ? "Sem resposta, a chave sai da sua empresa e passa a quem a pediu."
          : `Sem resposta, a chave continua na ${brand.name}.`}
      </Notice>
      <ConfirmDialog
        opened={asksToRelease}
        danger
        title={`Liberar a chave ${cutKey(pixKey, keyTextMax.inRemoval)}?`}
        confirmLabel="Liberar"
        busy={release.isPending}
        onClose={() => setAsksToRelease(false)}
        onConfirm={() => release.mutate(undefined, () => toast.good("Chave Pix liberada com sucesso."))}
      >
        Ela deixa de receber pagamentos para a sua empresa. Quem paga por ela precisa de outra chave.
      </ConfirmDialog>
    </Frame>
  );
}

export const mayDecide = (session: ReturnType<typeof useSession>) => may(confirmPixKeyClaim, session);
