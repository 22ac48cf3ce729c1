import styles from "./bank-mark.module.css";
import { initialsOf } from "./format.ts";

interface BankMarkProps {
  bank: { code: string | null; name: string; image: string | null };
  /** 24 in lists and dropdowns, 48 in cards and details (SHL-024). */
  size: 24 | 48;
}

/** A bank's logo, or a neutral tile with its code or initials. Its name is beside it in words. */
export function BankMark({ bank, size }: BankMarkProps) {
  return bank.image ? (
    <img className={styles.mark} data-size={size} src={bank.image} width={size} height={size} alt="" />
  ) : (
    <span className={styles.mark} data-size={size} aria-hidden>
      {bank.code ?? initialsOf(bank.name)}
    </span>
  );
}
