import type { ReactNode } from "react";
import { FocusedHeading } from "./focused-heading.tsx";
import styles from "./page-states.module.css";

interface EmptyStateProps {
  drawing?: "batches" | "people" | "search" | "money" | "sheet" | "lock" | "clouds" | "chart";
  title: string;
  children?: ReactNode;
  /** Next step for the person. */
  action?: ReactNode;
  headingLevel?: "h1" | "h2" | "h3";
  /** True when it replaces a form that was sent, so that it takes the focus. */
  focused?: boolean | undefined;
}

/** Explains why nothing is here, and what to do next. */
export function EmptyState({
  drawing = "search",
  title,
  children,
  action,
  headingLevel = "h2",
  focused = false,
}: EmptyStateProps) {
  const Heading = focused ? FocusedHeading : headingLevel;
  return (
    <div className={styles.state}>
      <Drawing name={drawing} />
      <Heading className={styles.title}>{title}</Heading>
      {children ? <div className={styles.text}>{children}</div> : null}
      {action ? <div className={styles.action}>{action}</div> : null}
    </div>
  );
}

const strokes: Record<NonNullable<EmptyStateProps["drawing"]>, ReactNode> = {
  batches: (
    <>
      <rect x="30" y="34" width="60" height="40" rx="6" className={styles.fill} />
      <rect x="22" y="26" width="60" height="40" rx="6" className={styles.paper} />
      <path d="M22 40h60M42 26v-6h20v6M34 52h16M34 58h26" />
      <path d="M96 24v12M90 30h12" className={styles.accent} />
    </>
  ),
  people: (
    <>
      <circle cx="74" cy="36" r="10" className={styles.fill} />
      <path d="M70 76a18 18 0 0 1 28 0z" className={styles.fill} />
      <circle cx="48" cy="36" r="13" className={styles.paper} />
      <path d="M24 78a24 24 0 0 1 48 0z" className={styles.paper} />
      <path d="M98 20v12M92 26h12" className={styles.accent} />
    </>
  ),
  search: (
    <>
      <rect x="24" y="20" width="56" height="56" rx="8" className={styles.paper} />
      <path d="M36 36h32M36 46h20M36 56h12" />
      <circle cx="78" cy="60" r="14" className={styles.fill} />
      <path d="M88 70l10 10" className={styles.accent} />
    </>
  ),
  money: (
    <>
      <rect x="20" y="28" width="72" height="44" rx="8" className={styles.fill} />
      <rect x="28" y="22" width="72" height="44" rx="8" className={styles.paper} />
      <circle cx="64" cy="44" r="10" className={styles.accent} />
      <path d="M40 34h.1M88 54h.1" />
    </>
  ),
  sheet: (
    <>
      <path d="M38 16h34l16 16v48H38z" className={styles.paper} />
      <path d="M72 16v16h16M48 46h30M48 56h30M48 66h30M60 46v20" />
      <path d="M26 62v-18m-7 7 7-7 7 7" className={styles.accent} />
    </>
  ),
  lock: (
    <>
      <rect x="36" y="44" width="48" height="36" rx="8" className={styles.paper} />
      <path d="M46 44v-8a14 14 0 0 1 28 0v8" />
      <circle cx="60" cy="60" r="4" className={styles.accent} />
      <path d="M60 64v6" className={styles.accent} />
    </>
  ),
  chart: (
    <>
      <rect x="24" y="16" width="72" height="60" rx="8" className={styles.paper} />
      <path d="M36 64h48" />
      <rect x="40" y="48" width="10" height="16" rx="2" className={styles.fill} />
      <rect x="55" y="38" width="10" height="26" rx="2" className={styles.fill} />
      <rect x="70" y="54" width="10" height="10" rx="2" className={styles.fill} />
      <path d="M38 40l14-8 14 4 16-12" className={styles.accent} />
    </>
  ),
  clouds: (
    <>
      <path d="M40 68a14 14 0 0 1 0-28 20 20 0 0 1 38-4 16 16 0 0 1 4 32z" className={styles.paper} />
      <path d="M60 44v12" className={styles.accent} />
      <path d="M60 62h.1" className={styles.accent} />
    </>
  ),
};

function Drawing({ name }: { name: NonNullable<EmptyStateProps["drawing"]> }) {
  return (
    <svg className={styles.drawing} viewBox="0 0 120 96" aria-hidden="true">
      {strokes[name]}
    </svg>
  );
}
