import { type KeyboardEvent, useId, useRef, useState } from "react";
import { ListBox, type ListLine, lineId, stepped } from "./list-box.tsx";
import { TextField, type TextFieldProps } from "./text-field.tsx";

interface SuggestFieldProps extends Omit<TextFieldProps, "value" | "onChange"> {
  value: string;
  onChange: (text: string) => void;
  /** Results for the text; undefined while there is nothing to search for. */
  found: readonly ListLine[] | undefined;
  onChoose: (value: string) => void;
  /** Name of the list of results. */
  listLabel: string;
  /** Shown while nothing is found. */
  nothing: string;
}

/** Free text with results below it; the caller handles a choice. */
export function SuggestField(props: SuggestFieldProps) {
  const { value, onChange, found, onChoose, listLabel, nothing, onBlur, ...rest } = props;
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [wanted, setWanted] = useState(false);
  const [pointed, setPointed] = useState(-1);
  const lines = found ?? [];
  const opened = wanted && found !== undefined;
  const at = Math.min(pointed, lines.length - 1);
  const current = opened ? lines[at] : undefined;

  function choose(next: string) {
    setWanted(false);
    setPointed(-1);
    onChoose(next);
  }
  function onKeyDown(event: KeyboardEvent) {
    if (!opened) return;
    const next = stepped(at === -1 && event.key === "ArrowUp" ? 0 : at, event.key, lines.length);
    if (next !== undefined) {
      event.preventDefault();
      setPointed(next);
    }
    if (event.key === "Enter" && current) {
      event.preventDefault();
      choose(current.value);
    }
  }
  return (
    <>
      <TextField
        {...rest}
        ref={field}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={opened}
        aria-haspopup="listbox"
        aria-controls={opened ? listId : undefined}
        aria-activedescendant={current && lineId(listId, at)}
        autoComplete="off"
        value={value}
        onKeyDown={onKeyDown}
        onFocus={() => setWanted(true)}
        onChange={(event) => {
          onChange(event.currentTarget.value);
          setPointed(-1);
          setWanted(true);
        }}
        onBlur={(event) => {
          setWanted(false);
          onBlur?.(event);
        }}
      />
      {opened ? (
        <ListBox
          id={listId}
          label={listLabel}
          field={field}
          lines={lines}
          at={at}
          onPoint={setPointed}
          onChoose={choose}
          onClose={() => setWanted(false)}
          nothing={nothing}
        />
      ) : null}
    </>
  );
}
