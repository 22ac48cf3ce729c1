import { useNavigate } from "@tanstack/react-router";
import { pathOf } from "../shell/routes.ts";
import { useDocumentTitle } from "../shell/use-document-title.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { PageHeader } from "../ui/page-header.tsx";
import styles from "./first-steps.module.css";
import FirstStepsForm from "./first-steps-form.tsx";

/** Only an address of this application: a link from outside must not choose where people land. */
export function safeReturnPath(text: string | undefined): string {
  return text && /^\/(?![/\\])/.test(text) ? text : pathOf("BatchesPage");
}

export default function FirstStepsPage() {
  useDocumentTitle("Primeiros passos");
  const navigate = useNavigate();
  const [{ redirectedFrom }] = usePageSearch((raw) => ({ redirectedFrom: raw["redirectedFrom"] }));
  return (
    <div className={styles.page}>
      <PageHeader
        title="Primeiros passos"
        subtitle="Leva dois minutos e é feito uma única vez para toda a empresa."
      />
      {/* FST-008 */}
      <FirstStepsForm onSaved={() => void navigate({ href: safeReturnPath(redirectedFrom) } as never)} />
    </div>
  );
}
