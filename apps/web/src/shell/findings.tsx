import type { Check } from "@malote/contracts/checks";
import { unbroken } from "../ui/format.ts";
import { LongList } from "../ui/long-list.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import styles from "./findings.module.css";

/** So few that what has to be ticked below them is in sight, also on a telephone. */
const [usualFirst, step] = [3, 10];
/** A reader who asks for more than came with the check gets many. */
const manyStep = 100;

interface FindingsProps {
  check: Check;
  /** How many are shown at once. */
  first?: number;
  /** Those that were fetched after the ones that came with the check, and those that are still to be. */
  more?: { findings: Check["findings"]; busy: boolean; fetch: () => void };
}

/** The payments that a check is about: whom, how much, and what was found. */
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
