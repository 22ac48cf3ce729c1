import { formatAmount, formatMoney } from "./format.ts";
import styles from "./money-text.module.css";

interface MoneyTextProps {
  cents: number;
  /** `+` in green before money that arrived, a minus before money that left. */
  signed?: boolean;
  /** Leaves out `R$` when the heading of the column has it; a phone shows no headings. */
  bare?: boolean;
  /** Cancelled: struck through. */
  struck?: boolean;
  className?: string;
}

/** Every amount on screen: tabular figures, never broken over two lines. */
export function MoneyText({
  cents,
  signed = false,
  bare = false,
  struck = false,
  className = "",
}: MoneyTextProps) {
  const figure = bare ? formatAmount(Math.abs(cents)) : formatMoney(Math.abs(cents));
  const sign = signed && cents > 0 ? "+ " : cents < 0 ? "− " : "";
  const Tag = struck ? "s" : "span";
  const color = struck ? "var(--ink-3)" : signed && cents > 0 ? "var(--green)" : undefined;
  return (
    <Tag className={`num ${className}`} style={color ? { color } : undefined}>
      {sign}
      {bare ? <span className={styles.currency}>R$&nbsp;</span> : null}
      {figure}
    </Tag>
  );
}
