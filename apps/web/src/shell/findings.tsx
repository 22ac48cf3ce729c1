import type { Check } from "@malote/contracts/checks";
import { formatCount } from "../ui/format.ts";
import { LongList } from "../ui/long-list.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import styles from "./findings.module.css";

/** So few that what has to be ticked below them is in sight, also on a telephone. */
const [first, step] = [3, 10];

/** The payments that a check is about: whom, how much, and what was found. */
export function Findings({ check: { findings, count } }: { check: Check }) {
  const unsent = count - findings.length;
  return (
    <div className={styles.findings}>
      <LongList
        rows={findings}
        first={first}
        step={step}
        keyOf={({ payment }) => payment.id}
        className={styles.list ?? ""}
        rowClassName={styles.finding ?? ""}
        end={unsent > 0 ? <span className="small muted">e mais {formatCount(unsent)}</span> : null}
      >
        {({ payment, text }) => (
          <>
            <span className={styles.who}>
              <span>{payment.name ?? "Sem nome"}</span>
              {payment.value === null ? null : <MoneyText cents={payment.value} />}
            </span>
            <span className="small muted">{text}</span>
          </>
        )}
      </LongList>
    </div>
  );
}
