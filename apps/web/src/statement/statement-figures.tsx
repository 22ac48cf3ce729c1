import type { ResponseOf } from "@malote/contracts/contract";
import type { readStatement } from "@malote/contracts/statement";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatMoney } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import styles from "./statement-page.module.css";

type Statement = ResponseOf<typeof readStatement>;

interface StatementFiguresProps {
  balance: { value: number; waiting_value: number } | undefined;
  statement: Statement | undefined;
  waitingPath: string | undefined;
}

/** Balance, waiting amount and movements; the check below the first figure proves that the sums add up. */
export function StatementFigures({ balance, statement, waitingPath }: StatementFiguresProps) {
  return (
    <div className={styles.figures}>
      <Figure label="Saldo disponível" cents={balance?.value}>
        {statement ? <Check statement={statement} /> : null}
      </Figure>
      <Figure label="Aguardando recebimento" cents={balance?.waiting_value}>
        {waitingPath && balance && balance.waiting_value > 0 ? (
          <Link to={waitingPath}>Ver o que falta</Link>
        ) : (
          "Nenhum lote esperando saldo"
        )}
      </Figure>
      <Figure
        label="Entradas − saídas no mês"
        cents={statement && statement.totals.in - statement.totals.out}
        signed
      >
        {statement ? (
          <>
            <span className="num">{formatMoney(statement.totals.in)}</span> entraram ·{" "}
            <span className="num">{formatMoney(statement.totals.out)}</span> saíram
          </>
        ) : null}
      </Figure>
    </div>
  );
}

interface FigureProps {
  label: string;
  cents: number | undefined;
  signed?: boolean;
  children: ReactNode;
}

function Figure({ label, cents, signed = false, children }: FigureProps) {
  return (
    <section className={styles.figure} aria-label={label}>
      <h2 className="small faint">{label}</h2>
      {cents === undefined ? (
        <Bone width="60%" height={28} />
      ) : (
        <MoneyText cents={cents} signed={signed} className={styles.value ?? ""} />
      )}
      <div className="small muted">{children}</div>
    </section>
  );
}

/** Opening + in − out = closing, with the figures of the chosen month. */
function Check({ statement }: { statement: Statement }) {
  const { prevBalance, afterBalance, totals } = statement;
  const addsUp = prevBalance.value + totals.in - totals.out === afterBalance.value;
  const sum = `${formatMoney(prevBalance.value)} + ${formatMoney(totals.in)} − ${formatMoney(totals.out)} = ${formatMoney(afterBalance.value)}`;
  return addsUp ? (
    <span className={styles.check} title={sum}>
      <IconCircleCheck size={16} aria-hidden />
      <span>
        Confere: abertura + entradas − saídas = fechamento<span className="sr-only"> ({sum})</span>
      </span>
    </span>
  ) : (
    <span className={styles.check} data-wrong role="alert">
      <IconAlertTriangle size={16} aria-hidden />
      <span>A soma do mês não fecha. Fale com o suporte antes de usar este extrato: {sum}</span>
    </span>
  );
}
