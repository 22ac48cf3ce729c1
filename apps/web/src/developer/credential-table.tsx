import { type Credential, revokeCredential, revokeValidationCredential } from "@malote/contracts/developer";
import { profileNames } from "@malote/contracts/profiles";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { type Column, DataTable } from "../ui/data-table.tsx";
import { formatDate, formatDateTime } from "../ui/format.ts";
import styles from "./developer.module.css";

interface CredentialTableProps {
  credentials: readonly Credential[];
  onRevoke: (credential: Credential) => void;
}

export function CredentialTable({ credentials, onRevoke }: CredentialTableProps) {
  const session = useSession();
  const isAdmin = session?.profile === "admin";
  const mayRevoke = may(revokeCredential, session) || may(revokeValidationCredential, session);
  const columns: readonly Column<Credential>[] = [
    {
      id: "name",
      heading: "Nome",
      cell: ({ name }) => <strong>{name}</strong>,
      onPhone: "title",
      width: 1.5,
    },
    {
      id: "client-id",
      heading: "Identificador (client_id)",
      cell: ({ client_id, name }) => (
        <span className={styles.id}>
          <code>{client_id}</code>
          <CopyButton text={client_id} label={`Copiar o identificador de ${name}`} />
        </span>
      ),
      width: 2.7,
    },
    { id: "profile", heading: "Perfil", cell: ({ profile }) => profileNames[profile], width: 1.1 },
    {
      id: "created",
      heading: "Criada em",
      cell: ({ created_at, created_by }) => (
        <span>
          {formatDate(created_at)}
          {created_by ? <span className={`small muted ${styles.by}`}>por {created_by}</span> : null}
        </span>
      ),
      width: 1.2,
    },
    {
      id: "last-used",
      heading: "Último uso",
      cell: ({ last_used_at }) =>
        last_used_at ? formatDateTime(last_used_at) : <span className="muted">Nunca usada</span>,
      width: 1.2,
    },
    {
      id: "revoke",
      heading: <span className="sr-only">Ações</span>,
      cell: (credential) =>
        // Only an admin may revoke a credential with admin rights.
        mayRevoke && (isAdmin || credential.profile !== "admin") ? (
          <Button
            size="sm"
            look="danger"
            aria-label={`Revogar a credencial ${credential.name}`}
            onClick={() => onRevoke(credential)}
          >
            Revogar
          </Button>
        ) : null,
      width: 0.9,
    },
  ];
  return (
    <DataTable caption="Credenciais em uso" columns={columns} rows={credentials} keyOf={({ id }) => id} />
  );
}
