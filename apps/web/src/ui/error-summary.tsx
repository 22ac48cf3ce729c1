import { useEffect, useRef } from "react";
import styles from "./error-summary.module.css";

export interface FieldProblem {
  /** Id of the field that the line links to. */
  fieldId: string;
  message: string;
}

interface ErrorSummaryProps {
  problems: readonly FieldProblem[];
  /** Grows with each attempt to send; every failed attempt moves the focus here. */
  attempt: number;
  title?: string;
}

/** Lists everything to correct before the form can be sent, in one place that takes the focus. */
export function ErrorSummary({
  problems,
  attempt,
  title = "Corrija antes de continuar:",
}: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  const failed = problems.length > 0;
  // A later error is shown beside its field and does not move the focus.
  const looked = useRef(0);
  useEffect(() => {
    const isNew = attempt !== looked.current;
    looked.current = attempt;
    if (isNew && failed) box.current?.focus();
  }, [attempt, failed]);
  if (!failed) return null;
  return (
    <div ref={box} className={styles.summary} role="alert" tabIndex={-1}>
      <strong>{title}</strong>
      <ul>
        {problems.map(({ fieldId, message }) => (
          <li key={fieldId}>
            <a
              href={`#${fieldId}`}
              onClick={(event) => {
                event.preventDefault();
                document.getElementById(fieldId)?.focus();
              }}
            >
              {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
