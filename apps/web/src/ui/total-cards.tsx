import { Bone } from "./loading-state.tsx";
import { MoneyText } from "./money-text.tsx";
import styles from "./total-cards.module.css";

interface TotalCardsProps {
  cards: readonly {
    label: string;
    /** Centavos; undefined while loading. */
    amount: number | undefined;
    /** Number of items. */
    note?: string;
  }[];
  /** True while the figures belong to earlier filters and the new ones are loading. */
  refetching: boolean;
}

/** Totals of a list, by status. */
export function TotalCards({ cards, refetching }: TotalCardsProps) {
  return (
    <section
      className={styles.totals}
      aria-label="Totais por status"
      aria-busy={refetching || undefined}
      data-dim={refetching || undefined}
      data-many={cards.length > 4 || undefined}
      data-rows={cards.length > 6 || undefined}
    >
      {cards.map(({ label, amount, note }) => (
        <div key={label} className={styles.total}>
          <h2 className="small muted">{label}</h2>
          {amount === undefined ? (
            <Bone height={24} />
          ) : (
            <MoneyText cents={amount} className={styles.value ?? ""} />
          )}
          {note === undefined ? null : <span className="small faint">{note}</span>}
        </div>
      ))}
    </section>
  );
}
