import type { Checkout } from "@malote/contracts/checkout";
import { logoAddress } from "./api.ts";
import styles from "./checkout.module.css";

/** Initials of the first two words, because the last word is usually the legal form. */
const initialsOf = (name: string) =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word.charAt(0))
    .join("")
    .toUpperCase();

/** Logo of the company that is paid, or a tile with its initials. */
export function CompanyMark({ token, company }: { token: string; company: Checkout["company"] }) {
  return (
    <div className={styles.company}>
      {company.has_logo ? (
        <img className={styles.logo} src={logoAddress(token)} alt="" height={44} />
      ) : (
        <span className={styles.tile} aria-hidden>
          {initialsOf(company.name)}
        </span>
      )}
      <span>
        <span className="small muted">Pagamento para</span>
        <strong className={styles.companyName}>{company.name}</strong>
      </span>
    </div>
  );
}
