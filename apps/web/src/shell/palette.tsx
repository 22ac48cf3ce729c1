import { readCompanySettings } from "@malote/contracts/company";
import { IconArrowRight, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { ModalLayer } from "../ui/modal-layer.tsx";
import { companySettingsQuery } from "./balance.ts";
import type { Command, Feature } from "./feature.ts";
import { matchCommands } from "./match-commands.ts";
import styles from "./palette.module.css";
import { pathOf } from "./routes.ts";
import { may, type Session } from "./session.ts";
import { leadEntries, visibleEntries } from "./sidebar.tsx";

interface PaletteProps {
  features: readonly Feature[];
  session: Session;
  onClose: () => void;
}

/** Command palette: opens a page, finds a batch or starts an action by one field, arrows and Enter. */
export default function Palette({ features, session, onClose }: PaletteProps) {
  const navigate = useNavigate();
  const listId = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const wanted = text.trim();

  const pages: Command[] = [
    ...leadEntries(features, session),
    ...[...visibleEntries(features, session).values()].flat(),
  ].map(({ to, label, icon }) => ({ id: to, label, to: pathOf(to), icon }));
  const settings = useQuery({ ...companySettingsQuery, enabled: may(readCompanySettings, session) });
  const actions = features
    .flatMap((feature) => feature.commands ?? [])
    .filter(({ shows }) => shows?.(session, settings.data) ?? true);
  const searches = features
    .flatMap((feature) => feature.searches ?? [])
    .filter(({ shows }) => shows?.(session) ?? true);
  const found = useQuery({
    queryKey: ["palette", wanted],
    enabled: wanted.length >= 2,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      Promise.all(
        searches.map(async ({ heading, find }) => ({ heading, commands: await find(wanted, signal) })),
      ),
  });

  const sections = [
    { heading: "Ir para", commands: matchCommands(pages, wanted) },
    { heading: "Ações", commands: matchCommands(actions, wanted) },
    ...(wanted.length >= 2 ? (found.data ?? []) : []),
  ].filter(({ commands }) => commands.length > 0);
  const lines = sections.flatMap(({ commands }) => commands);
  const current = lines[Math.min(at, lines.length - 1)];

  function choose(command: Command) {
    onClose();
    if (command.to) void navigate({ href: command.to });
    command.run?.();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setAt(
        (before) => (Math.min(before, lines.length - 1) + step + lines.length) % Math.max(1, lines.length),
      );
    }
    if (event.key === "Enter" && current) {
      event.preventDefault();
      choose(current);
    }
  }
  return (
    <ModalLayer onClose={onClose} place="top" className={styles.palette} label="Buscar ou ir para">
      <div className={styles.field}>
        <IconSearch size={20} aria-hidden />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={current ? `${listId}-${current.id}` : undefined}
          aria-label="Buscar lote ou ir para uma página"
          placeholder="Buscar lote ou ir para uma página"
          data-autofocus
          value={text}
          onKeyDown={onKeyDown}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <div id={listId} role="listbox" aria-label="Resultados" className={styles.list} tabIndex={-1}>
        {sections.map(({ heading, commands }) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options inside a listbox has no element of its own
          <div key={heading} role="group" aria-label={heading}>
            <div className={styles.heading} aria-hidden>
              {heading}
            </div>
            {commands.map((command) => {
              const Icon = command.icon ?? IconArrowRight;
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the field above handles the keys for the whole list
                <div
                  key={command.id}
                  id={`${listId}-${command.id}`}
                  role="option"
                  tabIndex={-1}
                  aria-selected={command === current}
                  className={styles.line}
                  onPointerMove={() => setAt(lines.indexOf(command))}
                  onClick={() => choose(command)}
                >
                  <Icon size={18} stroke={1.6} aria-hidden />
                  <span className="cut">{command.label}</span>
                  {command.hint ? <span className="small faint num">{command.hint}</span> : null}
                </div>
              );
            })}
          </div>
        ))}
        {lines.length === 0 ? (
          <p className={styles.none} role="status">
            {found.isFetching ? "Buscando…" : `Nada encontrado para “${wanted}”.`}
          </p>
        ) : null}
      </div>
    </ModalLayer>
  );
}
