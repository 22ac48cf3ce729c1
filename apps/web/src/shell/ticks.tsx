import type { Check } from "@malote/contracts/checks";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { formatMoney } from "../ui/format.ts";
import { Findings } from "./findings.tsx";
import styles from "./ticks.module.css";

type Ticks = Pick<Check, "kind" | "fingerprint">[];

/**
 * Opens above any dialog and returns the confirmations to repeat the refused call with; undefined when the person
 * closes it.
 */
export function askForTicks(checks: readonly Check[]): Promise<Ticks | undefined> {
  return new Promise((resolve) => {
    const place = document.createElement("div");
    document.body.append(place);
    const root = createRoot(place);
    root.render(
      <TicksDialog
        checks={checks}
        onAnswer={(ticks) => {
          root.unmount();
          place.remove();
          resolve(ticks);
        }}
      />,
    );
  });
}

interface TicksDialogProps {
  checks: readonly Check[];
  onAnswer: (ticks: Ticks | undefined) => void;
}

function TicksDialog({ checks, onAnswer }: TicksDialogProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const isAll = checks.every(({ kind }) => ticked.has(kind));
  function toggle(kind: string, on: boolean) {
    const next = new Set(ticked);
    if (on) next.add(kind);
    else next.delete(kind);
    setTicked(next);
  }
  return (
    <Dialog
      opened
      size="lg"
      title="Confira antes de enviar"
      onClose={() => onAnswer(undefined)}
      actions={
        <>
          <Button onClick={() => onAnswer(undefined)}>Voltar</Button>
          <Button
            look="primary"
            disabled={!isAll}
            onClick={() => onAnswer(checks.map(({ kind, fingerprint }) => ({ kind, fingerprint })))}
          >
            Enviar assim mesmo
          </Button>
        </>
      }
    >
      <p className="muted">O que você marcar fica registrado com o seu nome, o dia e a hora.</p>
      <ul className={styles.checks}>
        {checks.map((check) => (
          <li key={check.kind} className={styles.check}>
            <h3>
              {check.title} · <span className="num">{formatMoney(check.value)}</span>
            </h3>
            <Findings check={check} />
            <label className={styles.tick}>
              <input
                type="checkbox"
                checked={ticked.has(check.kind)}
                onChange={(event) => toggle(check.kind, event.currentTarget.checked)}
              />
              Conferi e quero seguir
              <span className="sr-only">: {check.title}</span>
            </label>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
