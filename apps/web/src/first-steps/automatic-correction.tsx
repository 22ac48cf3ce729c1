import { useQuery } from "@tanstack/react-query";
import { companySettingsQuery } from "../shell/balance.ts";
import { errorSentence } from "../shell/call.ts";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toasts.tsx";
import { useAutomaticCorrection } from "./api.ts";

/** FST-004. Saved on the click; on failure the switch returns to its state and shows why. */
export function AutomaticCorrection() {
  const settings = useQuery(companySettingsQuery);
  const change = useAutomaticCorrection();
  const isOn = change.isPending ? change.variables : (settings.data?.acceptContaCertaSuggestions ?? false);
  return (
    <Switch
      on={isOn}
      busy={change.isPending}
      disabled={!settings.data}
      onChange={(on) =>
        change.mutate(on, {
          onError: (error) => {
            const text = errorSentence(error, "Ocorreu um erro ao alterar a configuração do ContaCerta");
            if (text) toast.bad(text);
          },
        })
      }
    >
      {isOn ? "A correção automática está ativa" : "A correção automática está inativa"}
    </Switch>
  );
}
