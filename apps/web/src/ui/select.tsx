import { foldText } from "@malote/domain/fold-text";
import { IconSelector } from "@tabler/icons-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { ListBox, lineId, stepped } from "./list-box.tsx";
import { TextField, type TextFieldProps } from "./text-field.tsx";

export interface SelectOption {
  value: string;
  label: string;
}

export interface SelectProps extends Omit<TextFieldProps, "value" | "onChange" | "rightSection"> {
  data: readonly SelectOption[];
  value: string | null;
  onChange: (value: string) => void;
  /** Typing narrows the list; without it a typed character moves to the line that starts with it. */
  searchable?: boolean;
  nothingFoundMessage?: string;
  /** Maximum number of lines; more typing finds the rest. */
  limit?: number;
  filter?: (given: { options: SelectOption[]; search: string; limit: number }) => SelectOption[];
}

const containing: NonNullable<SelectProps["filter"]> = ({ options, search }) =>
  options.filter(({ label }) => foldText(label).includes(foldText(search.trim())));

/** One choice out of a list: a field, the lines below it, arrows, Enter, Escape. */
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
  const field = useRef<HTMLInputElement>(null);
  const [opened, setOpened] = useState(false);
  /** Text being typed; null shows the choice. */
  const [search, setSearch] = useState<string | null>(null);
  const [pointed, setPointed] = useState(0);

  const chosen = data.find((option) => option.value === value);
  const found = search ? filter({ options: [...data], search, limit }) : data;
  const lines = found.slice(0, limit);
  const at = Math.min(pointed, lines.length - 1);
  const current = opened ? lines[at] : undefined;

  function open() {
    if (disabled || opened) return;
    setPointed(Math.max(0, chosen ? lines.indexOf(chosen) : 0));
    setOpened(true);
  }
  function close() {
    setOpened(false);
    setSearch(null);
  }
  function choose(next: string) {
    close();
    if (next !== value) onChange(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    const isCharacter = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (opened) setPointed(stepped(at, event.key, lines.length) ?? 0);
      else open();
    } else if (opened && (event.key === "Enter" || (event.key === " " && !searchable))) {
      event.preventDefault();
      if (current) choose(current.value);
    } else if (isCharacter && !searchable) {
      event.preventDefault();
      open();
      const character = foldText(event.key);
      const next = lines.findIndex(({ label }) => character !== "" && foldText(label).startsWith(character));
      if (next >= 0) setPointed(next);
    }
  }
  return (
    <>
      <TextField
        {...rest}
        ref={field}
        role="combobox"
        aria-expanded={opened}
        aria-haspopup="listbox"
        aria-controls={opened ? listId : undefined}
        aria-activedescendant={current && lineId(listId, at)}
        autoComplete="off"
        spellCheck={false}
        disabled={disabled}
        readOnly={!searchable}
        value={search ?? chosen?.label ?? ""}
        rightSection={<IconSelector size={16} aria-hidden />}
        onClick={open}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setPointed(0);
          setOpened(true);
        }}
        onFocus={(event) => searchable && event.currentTarget.select()}
        onBlur={(event) => {
          close();
          onBlur?.(event);
        }}
      />
      {opened ? (
        <ListBox
          id={listId}
          label={typeof rest.label === "string" ? rest.label : "Opções"}
          field={field}
          lines={lines}
          at={at}
          onPoint={setPointed}
          onChoose={choose}
          onClose={close}
          chosen={value}
          nothing={nothingFoundMessage}
        />
      ) : null}
    </>
  );
}
