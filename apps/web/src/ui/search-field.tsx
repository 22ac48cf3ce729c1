import { IconSearch, IconX } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { IconButton } from "./button.tsx";
import { TextField } from "./text-field.tsx";
import { useDebounced } from "./use-debounced.ts";

interface SearchFieldProps {
  label: string;
  value: string;
  /** Called when typing pauses, at once on Enter or when cleared. */
  onSearch: (text: string) => void;
  placeholder?: string;
  maxLength?: number;
  /** Pause in typing, in milliseconds. */
  pauseMs?: number;
  className?: string;
}

const typingPauseMs = 300;

/** `/` moves the focus here (see shell/keyboard.ts). */
export function SearchField({
  label,
  value,
  onSearch,
  placeholder = label,
  maxLength = 100,
  pauseMs = typingPauseMs,
  className,
}: SearchFieldProps) {
  const [text, setText] = useState(value);
  const paused = useDebounced(text, pauseMs);
  const sent = useRef(value);

  // The address bar changed elsewhere (Back, or "limpar filtros"): shows its value.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);

  // Skips a value that Enter, the clear button or the address has set already.
  const sendPaused = useEffectEvent((typed: string) => {
    if (typed.trim() !== sent.current.trim()) send(typed);
  });
  useEffect(() => sendPaused(paused), [paused]);

  function send(next: string) {
    sent.current = next.trim();
    onSearch(next.trim());
  }
  return (
    <TextField
      role="searchbox"
      aria-label={label}
      placeholder={placeholder}
      data-search-field
      className={className ?? ""}
      maxLength={maxLength}
      value={text}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        text ? (
          <IconButton
            label="Limpar busca"
            onClick={() => {
              setText("");
              send("");
            }}
          >
            <IconX size={16} aria-hidden />
          </IconButton>
        ) : null
      }
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === "Enter") send(text);
      }}
    />
  );
}
