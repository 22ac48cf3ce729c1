import {
  type CreatedCredential,
  type Credential,
  createCredential,
  createValidationCredential,
} from "@malote/contracts/developer";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ListFaces } from "../shell/list-faces.tsx";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Bone } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { credentialsQuery, useIsValidation } from "./api.ts";
import { CredentialTable } from "./credential-table.tsx";
import styles from "./developer.module.css";
import { LegacyKey } from "./legacy-key.tsx";
import { NewCredentialDialog } from "./new-credential-dialog.tsx";
import { RevokeDialog } from "./revoke-dialog.tsx";
import { SecretDialog } from "./secret-dialog.tsx";

export default function CredentialsPage() {
  const session = useSession();
  const credentials = useQuery(credentialsQuery(useIsValidation()));
  const [isNaming, setIsNaming] = useState(false);
  const [made, setMade] = useState<CreatedCredential>();
  const [toRevoke, setToRevoke] = useState<Credential>();
  // The profile may allow creation in one application and not in the other.
  const mayCreate = may(createCredential, session) || may(createValidationCredential, session);
  const create = mayCreate ? (
    <Button look="primary" icon={<IconPlus aria-hidden />} onClick={() => setIsNaming(true)}>
      Nova credencial
    </Button>
  ) : null;

  return (
    <div className={styles.page}>
      <PageHeader
        title="Credenciais de APIs"
        subtitle="Com elas os sistemas da sua empresa usam a plataforma."
        actions={credentials.data?.length === 0 ? null : create}
      />
      <p className={styles.intro}>
        Um sistema troca a credencial por um token de autenticação e o envia em cada chamada. Os novos tokens
        de autenticação expiram a cada 30 minutos.{" "}
        <a href="/docs" target="_blank" rel="noreferrer">
          Ver a documentação da API
        </a>
      </p>
      <ListFaces
        query={credentials}
        loading="Carregando as credenciais"
        failed="Não foi possível carregar as credenciais"
        bones={<Bone height={240} />}
        emptyFace={({ length }) =>
          length > 0 ? null : (
            <EmptyState drawing="lock" title="Nenhuma credencial em uso" action={create}>
              <p>
                Gere uma para cada sistema que vai usar a API: assim cada um pode ser desligado sem parar os
                outros.
              </p>
            </EmptyState>
          )
        }
      >
        {(list) => <CredentialTable credentials={list} onRevoke={setToRevoke} />}
      </ListFaces>
      <LegacyKey />
      {isNaming ? (
        <NewCredentialDialog
          onClose={() => setIsNaming(false)}
          onMade={(credential) => {
            setIsNaming(false);
            setMade(credential);
          }}
        />
      ) : null}
      {made ? <SecretDialog credential={made} onClose={() => setMade(undefined)} /> : null}
      {toRevoke ? <RevokeDialog credential={toRevoke} onClose={() => setToRevoke(undefined)} /> : null}
    </div>
  );
}
