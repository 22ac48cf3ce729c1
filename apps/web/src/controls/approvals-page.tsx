import { useDocumentTitle } from "../shell/use-document-title.ts";
import { PageHeader } from "../ui/page-header.tsx";
import styles from "./controls.module.css";
import { Requests } from "./requests.tsx";

/** What waits for somebody's yes, for whoever may give it and whoever asked. */
export default function ApprovalsPage() {
  useDocumentTitle("Aprovações");
  return (
    <div className={styles.page}>
      <PageHeader
        title="Aprovações"
        subtitle="Resgates, devoluções e mudanças que só acontecem depois da aprovação de outra pessoa."
      />
      <Requests heading="h2" />
    </div>
  );
}
