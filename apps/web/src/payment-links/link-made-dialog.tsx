import type { PaymentLink } from "@malote/contracts/payment-links";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatDate, formatMoney } from "../ui/format.ts";
import { copied } from "./link-looks.ts";
import styles from "./payment-links.module.css";

interface LinkMadeDialogProps {
  link: PaymentLink;
  onClose: () => void;
  onAnother: () => void;
}

/** LNK-011: shows the new link, to send to the payer. */
export function LinkMadeDialog({ link, onClose, onAnother }: LinkMadeDialogProps) {
  return (
    <Dialog
      opened
      onClose={onClose}
      title="Link de pagamento criado!"
      actions={
        <>
          <Button onClick={onAnother}>Criar outro link</Button>
          <Button look="primary" onClick={onClose}>
            Ver links de pagamento
          </Button>
        </>
      }
    >
      <p>
        Envie este endereço para quem vai pagar <strong>{formatMoney(link.amount)}</strong> por {link.name}.
        Ele vale até {formatDate(link.expires_at)}.
      </p>
      <div className={styles.made}>
        <code>{link.link}</code>
        <CopyButton text={link.link} label="Copiar o link de pagamento" done={copied} />
      </div>
    </Dialog>
  );
}
