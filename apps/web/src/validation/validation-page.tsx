import { useQuery } from "@tanstack/react-query";
import { FailedQuery } from "../shell/failed-query.tsx";
import { usePageSearch } from "../shell/use-page-search.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { validationQuery, validationSettingsQuery } from "./api.ts";
import { validationSearch } from "./search.ts";
import styles from "./validation.module.css";
import { ValidationForm } from "./validation-form.tsx";
import { emptyForm, formOf } from "./validation-form-data.ts";
import { ValidationResult } from "./validation-result.tsx";

/** VAL-001: shows the form, and in its place the result of what was sent. */
export default function ValidationPage() {
  const [{ validacao, refazer }, change] = usePageSearch(validationSearch);
  return (
    <>
      <PageHeader title="Validações" subtitle="Confira uma conta bancária ou chave Pix antes de pagar." />
      <div className={styles.form}>
        {validacao ? (
          <ValidationResult
            key={validacao}
            id={validacao}
            onNew={() => change({ validacao: null, refazer: null })}
            onAgain={() => change({ validacao: null, refazer: validacao })}
          />
        ) : (
          <Form
            key={refazer ?? "nova"}
            again={refazer}
            onMade={(id) => change({ validacao: id, refazer: null })}
          />
        )}
      </div>
    </>
  );
}

/** Initial form: the settings decide the types, an earlier validation the data. */
function Form({ again, onMade }: { again: string | undefined; onMade: (id: string) => void }) {
  const settings = useQuery(validationSettingsQuery);
  const earlier = useQuery({ ...validationQuery(again ?? ""), enabled: again !== undefined });
  const failed = [settings, earlier].find(({ isError, data }) => isError && !data);
  if (failed) {
    return <FailedQuery title="Não foi possível abrir a validação" query={failed} />;
  }
  if (!settings.data || (again !== undefined && !earlier.data)) {
    return (
      <LoadingState label="Carregando a validação">
        <Bone height={420} />
      </LoadingState>
    );
  }
  return (
    <ValidationForm
      settings={settings.data}
      again={again}
      start={earlier.data ? formOf(earlier.data) : emptyForm}
      startType={earlier.data?.type}
      onMade={onMade}
    />
  );
}
