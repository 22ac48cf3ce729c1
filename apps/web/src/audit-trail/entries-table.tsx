import type { AuditEntry } from "@malote/contracts/audit-trail";
import { auditActions, auditObjects } from "@malote/domain/audit-trail";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDateTime } from "../ui/format.ts";
import styles from "./audit-trail.module.css";
import { isWholeId } from "./search.ts";

interface EntriesTableProps {
  entries: readonly AuditEntry[];
  refetching: boolean;
  /** Filters the list by the object of this entry. */
  onSubject: (id: string) => void;
}

const actionOf = (action: string): string =>
  Object.hasOwn(auditActions, action) ? auditActions[action as keyof typeof auditActions].label : action;

const kinds = { user: null, machine: "Credencial de API", system: "Sistema" } as const;

export function EntriesTable({ entries, refetching, onSubject }: EntriesTableProps) {
  const columns: Column<AuditEntry>[] = [
    {
      id: "what",
      heading: "O que foi feito",
      onPhone: "title",
      width: 26,
      cell: (entry) => (
        <span className={styles.what}>
          <span className={styles.action}>{actionOf(entry.action)}</span>
          {entry.object ? (
            <span className="small muted">
              {auditObjects[entry.object]}
              {entry.subject_id && isWholeId(entry.subject_id) ? (
                <>
                  {" "}
                  <button
                    type="button"
                    className={styles.subject}
                    title={entry.subject_id}
                    aria-label={`Ver tudo sobre ${auditObjects[entry.object]} ${entry.subject_name ?? shortOf(entry.subject_id)}`}
                    onClick={() => onSubject(entry.subject_id ?? "")}
                  >
                    {entry.subject_name ?? shortOf(entry.subject_id)}
                  </button>
                </>
              ) : null}
            </span>
          ) : null}
        </span>
      ),
    },
    {
      id: "who",
      heading: "Quem",
      width: 16,
      cell: ({ actor }) => (
        <span className={styles.what}>
          <span>{actor.name}</span>
          {kinds[actor.kind] ? <span className="small muted">{kinds[actor.kind]}</span> : null}
        </span>
      ),
    },
    {
      id: "changes",
      heading: "O que mudou",
      width: 42,
      cell: (entry) => <Said entry={entry} />,
    },
    {
      id: "at",
      heading: "Data",
      width: 16,
      cell: ({ at, seq }) => (
        <span className={styles.what}>
          <span className="num">{formatDateTime(at)}</span>
          <span className="small muted num">nº {seq}</span>
        </span>
      ),
    },
  ];
  return (
    <DataTable
      caption="Trilha de auditoria"
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      refetching={refetching}
    />
  );
}

/** Shows the end of the id, which is what distinguishes it from others. */
const shortOf = (id: string): string => `…${id.slice(-8)}`;

function Said({ entry: { changes, facts } }: { entry: AuditEntry }) {
  if (changes.length === 0 && facts.length === 0) return "—";
  return (
    <dl className={styles.said}>
      {changes.map(({ label, from, to }) => (
        <div key={`change ${label}`}>
          <dt className="small muted">{label}</dt>
          <dd>
            <Value text={from} was />
            <span aria-hidden> → </span>
            <span className="sr-only">passou a ser</span>
            <Value text={to} />
          </dd>
        </div>
      ))}
      {facts.map(({ label, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have the same words, and none moves
        <div key={`fact ${at}`}>
          <dt className="small muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Value({ text, was = false }: { text: string | null; was?: boolean }) {
  if (text === null) return <span className="muted">nada</span>;
  return was ? <span className="muted">{text}</span> : <strong className={styles.now}>{text}</strong>;
}
