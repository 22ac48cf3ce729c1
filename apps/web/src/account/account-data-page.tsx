import { describeProfile, profileNames } from "@malote/contracts/profiles";
import { formatTaxId } from "@malote/domain/tax-id";
import { useQuery } from "@tanstack/react-query";
import { useProductText } from "../shell/brand.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { useSession } from "../shell/session.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import styles from "./account.module.css";
import { AccountHeader } from "./account-header.tsx";
import { meQuery } from "./api.ts";
import { NameForm } from "./name-form.tsx";

export default function AccountDataPage() {
  const session = useSession();
  const me = useQuery(meQuery);
  const whereTheNameShows = useProductText(
    "É assim que seus colegas veem você no {product}: nos lotes que cria e nos pagamentos que aprova.",
  );
  if (!session) return null;
  const applications = session.allowed_applications.map(({ id }) => id);
  return (
    <div className={styles.page}>
      <AccountHeader subtitle="Quem você é e o que pode fazer." />
      <section className={`panel ${styles.section}`} aria-labelledby="seus-dados">
        <div className={styles.intro}>
          <h2 id="seus-dados">Seus dados</h2>
          <p className="muted">{whereTheNameShows}</p>
        </div>
        {me.data ? (
          <NameForm me={me.data} />
        ) : me.isError ? (
          <FailedQuery title="Não foi possível carregar seus dados" query={me} />
        ) : (
          <LoadingState label="Carregando seus dados">
            <div className={styles.password}>
              <Bone height={60} />
              <Bone height={60} />
              <Bone height={36} />
            </div>
          </LoadingState>
        )}
      </section>
      <section className={`panel ${styles.section}`} aria-labelledby="empresa-e-perfil">
        <div className={styles.intro}>
          <h2 id="empresa-e-perfil">Empresa e perfil</h2>
          <p className="muted">O administrador da empresa escolhe o perfil de cada pessoa.</p>
        </div>
        <dl className={styles.facts}>
          <div>
            <dt>Empresa</dt>
            <dd>
              {session.company.name}
              <span className="small muted num">{formatTaxId(session.company.cpfCnpj)}</span>
            </dd>
          </div>
          <div>
            <dt>Perfil</dt>
            <dd>
              {profileNames[session.profile]}
              <span className="small muted">{describeProfile(session.profile, applications)}</span>
            </dd>
          </div>
        </dl>
      </section>
    </div>
  );
}
