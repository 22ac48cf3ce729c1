import { foldText } from "@malote/domain/fold-text";
import { useState } from "react";
import { CopyButton } from "../ui/copy-button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { SearchField } from "../ui/search-field.tsx";
import type { SimulatorState } from "./api.ts";
import { Panel } from "./panel.tsx";
import styles from "./simulator.module.css";

type MagicValue = SimulatorState["magic_values"][number];

const columns: readonly Column<MagicValue>[] = [
  { id: "kind", heading: "Onde usar", width: 28, cell: ({ kind }) => kind },
  {
    id: "value",
    heading: "Valor",
    width: 36,
    onPhone: "title",
    cell: ({ value }) => (
      <span className={styles.copyable}>
        <code>{value}</code>
        <CopyButton text={value} label={`Copiar ${value}`} />
      </span>
    ),
  },
  { id: "outcome", heading: "O que acontece", width: 36, cell: ({ outcome }) => outcome },
];

/** Receivers and keys to which the simulator reacts specially; any other payment succeeds. */
export function MagicPanel({ values }: { values: readonly MagicValue[] }) {
  const [search, setSearch] = useState("");
  const wanted = foldText(search);
  const shown = values.filter(({ kind, value, outcome }) =>
    foldText(`${kind} ${value} ${outcome}`).includes(wanted),
  );
  return (
    <Panel
      id="magicos"
      title="Valores mágicos"
      help="Pague um destes recebedores e veja o que acontece. Todos os outros pagamentos dão certo."
      end={<SearchField label="Buscar valor ou efeito" value={search} onSearch={setSearch} />}
    >
      <div className={styles.magic}>
        <DataTable
          caption="Valores mágicos"
          columns={columns}
          rows={shown}
          keyOf={({ kind, value }) => `${kind} ${value}`}
          empty={<p className={styles.nothing}>Nada com este texto.</p>}
        />
      </div>
    </Panel>
  );
}
