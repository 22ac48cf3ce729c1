import type { ReactNode } from "react";
import styles from "./filter-bar.module.css";

/** Filters of a list: the search field first, then the chips. */
export function FilterBar({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we serve
    <div role="search" className={styles.bar}>
      {children}
    </div>
  );
}
