import { PageHeader } from "../ui/page-header.tsx";
import styles from "./controls.module.css";
import { Requests } from "./requests.tsx";

/** Lists open requests, for approvers and requesters. */
export default function ApprovalsPage() {
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
