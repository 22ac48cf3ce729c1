import { IconArrowLeft } from "@tabler/icons-react";
import { Button } from "../ui/button.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Notice } from "../ui/notice.tsx";
import BatchChecksList from "./batch-checks.tsx";
import styles from "./batch-screen.module.css";
import funding from "./funding.module.css";
import FundingData from "./funding-data.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";

/** BANK_ACCOUNT_SELECTION (BAT-058): shows the total, the balance, and where to send the rest. */
export default function FundingStep({ desk }: { desk: BatchDesk }) {
  const { batch, summary } = desk;
  return (
    <div className={styles.sections}>
      <div>
        <Button
          look="quiet"
          size="sm"
          icon={<IconArrowLeft aria-hidden />}
          onClick={() => desk.address.leave("etapa")}
        >
          Voltar aos pagamentos
        </Button>
        <h2 className={funding.title}>Quase tudo pronto para finalizar o pagamento.</h2>
      </div>
      {desk.hasTicks ? (
        <section className={`panel ${styles.facts}`} aria-labelledby="funding-checks">
          <h2 id="funding-checks">Confira antes de continuar</h2>
          <BatchChecksList desk={desk} ticks />
        </section>
      ) : null}
      <div className={funding.figures}>
        <Figure label="Total a enviar" cents={batch.value} />
        <Figure label="Saldo atual" cents={summary.data?.balance} />
        <Figure label="Falta" cents={summary.data?.missing} />
      </div>
      {desk.isCovered ? <Notice tone="green" title="O saldo atual cobre este lote." /> : null}
      <FundingData />
    </div>
  );
}

function Figure({ label, cents }: { label: string; cents: number | undefined }) {
  return (
    <div className={`panel ${funding.figure}`}>
      <span className="small faint">{label}</span>
      {cents === undefined ? "—" : <MoneyText cents={cents} className={funding.value ?? ""} />}
    </div>
  );
}
