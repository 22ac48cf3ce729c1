import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import styles from "./status-pill.module.css";

export type PillColor = "grey" | "red" | "yellow" | "green" | "blue" | "white";
export type PillShape = "dot" | "spinner" | "check" | "dash" | "ring";

/** Look of a status. */
export interface PillLook {
  color: PillColor;
  shape: PillShape;
}

export interface NamedLook extends PillLook {
  name: string;
}

interface StatusPillProps {
  color: PillColor;
  shape?: PillShape;
  children: ReactNode;
}

/** A word and an icon beside the colour, so that red and green need not be distinguished. */
export function StatusPill({ color, shape = "dot", children }: StatusPillProps) {
  return (
    <span className={styles.pill} data-color={color}>
      {shape === "check" ? (
        <IconCheck size={12} stroke={3} aria-hidden />
      ) : (
        <i className={styles.mark} data-shape={shape} aria-hidden />
      )}
      {children}
    </span>
  );
}
