import type { BodyOf } from "@malote/contracts/contract";
import type { announceInfraction, reportInfraction } from "@malote/contracts/simulator-payins";
import { type SituationType, situationNames } from "@malote/domain/infraction";
import { endToEndIdShownMax } from "@malote/domain/limits";
import { shorten } from "@malote/domain/shorten";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDateTime, formatMoney } from "../ui/format.ts";
import { Select } from "../ui/select.tsx";
import { type NamedLook, StatusPill } from "../ui/status-pill.tsx";
import { TextField } from "../ui/text-field.tsx";
import { toast } from "../ui/toasts.tsx";
import {
  type SimulatedInfractions,
  simulatedInfractionsQuery,
  useAnnounceInfraction,
  useReportInfraction,
} from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

type Reported = SimulatedInfractions["reported"][number];

const lastEventLooks: Readonly<Record<Reported["last_event"], NamedLook>> = {
  reported: { name: "Aberta", color: "yellow", shape: "ring" },
  contested_by_email: { name: "Contestada por e-mail", color: "yellow", shape: "dot" },
  agreed: { name: "Procedente", color: "red", shape: "dot" },
  disagreed: { name: "Improcedente", color: "green", shape: "check" },
  canceled: { name: "Cancelada", color: "grey", shape: "dash" },
};

const answers: Readonly<Record<string, string>> = {
  accepted: "Aprovada",
  rejected: "Reprovada",
  delayed: "Sem resposta no prazo",
};

const reports: readonly { kind: BodyOf<typeof announceInfraction>["kind"]; label: string }[] = [
  { kind: "contested_by_email", label: "Contestada por e-mail" },
  { kind: "agreed", label: "Procedente" },
  { kind: "disagreed", label: "Improcedente" },
  { kind: "canceled", label: "Cancelar" },
];

const situations = (Object.entries(situationNames) as [SituationType, string][])
  .filter(([value]) => value !== "unknown")
  .map(([value, label]) => ({ value, label }));

/** The provider, which passes fraud reports to the central bank's system. */
export function InfractionsPanel() {
  const found = useQuery(simulatedInfractionsQuery);
  const announce = useAnnounceInfraction();
  const columns: readonly Column<Reported>[] = [
    {
      id: "pix",
      heading: "Pix",
      onPhone: "title",
      width: 1.3,
      cell: ({ end_to_end_id }) => (
        <span title={end_to_end_id} className="num">
          {shorten(end_to_end_id, endToEndIdShownMax)}
          {end_to_end_id.slice(-4)}
        </span>
      ),
    },
    { id: "date", heading: "Aberta em", width: 1.4, cell: ({ reported_at }) => formatDateTime(reported_at) },
    {
      id: "answer",
      heading: "Resposta da empresa",
      width: 2,
      cell: ({ answer }) =>
        answer
          ? [answers[answer.analysis] ?? answer.analysis, answer.description, answer.file_name]
              .filter(Boolean)
              .join(" · ")
          : "–",
    },
    {
      id: "last_event",
      heading: "Situação",
      width: 1.6,
      cell: ({ last_event }) => (
        <StatusPill color={lastEventLooks[last_event].color} shape={lastEventLooks[last_event].shape}>
          {lastEventLooks[last_event].name}
        </StatusPill>
      ),
    },
    {
      id: "report",
      heading: <span className="sr-only">Avisar</span>,
      width: 3,
      cell: (infraction) => (
        <span className={styles.buttons}>
          {reports.map(({ kind, label }) =>
            infraction.last_event === "reported" ||
            (infraction.last_event === "contested_by_email" && kind !== infraction.last_event) ? (
              <Button
                key={kind}
                size="sm"
                disabled={announce.isPending}
                aria-label={`${label}: infração do Pix ${infraction.end_to_end_id}`}
                onClick={() => announce.mutate({ id: infraction.id, kind })}
              >
                {label}
              </Button>
            ) : null,
          )}
        </span>
      ),
    },
  ];
  const { data } = found;
  return (
    <Panel
      id="infracoes"
      title="Infrações (MED)"
      help="Contesta um Pix que uma empresa recebeu, e dá o parecer. Quem aprova ou deixa o prazo passar é procedente na hora."
    >
      {found.isError ? <p role="alert">{errorSentence(found.error)}</p> : null}
      {data?.received.length === 0 ? (
        <p className="muted">Nenhum Pix recebido ainda: envie um a uma empresa, acima.</p>
      ) : null}
      {data && data.received.length > 0 ? <ReportForm received={data.received} /> : null}
      {data && data.reported.length > 0 ? (
        <DataTable
          caption="Infrações abertas"
          columns={columns}
          rows={data.reported}
          keyOf={({ id }) => id}
        />
      ) : null}
    </Panel>
  );
}

function ReportForm({ received }: { received: SimulatedInfractions["received"] }) {
  const report = useReportInfraction();
  const [chosen, setChosen] = useState<string>();
  const [situation, setSituation] = useState<SituationType>("scam");
  const [description, setDescription] = useState("");
  const pix = chosen ?? received[0]?.end_to_end_id ?? "";

  function submit(event: FormEvent) {
    event.preventDefault();
    const body: BodyOf<typeof reportInfraction> = {
      end_to_end_id: pix,
      situation_type: situation,
      ...(description.trim() && { description: description.trim() }),
    };
    report.mutate(body, {
      onSuccess: () => {
        setDescription("");
        toast.good("Pix contestado.");
      },
    });
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <div className={styles.rails}>
        <Select
          label="Pix recebido"
          value={pix}
          data={received.map((one) => ({
            value: one.end_to_end_id,
            label: `${formatMoney(one.value)} de ${one.payer_name} a ${one.company}, ${formatDateTime(one.received_at)}`,
          }))}
          onChange={setChosen}
        />
        <Select
          label="Tipo"
          value={situation}
          data={situations}
          onChange={(value) => setSituation(value as SituationType)}
        />
        <TextField
          label="O que o pagador disse"
          maxLength={2_000}
          value={description}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </div>
      <div className={styles.end}>
        <Button type="submit" size="sm" busy={report.isPending}>
          Contestar Pix
        </Button>
      </div>
    </form>
  );
}
