import { type FormEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import { type RailSettings, useChangeRails } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

const fields: readonly {
  name: keyof RailSettings;
  label: string;
  help: string;
  max: number;
  isWhole?: true;
}[] = [
  {
    name: "pix_latency_ms",
    label: "Tempo de um Pix (ms)",
    help: "Até ser pago",
    max: 3_600_000,
    isWhole: true,
  },
  { name: "failure_percent", label: "Falhas (%)", help: "Pagamentos recusados sem motivo próprio", max: 100 },
  {
    name: "timeout_percent",
    label: "Sem resposta (%)",
    help: "Chamadas que talvez tenham sido feitas",
    max: 100,
  },
  { name: "duplicate_percent", label: "Avisos repetidos (%)", help: "Entregues duas vezes", max: 100 },
];

/** Parses `0,5` and `0.5` alike; undefined for a text that is no valid number of the field. */
function readNumber(text: string, max: number, isWhole = false): number | undefined {
  if (!/^\d+([.,]\d+)?$/.test(text.trim())) return undefined;
  const number = Number(text.trim().replace(",", "."));
  return number <= max && !(isWhole && !Number.isInteger(number)) ? number : undefined;
}

export function RailsPanel({ rails }: { rails: RailSettings }) {
  /** Typed values only; the others come from the network. */
  const [typed, setTyped] = useState<Partial<Record<keyof RailSettings, string>>>({});
  const change = useChangeRails();
  const problemOf = ({ name, max, isWhole }: (typeof fields)[number]) =>
    typed[name] !== undefined && readNumber(typed[name], max, isWhole) === undefined
      ? `Um número de 0 a ${max.toLocaleString("pt-BR")}`
      : undefined;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (change.isPending || fields.some(problemOf)) return;
    const changed = fields.flatMap(({ name, max, isWhole }) =>
      typed[name] === undefined ? [] : [[name, readNumber(typed[name], max, isWhole)]],
    );
    change.mutate(Object.fromEntries(changed), {
      onSuccess: () => {
        setTyped({});
        toast.good("Rede ajustada.");
      },
    });
  }
  return (
    <Panel id="rede" title="Rede de pagamentos" help="Vale para os próximos pagamentos.">
      <form className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.rails}>
          {fields.map((field) => (
            <TextField
              key={field.name}
              label={field.label}
              description={field.help}
              inputMode="decimal"
              value={typed[field.name] ?? String(rails[field.name]).replace(".", ",")}
              error={problemOf(field)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                setTyped((before) => ({ ...before, [field.name]: value }));
              }}
            />
          ))}
        </div>
        <div className={styles.end}>
          <Button type="submit" size="sm" busy={change.isPending} disabled={Object.keys(typed).length === 0}>
            Ajustar rede
          </Button>
        </div>
      </form>
    </Panel>
  );
}
