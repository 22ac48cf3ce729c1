import type { ResponseOf } from "@malote/contracts/contract";
import type { PayinTotal, readPayinTotals } from "@malote/contracts/payins";
import { counted } from "../ui/format.ts";
import { Bone } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { totalNames } from "./payin-looks.ts";
import styles from "./payins.module.css";

/** PAY-017: what the list holds, by status. */
export function PayinTotals({ totals }: { totals: ResponseOf<typeof readPayinTotals> | undefined }) {
  return (
    <section className={styles.totals} aria-label="Totais por status">
      {Object.entries(totalNames).map(([name, label]) => {
        const total = totals?.[name as PayinTotal];
        return (
          <div key={name} className={styles.total}>
            <h2 className="small muted">{label}</h2>
            {total ? (
              <MoneyText cents={total.total_amount} className={styles.value ?? ""} />
            ) : (
              <Bone height={24} />
            )}
            <span className="small faint">
              {total ? counted(total.count, "recebimento", "recebimentos") : "\u00a0"}
            </span>
          </div>
        );
      })}
    </section>
  );
}
