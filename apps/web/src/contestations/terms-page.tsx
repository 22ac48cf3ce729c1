import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { FailedQuery } from "../shell/failed-query.tsx";
import { pathOf } from "../shell/routes.ts";
import { useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { toast } from "../ui/toasts.tsx";
import { termsQuery } from "./api.ts";
import styles from "./contestations.module.css";
import { acceptTerms } from "./terms.ts";

/** MED-004, MED-005: terms to accept before infractions show. */
export default function TermsPage() {
  const session = useSession();
  const router = useRouter();
  const terms = useQuery(termsQuery);
  const [isTicked, setTicked] = useState(false);
  const [isSaving, setSaving] = useState(false);

  async function accept() {
    setSaving(true);
    try {
      await acceptTerms(session?.sub ?? "");
      toast.good("Painel de infrações está liberado e pronto para uso");
      await router.navigate({ href: pathOf("InfractionsPage"), replace: true });
    } catch {
      toast.bad("Ocorreu um erro ao habilitar o painel de infrações");
      setSaving(false);
    }
  }

  return (
    <>
      <PageHeader title="Termos de uso" subtitle="Leia e aceite para usar o painel de infrações e MED." />
      {terms.isPending ? (
        <LoadingState label="Carregando os termos">
          <Bone height={320} />
        </LoadingState>
      ) : terms.isError ? (
        <FailedQuery title="Não foi possível carregar os termos" query={terms} />
      ) : (
        <div className={`panel ${styles.terms}`}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reachable by keyboard */}
          <section className={styles.termsText} tabIndex={0} aria-label="Texto dos termos">
            {terms.data.text.split(/\n\s*\n/).map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
          </section>
          <label className={styles.tick}>
            <input
              type="checkbox"
              checked={isTicked}
              disabled={isSaving}
              onChange={(event) => setTicked(event.currentTarget.checked)}
            />
            Li e aceito os termos de uso do painel de infrações
          </label>
          <div className={styles.actions}>
            <Button look="primary" disabled={!isTicked} busy={isSaving} onClick={() => void accept()}>
              {isSaving ? "Liberando acesso..." : "Confirmar"}
            </Button>
          </div>
        </div>
      )}
    </>
  );
}
