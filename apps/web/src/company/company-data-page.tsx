import { useQuery } from "@tanstack/react-query";
import { FailedQuery } from "../shell/failed-query.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { companyDataQuery } from "./api.ts";
import styles from "./company.module.css";
import { CompanyDataForm } from "./company-data-form.tsx";
import { CompanyFrame } from "./company-frame.tsx";

export default function CompanyDataPage() {
  const company = useQuery(companyDataQuery);
  return (
    <CompanyFrame subtitle="Como sua empresa aparece e como falar com ela.">
      {company.data ? (
        <CompanyDataForm company={company.data} />
      ) : company.isError ? (
        <FailedQuery title="Não foi possível carregar os dados da empresa" query={company} />
      ) : (
        <LoadingState label="Carregando os dados da empresa">
          <div className={styles.form}>
            <Bone height={230} />
            <Bone height={170} />
          </div>
        </LoadingState>
      )}
    </CompanyFrame>
  );
}
