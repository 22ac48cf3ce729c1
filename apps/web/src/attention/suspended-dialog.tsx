import { permissionNames } from "@malote/contracts/permission-names";
import type { Permission } from "@malote/contracts/policy";
import { useBrand } from "../shell/brand.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import styles from "./suspended-dialog.module.css";

interface SuspendedProps {
  missing: readonly Permission[];
  onClose: () => void;
}

/** SHL-038 to SHL-040: lists the suspended functions and those that still work. */
export default function SuspendedDialog({ missing, onClose }: SuspendedProps) {
  const { supportUrl, supportChatUrl } = useBrand();
  const support = supportChatUrl ?? supportUrl;
  const names = Object.entries(permissionNames).filter(([code]) => missing.some((one) => one === code));
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Sua conta requer atenção"
      size="lg"
      actions={
        <>
          {support ? (
            <a href={support} target="_blank" rel="noreferrer" className={buttonClass()}>
              Falar com o suporte
            </a>
          ) : null}
          <Button look="primary" data-autofocus onClick={onClose}>
            Entendi
          </Button>
        </>
      }
    >
      <p>Estas funções estão suspensas:</p>
      <ul className={styles.list}>
        {names.map(([code, name]) => (
          <li key={code}>{name}</li>
        ))}
      </ul>
      <p>O acesso para leitura e consulta continua ativo.</p>
    </Dialog>
  );
}
