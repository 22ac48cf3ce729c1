import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { counted } from "./format.ts";
import styles from "./selection-bar.module.css";

interface SelectionBarProps {
  count: number;
  /** `recebedor selecionado`, `recebedores selecionados`. */
  words: readonly [one: string, many: string];
  /** For phones, whose cards have no heading with a checkbox for all; undefined: none of them can be selected. */
  all: { label: string; isSelected: boolean; onSelect: (on: boolean) => void } | undefined;
  /** Actions on the selected rows. */
  children: ReactNode;
}

/** Shown above a table: the number of selected rows, and the actions on them. */
export function SelectionBar({ count, words, all, children }: SelectionBarProps) {
  return (
    <div className={styles.bar} data-empty={count > 0 ? undefined : all ? "selectable" : "nothing"}>
      {all ? (
        <Button size="sm" className={styles.all ?? ""} onClick={() => all.onSelect(!all.isSelected)}>
          {all.isSelected ? "Limpar seleção" : all.label}
        </Button>
      ) : null}
      <span className="small muted" role="status">
        {count === 0 ? "" : counted(count, ...words)}
      </span>
      {count > 0 ? children : null}
    </div>
  );
}
