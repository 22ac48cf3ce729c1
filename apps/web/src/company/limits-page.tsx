import type { TransferLimits } from "@malote/contracts/company";
import type { LimitPeriod, PaymentType } from "@malote/domain/limits";
import { IconCalendarWeek, IconMoon, IconReceipt2, IconSun } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { CallError } from "../shell/call.ts";
import { GuidedTour } from "../shell/guided-tour.tsx";
import { useDocumentTitle } from "../shell/use-document-title.ts";
import { ErrorState } from "../ui/error-state.tsx";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { transferLimitsQuery } from "./api.ts";
import styles from "./company.module.css";
import { CompanyFrame } from "./company-frame.tsx";

const everyPeriod = ["TRANSACTION", "DAILY", "NIGHTLY", "WEEKEND"] as const;
/** COM-039: TED and boletos run in the daytime of business days only. */
const daytimeOnly = ["TRANSACTION", "DAILY"] as const;

const methods: readonly { type: PaymentType; name: string; what: string; periods: readonly LimitPeriod[] }[] =
  [
    {
      type: "PIX",
      name: "Pix",
      what: "Pagamentos por chave ou por conta, a qualquer hora.",
      periods: everyPeriod,
    },
    { type: "TEV", name: "TEV", what: "Transferências entre contas da plataforma.", periods: everyPeriod },
    { type: "TED", name: "TED", what: "Transferências para contas em dias úteis.", periods: daytimeOnly },
    { type: "BILLET", name: "Boleto", what: "Pagamentos de boletos em dias úteis.", periods: daytimeOnly },
  ];

/** COM-036 to COM-038. */
const periods: Record<LimitPeriod, { label: string; when: string; icon: typeof IconSun }> = {
  TRANSACTION: { label: "Por transação", when: "Em qualquer dia e horário", icon: IconReceipt2 },
  DAILY: { label: "Diurno", when: "Das 06h às 20h, de segunda a sexta, também em feriados", icon: IconSun },
  NIGHTLY: { label: "Noturno", when: "Das 20h às 06h, em qualquer dia", icon: IconMoon },
  WEEKEND: { label: "Fim de semana", when: "Das 06h às 20h, aos sábados e domingos", icon: IconCalendarWeek },
};

/** COM-034. They cannot be edited yet. */
export default function LimitsPage() {
  useDocumentTitle("Meus limites");
  const limits = useQuery(transferLimitsQuery);
  return (
    <CompanyFrame subtitle="O valor máximo de cada pagamento. Para mudar um limite, fale com o suporte.">
      {limits.data ? (
        <div className={styles.limits}>
          {methods.map((method) => (
            <Method key={method.type} {...method} limits={limits.data} />
          ))}
          <GuidedTour
            checkpoint="HAS_SEEN_LIMITS_TOUR"
            target='[data-tour="limits"]'
            title="Aqui estão seus limites"
          >
            Cada cartão diz quanto um pagamento pode ter e quando esse limite vale.
          </GuidedTour>
        </div>
      ) : limits.isError ? (
        <ErrorState
          title="Ocorreu um erro ao buscar os limites."
          requestId={limits.error instanceof CallError ? limits.error.requestId : undefined}
          onRetry={() => void limits.refetch()}
          busy={limits.isFetching}
        />
      ) : (
        <LoadingState label="Carregando os limites">
          <div className={styles.limits}>
            {methods.map(({ type }) => (
              <Bone key={type} height={170} />
            ))}
          </div>
        </LoadingState>
      )}
    </CompanyFrame>
  );
}

function Method({
  type,
  name,
  what,
  periods: own,
  limits,
}: (typeof methods)[number] & { limits: TransferLimits }) {
  return (
    <section className={styles.method} aria-labelledby={`limites-${type}`}>
      <div>
        <h2 id={`limites-${type}`}>{name}</h2>
        <p className="small muted">{what}</p>
      </div>
      {/* The tour's last step hands it the focus. */}
      <dl className={styles.cards} tabIndex={-1} data-tour={type === methods[0]?.type ? "limits" : undefined}>
        {own.map((period) => {
          const { label, when, icon: Icon } = periods[period];
          return (
            <div key={period} className={`panel ${styles.card}`}>
              <dt>
                <Icon size={18} stroke={1.6} aria-hidden />
                {label}
              </dt>
              <dd>
                <MoneyText cents={limits[period][type]} className={styles.amount ?? ""} />
                <span className="small muted">{when}</span>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
