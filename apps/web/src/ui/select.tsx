import { foldText } from "@malote/domain/fold-text";
import { IconCheck, IconSelector } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { Popover } from "./popover.tsx";
import styles from "./select.module.css";
import { TextField, type TextFieldProps } from "./text-field.tsx";

export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps extends Omit<TextFieldProps, "value" | "onChange" | "rightSection"> {
  data: readonly SelectOption[];
  value: string | null;
  onChange: (value: string) => void;
  /** Typing narrows the list; without it typed letters jump to the line that starts so. */
  searchable?: boolean;
  nothingFoundMessage?: string;
  /** At most this many lines; more typing finds the rest. */
  limit?: number;
  filter?: (given: { options: SelectOption[]; search: string; limit: number }) => SelectOption[];
}

const containing: NonNullable<SelectProps["filter"]> = ({ options, search }) =>
  options.filter(({ label }) => foldText(label).includes(foldText(search.trim())));

/** One out of a list: a field, the lines below it, arrows, Enter, Escape. */
export function Select(props: SelectProps) {
  const {
    data,
    value,
    onChange,
    searchable = false,
    nothingFoundMessage = "Nada encontrado",
    limit = Number.POSITIVE_INFINITY,
    filter = containing,
    disabled = false,
    onBlur,
    ...rest
  } = props;
  const listId = useId();
  const frame = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [opened, setOpened] = useState(false);
  /** What is being typed; null shows the choice. */
  const [search, setSearch] = useState<string | null>(null);
  const [at, setAt] = useState(0);

  const chosen = data.find((option) => option.value === value);
  const all = [...data];
  const found = search ? filter({ options: all, search, limit }) : all;
  const lines = found.slice(0, limit);
  const current = lines[Math.min(at, lines.length - 1)];

  useEffect(() => {
    if (opened) list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView?.({ block: "nearest" });
  });

  function open() {
    if (disabled || opened) return;
    setAt(Math.max(0, lines.indexOf(chosen as SelectOption)));
    setOpened(true);
  }
  function close() {
    setOpened(false);
    setSearch(null);
  }
  function choose(option: SelectOption) {
    close();
    if (option.value !== value) onChange(option.value);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      if (opened) setAt((Math.min(at, lines.length - 1) + step + lines.length) % Math.max(1, lines.length));
      else open();
    } else if (event.key === "Enter" && opened) {
      event.preventDefault();
      if (current) choose(current);
    } else if (!searchable && event.key === " ") {
      event.preventDefault();
      if (opened && current) choose(current);
      else open();
    } else if (!searchable && event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const next = lines.findIndex(({ label }) => foldText(label).startsWith(foldText(event.key)));
      if (next >= 0) setAt(next);
      setOpened(true);
    }
  }
  return (
    <div ref={frame} className={`${styles.frame} ${rest.className ?? ""}`}>
      <TextField
        {...rest}
        className=""
        ref={field}
        role="combobox"
        aria-expanded={opened}
        aria-haspopup="listbox"
        aria-controls={opened ? listId : undefined}
        aria-activedescendant={opened && current ? `${listId}-${lines.indexOf(current)}` : undefined}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        readOnly={!searchable}
        value={search ?? chosen?.label ?? ""}
        rightSection={<IconSelector size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        onClick={open}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setAt(0);
          setOpened(true);
        }}
        onFocus={(event) => searchable && event.currentTarget.select()}
        onBlur={(event) => {
          close();
          onBlur?.(event);
        }}
      />
      {opened ? (
        <Popover anchor={field} onClose={close} className={styles.panel ?? ""}>
          <div
            ref={list}
            id={listId}
            role="listbox"
            aria-label={typeof rest.label === "string" ? rest.label : "Opções"}
            tabIndex={-1}
            // The field keeps the focus while the pointer chooses.
            onMouseDown={(event) => event.preventDefault()}
          >
            {lines.map((option, index) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys for the whole list
              <div
                key={option.value}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={option === current}
                className={styles.line}
                onPointerMove={() => setAt(index)}
                onClick={() => choose(option)}
              >
                <span className="cut">{option.label}</span>
                {option.value === value ? <IconCheck size={16} aria-hidden /> : null}
              </div>
            ))}
          </div>
          {lines.length === 0 ? (
            <p className={styles.none} role="status">
              {nothingFoundMessage}
            </p>
          ) : null}
        </Popover>
      ) : null}
    </div>
  );
}
