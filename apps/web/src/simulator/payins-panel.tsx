import { useQuery } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDateTime } from "../ui/format.ts";
import { MoneyInput } from "../ui/money-input.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { Select } from "../ui/select.tsx";
import { toast } from "../ui/toasts.tsx";
import {
  type SimulatedCharge,
  type SimulatedPix,
  type SimulatorState,
  simulatedPayinsQuery,
  useBlockPix,
  useEndPixBlock,
  usePayCharge,
  useSendTed,
} from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

const methodNames = { pix: "Pix", boleto: "Boleto" } as const;

/** Payers, other banks, and the Pix system with its suspicions. */
export function PayinsPanel({ companies }: Pick<SimulatorState, "companies">) {
  const payins = useQuery(simulatedPayinsQuery);
  return (
    <Panel
      id="recebimentos"
      title="Recebimentos"
      help="Pague as cobranças das empresas, envie uma TED de fora ou bloqueie um Pix por cautela. Uma TED chega em dia útil até 16h30; um boleto pago depois de 13h30, no dia útil seguinte; um bloqueio acaba sozinho em 72 horas."
    >
      {payins.isError ? <p role="alert">{errorSentence(payins.error)}</p> : null}
      <TedForm companies={companies} />
      {payins.data ? (
        <>
          <Charges charges={payins.data.charges} />
          <ReceivedPix received={payins.data.received_pix} />
        </>
      ) : null}
    </Panel>
  );
}

function TedForm({ companies }: Pick<SimulatorState, "companies">) {
  const send = useSendTed();
  const [chosen, setChosen] = useState<string | null>(null);
  const [value, setValue] = useState<number | null>(null);
  const company = chosen ?? companies[0]?.id ?? null;
  function onSubmit(event: SyntheticEvent) {
    event.preventDefault();
    if (!company || !value) return;
    send.mutate(
      { company_id: company, value },
      { onSuccess: ({ arrives_at: at }) => toast.good(`A TED chega em ${formatDateTime(at)}`) },
    );
  }
  return (
    <form className={`${styles.buttons} ${styles.ted}`} onSubmit={onSubmit}>
      <Select
        aria-label="Empresa que recebe a TED"
        data={companies.map(({ id, name }) => ({ value: id, label: name }))}
        value={company}
        onChange={setChosen}
      />
      <MoneyInput aria-label="Valor da TED" value={value} onChange={setValue} />
      <Button type="submit" busy={send.isPending} disabled={!company || !value}>
        Enviar TED
      </Button>
    </form>
  );
}

function Charges({ charges }: { charges: readonly SimulatedCharge[] }) {
  const pay = usePayCharge();
  if (charges.length === 0) return <p className="muted">Nenhuma cobrança espera pagamento.</p>;
  const columns: Column<SimulatedCharge>[] = [
    { id: "company", heading: "Empresa", cell: ({ company }) => company.name, onPhone: "title", width: 2 },
    { id: "payer", heading: "Pagador", cell: ({ payer_name: name }) => name, width: 2 },
    { id: "method", heading: "Método", cell: ({ method }) => methodNames[method] },
    { id: "amount", heading: "Valor", numeric: true, cell: ({ amount }) => <MoneyText cents={amount} /> },
    { id: "until", heading: "Até", cell: ({ expires_at: at }) => formatDateTime(at), width: 1.5 },
    {
      id: "pay",
      heading: <span className="sr-only">Pagar</span>,
      cell: ({ id, payer_name: name }) => (
        <Button
          size="sm"
          disabled={pay.isPending}
          aria-label={`Pagar a cobrança de ${name}`}
          onClick={() => pay.mutate(id)}
        >
          Pagar
        </Button>
      ),
    },
  ];
  return (
    <DataTable
      caption="Cobranças que podem ser pagas"
      columns={columns}
      rows={charges}
      keyOf={({ id }) => id}
    />
  );
}

function ReceivedPix({ received }: { received: readonly SimulatedPix[] }) {
  const block = useBlockPix();
  const end = useEndPixBlock();
  if (received.length === 0) return null;
  const busy = block.isPending || end.isPending;
  const columns: Column<SimulatedPix>[] = [
    { id: "company", heading: "Empresa", cell: ({ company }) => company.name, onPhone: "title", width: 2 },
    { id: "payer", heading: "Pagador", cell: ({ payer_name: name }) => name ?? "—", width: 2 },
    { id: "amount", heading: "Valor", numeric: true, cell: ({ amount }) => <MoneyText cents={amount} /> },
    {
      id: "block",
      heading: <span className="sr-only">Bloqueio</span>,
      width: 2.5,
      cell: ({
        company,
        end_to_end_id,
        is_blocked: isBlocked,
        was_blocked: wasBlocked,
        payer_name: name,
      }) => {
        const pix = { company_id: company.id, end_to_end_id };
        const of = `o Pix de ${name ?? "um pagador"}`;
        if (!isBlocked) {
          return wasBlocked ? (
            <span className="small muted">Já foi bloqueado</span>
          ) : (
            <Button size="sm" disabled={busy} aria-label={`Bloquear ${of}`} onClick={() => block.mutate(pix)}>
              Bloquear
            </Button>
          );
        }
        return (
          <span className={styles.buttons}>
            <Button
              size="sm"
              disabled={busy}
              aria-label={`Liberar ${of}`}
              onClick={() => end.mutate({ ...pix, outcome: "released" })}
            >
              Liberar
            </Button>
            <Button
              size="sm"
              disabled={busy}
              aria-label={`Devolver ${of}`}
              onClick={() => end.mutate({ ...pix, outcome: "returned" })}
            >
              Devolver
            </Button>
            <Button
              size="sm"
              disabled={busy}
              aria-label={`Manter bloqueado ${of}`}
              onClick={() => end.mutate({ ...pix, outcome: "kept" })}
            >
              Manter
            </Button>
          </span>
        );
      },
    },
  ];
  return (
    <DataTable
      caption="Últimos Pix recebidos"
      columns={columns}
      rows={received}
      keyOf={({ end_to_end_id: id }) => id}
    />
  );
}
