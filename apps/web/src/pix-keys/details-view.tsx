import { deletePixKey } from "@malote/contracts/pix-keys";
import { useBrand } from "../shell/brand.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Notice } from "../ui/notice.tsx";
import { isPassing } from "./api.ts";
import type { ViewProps } from "./claim-views.tsx";
import { KeyHead } from "./key-head.tsx";
import { KeyPicture } from "./key-picture.tsx";
import styles from "./pix-keys.module.css";

/** PIX-047: shown when the error has no message. */
const cannotBeLinked =
  "Essa chave não pode ser vinculada. Utilize uma nova chave, excluindo essa e vinculando uma nova.";

/** Details of a key (PIX-045 to PIX-047). */
export function DetailsView({ pixKey, failed, onClose, onDelete }: ViewProps) {
  const session = useSession();
  const brand = useBrand();
  const { status, error } = pixKey;
  const mayDelete = (status === "REGISTERED" || status === "ERROR") && may(deletePixKey, session);
  return (
    <Dialog
      opened
      size="lg"
      title="Chave Pix"
      onClose={onClose}
      actions={
        <>
          {isPassing(status) ? (
            <Button look="primary" onClick={onClose}>
              Continuar usando a {brand.name}
            </Button>
          ) : (
            <Button onClick={onClose} data-autofocus>
              Fechar
            </Button>
          )}
          {mayDelete ? (
            <Button look="danger" onClick={onDelete}>
              Excluir chave
            </Button>
          ) : null}
        </>
      }
    >
      <div className={styles.view}>
        <KeyHead pixKey={pixKey} />
        {failed}
        {status === "ERROR" ? (
          <Notice tone="red">{error?.message || cannotBeLinked}</Notice>
        ) : error ? (
          <Notice tone="yellow">{error.message}</Notice>
        ) : null}
        <KeyPicture of={pixKey} />
      </div>
    </Dialog>
  );
}
