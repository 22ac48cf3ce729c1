import { useNavigate } from "@tanstack/react-router";
import { safeReturnPath } from "../shell/return-address.ts";
import { pathOf } from "../shell/routes.ts";
import { useSession } from "../shell/session.ts";
import { usePageSearch } from "../shell/use-page-search.ts";
import { PageHeader } from "../ui/page-header.tsx";
import styles from "./first-steps.module.css";
import FirstStepsForm from "./first-steps-form.tsx";
import { firstStepsSearch } from "./search.ts";

export default function FirstStepsPage() {
  const navigate = useNavigate();
  // FST-023: an admin's mark is the company's; that of an operator or analyst is their own.
  const isForAll = useSession()?.profile === "admin";
  const [{ redirectedFrom }] = usePageSearch(firstStepsSearch);
  return (
    <div className={styles.page}>
      <PageHeader
        title="Primeiros passos"
        subtitle={isForAll ? "Leva dois minutos e é feito uma única vez para toda a empresa." : null}
      />
      {/* FST-008: after saving, opens the wizard or the batches. */}
      <FirstStepsForm
        onSaved={() => void navigate({ href: safeReturnPath(redirectedFrom) ?? pathOf("BatchesPage") })}
      />
    </div>
  );
}
