import { useQuery } from "@tanstack/react-query";
import { useAutomaticCorrection } from "../first-steps/parts.ts";
import { companySettingsQuery } from "../shell/balance.ts";
import { errorSentence, wasLeft } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { Switch } from "../ui/switch.tsx";
import { toast } from "../ui/toasts.tsx";
import { useEmailsPayees } from "./api.ts";
import { ReplyToForm } from "./reply-to-form.tsx";
import styles from "./settings.module.css";
import { Section, SettingsFrame } from "./settings-frame.tsx";

export default function GeneralPage() {
  return (
    <SettingsFrame subtitle="Como a empresa paga e quem recebe as respostas.">
      <Sections />
    </SettingsFrame>
  );
}

function Sections() {
  const settings = useQuery(companySettingsQuery);
  if (settings.isPending) {
    return (
      <LoadingState label="Carregando as configurações">
        <Bone height={220} />
      </LoadingState>
    );
  }
  if (settings.isError) {
    return <FailedQuery title="Não foi possível carregar as configurações" query={settings} />;
  }
  return (
    <div className={styles.sections}>
      <Section
        id="correcao"
        title="Correção Automática"
        help="Quando um dado bancário tem um erro conhecido, como um dígito trocado, corrigimos por você antes de pagar."
      >
        <Correction isOn={settings.data.acceptContaCertaSuggestions} />
      </Section>
      <Section id="respostas" title="Encaminhar respostas (Reply to)">
        <ReplyToForm saved={settings.data.replyToEmail ?? ""} />
      </Section>
      <Section
        id="quem-recebe"
        title="E-mails a quem recebe"
        help="Quem tem e-mail no pagamento recebe o comprovante assim que o dinheiro chega de vez."
      >
        <EmailsToPayees isOn={settings.data.emailsPayees} />
      </Section>
    </div>
  );
}

function EmailsToPayees({ isOn }: { isOn: boolean }) {
  const change = useEmailsPayees();
  return (
    <Switch
      on={change.isPending ? change.variables : isOn}
      busy={change.isPending}
      onChange={(on) =>
        change.mutate(on, {
          onSuccess: () =>
            toast.good(
              on ? "Quem recebe será avisado por e-mail" : "Quem recebe não será avisado por e-mail",
            ),
          onError: (error) => {
            if (wasLeft(error)) return;
            const detail = errorSentence(error) ?? "";
            toast.bad(`Ocorreu um erro ao alterar a configuração dos e-mails ${detail}`.trim());
          },
        })
      }
    >
      Enviar o comprovante por e-mail a quem recebe
    </Switch>
  );
}

const activeText = "A correção automática está ativa";
const offText = "A correção automática está desabilitada";

/** SET-012 to SET-015: saved on the click; on failure the switch returns to its state and shows why. */
function Correction({ isOn }: { isOn: boolean }) {
  const change = useAutomaticCorrection();
  const shown = change.isPending ? change.variables : isOn;
  return (
    <Switch
      on={shown}
      busy={change.isPending}
      onChange={(on) =>
        change.mutate(on, {
          onSuccess: () => toast.good(on ? activeText : offText),
          onError: (error) => {
            if (wasLeft(error)) return;
            const detail = errorSentence(error) ?? "";
            toast.bad(`Ocorreu um erro ao alterar a configuração do ContaCerta ${detail}`.trim());
          },
        })
      }
    >
      Corrigir dados bancários automaticamente
    </Switch>
  );
}
