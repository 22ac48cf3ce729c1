import type { Check } from "@malote/contracts/checks";
import { unbroken } from "../ui/format.ts";
import { LongList } from "../ui/long-list.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import styles from "./findings.module.css";

/** Small enough that the checkbox below stays in sight, also on a phone. */
const [usualFirst, step] = [3, 10];
/** Step for a reader who asks for more than came with the check. */
const manyStep = 100;

interface FindingsProps {
  check: Check;
  /** Number of findings shown at once. */
  first?: number;
  /** Findings fetched after those of the check, and the way to fetch the rest. */
  more?: { findings: Check["findings"]; busy: boolean; fetch: () => void };
}

/** Payments that a check concerns: payee, amount, and the finding. */
export function Findings({ check: { findings, count }, first = usualFirst, more }: FindingsProps) {
  const rows = more ? [...findings, ...more.findings] : findings;
  return (
    <div className={styles.findings}>
      <LongList
        rows={rows}
        first={first}
        step={rows.length > findings.length ? manyStep : step}
        keyOf={({ payment }) => payment.id}
        className={styles.list ?? ""}
        rowClassName={styles.finding ?? ""}
        {...(more && { beyond: { count: count - rows.length, busy: more.busy, fetch: more.fetch } })}
      >
        {({ payment, text }) => (
          <>
            <span className={styles.who}>
              <span>{payment.name ?? "Sem nome"}</span>
              {payment.value === null ? null : <MoneyText cents={payment.value} />}
            </span>
            <span className="small muted">{unbroken(text)}</span>
          </>
        )}
      </LongList>
    </div>
  );
}
