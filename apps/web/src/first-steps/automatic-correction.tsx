import { useQuery } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { toast } from "../ui/toasts.tsx";
import { useAutomaticCorrection } from "./api.ts";
import styles from "./first-steps.module.css";

/** FST-004. Saved with the click; when that fails the switch goes back and says why. */
export function AutomaticCorrection() {
  const settings = useQuery(companySettingsQuery);
  const change = useAutomaticCorrection();
  const isOn = change.isPending ? change.variables : (settings.data?.acceptContaCertaSuggestions ?? false);
  return (
    <label className={styles.switch}>
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        disabled={!settings.data}
        aria-busy={change.isPending || undefined}
        onChange={(event) => {
          if (change.isPending) return;
          change.mutate(event.currentTarget.checked, {
            onError: (error) => {
              const text = errorSentence(error, "Ocorreu um erro ao alterar a configuração do ContaCerta");
              if (text) toast.bad(text);
            },
          });
        }}
      />
      <span className={styles.track} aria-hidden />
      <span>{isOn ? "A correção automática está ativa" : "A correção automática está inativa"}</span>
    </label>
  );
}
