import type { TransferLimits } from "@malote/contracts/company";
import { changeLimit } from "@malote/contracts/limits";
import type { PaymentMethod } from "@malote/domain/limits";
import {
  hasLimit,
  hourText,
  type LimitPeriod,
  limitPeriods,
  periodNames,
} from "@malote/domain/payment-limits";
import { IconCalendarWeek, IconMoon, IconReceipt2, IconSun } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { CallError, errorSentence } from "../shell/call.ts";
import { FailedQuery } from "../shell/failed-query.tsx";
import { GuidedTour } from "../shell/guided-tour.tsx";
import { lazyPart } from "../shell/lazy-part.ts";
import { may, useSession } from "../shell/session.ts";
import { Button } from "../ui/button.tsx";
import { ErrorState } from "../ui/error-state.tsx";
import { formatMoney } from "../ui/format.ts";
import { Bone, LoadingState } from "../ui/loading-state.tsx";
import { MoneyText } from "../ui/money-text.tsx";
import { toast } from "../ui/toasts.tsx";
import { transferLimitsQuery } from "./api.ts";
import styles from "./company.module.css";
import { CompanyFrame } from "./company-frame.tsx";
import { type Limit, limitsQuery, type Raise, useCancelRaise } from "./limits-api.ts";

const ChangeLimitDialog = lazyPart(() => import("./change-limit-dialog.tsx"));

const methods: readonly { id: PaymentMethod; name: string; what: string }[] = [
  { id: "PIX", name: "Pix", what: "Pagamentos por chave ou por conta, a qualquer hora." },
  { id: "TEV", name: "TEV", what: "Transferências entre contas da plataforma." },
  { id: "TED", name: "TED", what: "Transferências para contas em dias úteis." },
  {
    id: "BILLET",
    name: "Boleto",
    what: "Pagamentos de boletos em dias úteis. Os pagos depois das 20h contam no limite diurno do mesmo dia.",
  },
];

/** Sums and hours of COM-036 to COM-038. */
const periods: Record<LimitPeriod, { label: string; when: string; icon: typeof IconSun }> = {
  TRANSACTION: { label: "Por transação", when: "Em qualquer dia e horário", icon: IconReceipt2 },
  DAILY: { label: "Diurno", when: "Das 06h às 20h, de segunda a sexta, também em feriados", icon: IconSun },
  NIGHTLY: { label: "Noturno", when: "Das 20h às 06h, em qualquer dia", icon: IconMoon },
  WEEKEND: { label: "Fim de semana", when: "Das 06h às 20h, aos sábados e domingos", icon: IconCalendarWeek },
};

/** COM-034: one group of cards per payment method. A dialog changes a limit (decision 0033). */
export default function LimitsPage() {
  const limits = useQuery(transferLimitsQuery);
  const left = useQuery(limitsQuery);
  const [changing, setChanging] = useState<Limit>();
  return (
    <CompanyFrame subtitle="Quanto pode sair em um pagamento e, somado, em cada período.">
      {limits.data ? (
        <div className={styles.limits}>
          {methods.map((method) => (
            <Method
              key={method.id}
              {...method}
              limits={limits.data}
              left={left.data?.data.filter((limit) => limit.payment_method === method.id) ?? []}
              raises={left.data?.raises.filter((raise) => raise.payment_method === method.id) ?? []}
              onChange={setChanging}
            />
          ))}
          {left.isError ? (
            <FailedQuery title="Não foi possível carregar o que resta dos limites" query={left} />
          ) : null}
          {changing && left.data ? (
            <Suspense fallback={null}>
              <ChangeLimitDialog
                limit={changing}
                raiseHours={left.data.raise_hours}
                onClose={() => setChanging(undefined)}
              />
            </Suspense>
          ) : null}
          <GuidedTour
            checkpoint="HAS_SEEN_LIMITS_TOUR"
            target='[data-tour="limits"]'
            title="Aqui estão seus limites"
          >
            Cada cartão diz quanto pode sair, quando esse limite vale e quanto ainda resta dele.
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
            {methods.map(({ id }) => (
              <Bone key={id} height={170} />
            ))}
          </div>
        </LoadingState>
      )}
    </CompanyFrame>
  );
}

interface MethodProps {
  limits: TransferLimits;
  left: readonly Limit[];
  raises: readonly Raise[];
  onChange: (limit: Limit) => void;
}

function Method({ id, name, what, limits, left, raises, onChange }: (typeof methods)[number] & MethodProps) {
  return (
    <section className={styles.method} aria-labelledby={`limites-${id}`}>
      <div>
        <h2 id={`limites-${id}`}>{name}</h2>
        <p className="small muted">{what}</p>
      </div>
      {/* The tour's last step moves the focus here. */}
      <dl className={styles.cards} tabIndex={-1} data-tour={id === methods[0]?.id ? "limits" : undefined}>
        {limitPeriods
          .filter((period) => hasLimit(period, id))
          .map((period) => {
            const { label, when, icon: Icon } = periods[period];
            const limit = left.find((one) => one.period === period);
            const raise = raises.find((one) => one.period === period);
            return (
              <div key={period} className={`panel ${styles.card}`}>
                <dt>
                  <Icon size={18} stroke={1.6} aria-hidden />
                  {label}
                </dt>
                <dd>
                  <MoneyText cents={limits[period][id]} className={styles.amount ?? ""} />
                  <span className="small muted">{when}</span>
                </dd>
                {limit ? <WhatIsLeft limit={limit} name={name} onChange={onChange} /> : null}
                {raise ? <WaitingRaise raise={raise} /> : null}
              </div>
            );
          })}
      </dl>
    </section>
  );
}

function WhatIsLeft({
  limit,
  name,
  onChange,
}: {
  limit: Limit;
  name: string;
  onChange: (limit: Limit) => void;
}) {
  const session = useSession();
  const { left, used, renews_at: renewsAt } = limit;
  return (
    <dd>
      {left === null || renewsAt === null ? null : (
        <>
          <span className="small">
            Restam <MoneyText cents={left} />
          </span>
          <meter
            className={styles.meter}
            min={0}
            max={Math.max(1, limit.limit)}
            value={used ?? 0}
            aria-label={`Usado: ${formatMoney(used ?? 0)} de ${formatMoney(limit.limit)}`}
          />
          <span className="small muted">Renova em {hourText(new Date(renewsAt))}</span>
        </>
      )}
      {may(changeLimit, session) ? (
        <span className={styles.change}>
          <Button
            size="sm"
            aria-label={`Alterar o limite ${periodNames[limit.period]} de ${name}`}
            onClick={() => onChange(limit)}
          >
            Alterar
          </Button>
        </span>
      ) : null}
    </dd>
  );
}

/** Any admin may cancel a pending raise. */
function WaitingRaise({ raise }: { raise: Raise }) {
  const cancel = useCancelRaise(raise.id);
  return (
    <dd className={styles.raise}>
      <span className="small">
        <MoneyText cents={raise.value} /> a partir de {hourText(new Date(raise.takes_effect_at))}, a pedido de{" "}
        {raise.requested_by}
      </span>
      <Button
        size="sm"
        busy={cancel.isPending}
        onClick={() =>
          cancel.mutate(undefined, {
            onSuccess: () => toast.good("O aumento foi cancelado."),
            onError: (error) => {
              const text = errorSentence(error, "Não foi possível cancelar o aumento.");
              if (text) toast.bad(text);
            },
          })
        }
      >
        Cancelar aumento
      </Button>
    </dd>
  );
}
