import type { CheckoutCharge } from "@malote/contracts/checkout";
import { type ReactNode, Suspense } from "react";
import { lazyPart } from "../shell/lazy-part.ts";
import { FocusedHeading } from "../ui/focused-heading.tsx";
import { formatDateTime } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import styles from "./checkout.module.css";
import { CopyLine } from "./copy-line.tsx";
import { Waiting } from "./waiting.tsx";

const QrCode = lazyPart(() => import("../shell/qr-code.tsx"));

interface PixFaceProps {
  pix: NonNullable<CheckoutCharge["pix"]>;
  other: ReactNode;
}

export function PixFace({ pix, other }: PixFaceProps) {
  return (
    <section className={`panel ${styles.panel} ${styles.face}`}>
      <FocusedHeading>Pague com Pix</FocusedHeading>
      <ol className={styles.steps}>
        <li>Abra o aplicativo do seu banco e escolha Pix.</li>
        <li>Leia o QR Code, ou copie o código e use “Pix copia e cola”.</li>
        <li>Confira o valor e confirme.</li>
      </ol>
      <div className={styles.qr}>
        <Suspense fallback={<Bone width={208} height={208} />}>
          <QrCode value={pix.code} size={208} title="QR Code do Pix" />
        </Suspense>
      </div>
      <CopyLine label="Código Pix" text={pix.code} action="Copiar código Pix" />
      <Waiting>Aguardando o pagamento. Esta página avisa quando ele chegar.</Waiting>
      <div className={styles.end}>
        <span className="small muted">Vale até {formatDateTime(pix.expires_at)}</span>
        {other}
      </div>
    </section>
  );
}
