import { formatDate, isBusinessDay, parseDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { monthAfter } from "@malote/domain/invoice";
import { useEffect, useState } from "react";
import { Button } from "../ui/button.tsx";
import { counted } from "../ui/format.ts";
import { StatusPill } from "../ui/status-pill.tsx";
import { toast } from "../ui/toasts.tsx";
import { type SimulatorState, useMoveClock, useRunPending } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

const hourMs = 3_600_000;
type Move = Parameters<ReturnType<typeof useMoveClock>["mutate"]>[0];

const moves: readonly { label: string; move: Move }[] = [
  { label: "Próximo dia útil, 8h", move: { to: "next_business_day" } },
  { label: "Ir para as 16:31", move: { time: "16:31" } },
  { label: "Avançar 1 hora", move: { advance_ms: hourMs } },
  { label: "Avançar 1 dia", move: { advance_ms: 24 * hourMs } },
];

const weekdays = [
  "domingo",
  "segunda-feira",
  "terça-feira",
  "quarta-feira",
  "quinta-feira",
  "sexta-feira",
  "sábado",
];

/** Clock of the simulator, which keeps ticking between two answers of the server. */
function useTicking(now: string): Date {
  const [seenAt, setSeenAt] = useState(() => ({ now, at: Date.now() }));
  const [, tick] = useState(0);
  if (seenAt.now !== now) setSeenAt({ now, at: Date.now() });
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 1_000);
    return () => clearInterval(timer);
  }, []);
  return new Date(Date.parse(seenAt.now) + (Date.now() - seenAt.at));
}

export function ClockPanel({ state }: { state: SimulatorState }) {
  const moment = useTicking(state.now);
  const move = useMoveClock();
  const runPending = useRunPending();
  const [time, setTime] = useState("");
  const day = saoPauloDate(moment);
  const weekday = weekdays[new Date(`${parseDate(day)}T12:00:00Z`).getUTCDay()];

  return (
    <Panel
      id="relogio"
      title="Relógio"
      help="Só anda para a frente, e faz acontecer tudo que estava marcado até lá. Só Recomeçar, que apaga tudo, volta à hora real."
      end={
        <StatusPill color={state.clock_moved ? "yellow" : "green"}>
          {state.clock_moved ? "adiantado" : "hora real"}
        </StatusPill>
      }
    >
      <div>
        <div className={`num ${styles.time}`}>{saoPauloTime(moment).slice(0, 8)}</div>
        <div className="muted">
          {weekday}, {formatDate(day)} · {isBusinessDay(day) ? "dia útil" : "sem compensação bancária"} ·
          horário de São Paulo
        </div>
      </div>
      <div className={styles.buttons}>
        {moves.map(({ label, move: to }) => (
          <Button key={label} size="sm" disabled={move.isPending} onClick={() => move.mutate(to)}>
            {label}
          </Button>
        ))}
        <Button
          size="sm"
          disabled={move.isPending}
          // At six the last month is closed, and charged.
          onClick={() => move.mutate({ instant: `${monthAfter(day)}T11:00:00.000Z` })}
        >
          Próximo mês, dia 1º às 8h
        </Button>
      </div>
      <form
        className={styles.inline}
        onSubmit={(event) => {
          event.preventDefault();
          if (time) move.mutate({ time }, { onSuccess: () => setTime("") });
        }}
      >
        <label htmlFor="hora">Ir para as</label>
        <input
          id="hora"
          type="time"
          className={styles.input}
          value={time}
          onChange={(event) => setTime(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" disabled={!time || move.isPending}>
          Mover relógio
        </Button>
      </form>
      <div className={styles.flight}>
        <span>
          <b className="num">{counted(state.in_flight, "pagamento", "pagamentos")}</b> em andamento na rede
        </span>
        <Button
          size="sm"
          busy={runPending.isPending}
          onClick={() =>
            runPending.mutate(undefined, {
              onSuccess: ({ delivered }) =>
                toast.good(`${counted(delivered, "aviso entregue", "avisos entregues")} pela rede.`),
            })
          }
        >
          Entregar agora
        </Button>
      </div>
    </Panel>
  );
}
