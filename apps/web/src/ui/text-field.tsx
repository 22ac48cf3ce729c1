import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from "react";
import styles from "./text-field.module.css";

interface FieldWords {
  label?: ReactNode;
  /** Help, below the field. */
  description?: ReactNode;
  /** The error, in words. */
  error?: ReactNode;
}

export interface TextFieldProps extends FieldWords, InputHTMLAttributes<HTMLInputElement> {
  leftSection?: ReactNode;
  /** Button or icon at the end of the field. */
  rightSection?: ReactNode;
  ref?: Ref<HTMLInputElement>;
}

/** Plain field: label above, help below, the error in words beside it. */
export function TextField(props: TextFieldProps) {
  const { label, description, error, leftSection, rightSection, className = "", id, ...rest } = props;
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <div className={className}>
      <Label htmlFor={fieldId}>{label}</Label>
      <div className={styles.frame}>
        {leftSection ? <span className={styles.left}>{leftSection}</span> : null}
        <input
          {...rest}
          {...wordsOf(fieldId, { description, error })}
          id={fieldId}
          className={styles.input}
          data-left={leftSection ? true : undefined}
          data-right={rightSection ? true : undefined}
        />
        {rightSection ? <span className={styles.right}>{rightSection}</span> : null}
      </div>
      <Words id={fieldId} description={description} error={error} />
    </div>
  );
}

export interface TextAreaProps extends FieldWords, TextareaHTMLAttributes<HTMLTextAreaElement> {
  /** Minimum number of rows; the field grows with its text. */
  minRows?: number;
}

export function TextArea({
  label,
  description,
  error,
  className = "",
  id,
  minRows = 2,
  ...rest
}: TextAreaProps) {
  const ownId = useId();
  const fieldId = id ?? ownId;
  return (
    <div className={className}>
      <Label htmlFor={fieldId}>{label}</Label>
      <textarea
        rows={minRows}
        {...rest}
        {...wordsOf(fieldId, { description, error })}
        id={fieldId}
        className={`${styles.input} ${styles.area}`}
      />
      <Words id={fieldId} description={description} error={error} />
    </div>
  );
}

function wordsOf(id: string, { description, error }: FieldWords) {
  const ids = [description && `${id}-help`, error && `${id}-error`].filter(Boolean).join(" ");
  return { "aria-describedby": ids || undefined, "aria-invalid": error ? true : undefined };
}

function Label({ htmlFor, children }: { htmlFor: string; children: ReactNode }) {
  if (!children) return null;
  return (
    <label htmlFor={htmlFor} className={styles.label}>
      {children}
    </label>
  );
}

function Words({ id, description, error }: FieldWords & { id: string }) {
  return (
    <>
      {description ? (
        <div id={`${id}-help`} className={styles.help}>
          {description}
        </div>
      ) : null}
      {error ? (
        <div id={`${id}-error`} className={styles.error}>
          {error}
        </div>
      ) : null}
    </>
  );
}
