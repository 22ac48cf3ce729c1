import type { CheckoutCharge } from "@malote/contracts/checkout";
import { IconPrinter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Button } from "../ui/button.tsx";
import { FocusedHeading } from "../ui/focused-heading.tsx";
import { formatDate } from "../ui/format.ts";
import { Barcode } from "./barcode.tsx";
import { BoletoSheet } from "./boleto-sheet.tsx";
import styles from "./checkout.module.css";
import { CopyLine } from "./copy-line.tsx";
import { Waiting } from "./waiting.tsx";

interface BoletoFaceProps {
  boleto: NonNullable<CheckoutCharge["boleto"]>;
  amount: number;
  other: ReactNode;
}

export function BoletoFace({ boleto, amount, other }: BoletoFaceProps) {
  return (
    <>
      <section className={`panel ${styles.panel} ${styles.face} no-print`}>
        <FocusedHeading>Pague o boleto até {formatDate(boleto.due_date)}</FocusedHeading>
        <p className="muted">
          No aplicativo do seu banco, escolha pagar boleto e cole a linha digitável. Você também pode imprimir
          e pagar em uma agência ou lotérica.
        </p>
        <div className={styles.bars}>
          <Barcode digits={boleto.barcode} />
        </div>
        <CopyLine label="Linha digitável" text={boleto.digitable_line} action="Copiar linha digitável" />
        <Button icon={<IconPrinter aria-hidden />} className={styles.go ?? ""} onClick={() => window.print()}>
          Imprimir ou salvar em PDF
        </Button>
        <p className="small muted">
          Guarde o endereço desta página: a segunda via deste boleto abre por ele, em qualquer aparelho.
        </p>
        <Waiting>Depois de pago, o banco leva até 1 dia útil para confirmar.</Waiting>
        <div className={styles.end}>{other}</div>
      </section>
      <BoletoSheet boleto={boleto} amount={amount} />
    </>
  );
}
