import { useQuery } from "@tanstack/react-query";
import { CallError, errorSentence } from "../shell/call.ts";
import { useDocumentTitle } from "../shell/use-document-title.ts";
import { ErrorState } from "../ui/error-state.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { companyDataQuery } from "./api.ts";
import styles from "./company.module.css";
import { CompanyDataForm } from "./company-data-form.tsx";
import { CompanyFrame } from "./company-frame.tsx";

export default function CompanyDataPage() {
  useDocumentTitle("Dados da empresa");
  const company = useQuery(companyDataQuery);
  return (
    <CompanyFrame subtitle="Como sua empresa aparece e como falar com ela.">
      {company.data ? (
        <CompanyDataForm company={company.data} />
      ) : company.isError ? (
        <ErrorState
          title="Não foi possível carregar os dados da empresa"
          message={errorSentence(company.error)}
          requestId={company.error instanceof CallError ? company.error.requestId : undefined}
          onRetry={() => void company.refetch()}
          busy={company.isFetching}
        />
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
