import type { Home } from "@malote/contracts/home";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { balanceQuery } from "../shell/balance.ts";
import { pathOf } from "../shell/routes.ts";
import { counted, formatDate, formatMoney } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import styles from "./home.module.css";

/** Shows the balance, the payments of the next days, and the batches in progress. */
export function HomeRail({ home }: { home: Home }) {
  const { data: balance } = useQuery(balanceQuery);
  return (
    <aside className={styles.rail} aria-label="Saldo e próximos dias">
      <section className={styles.part}>
        <h2 className={styles.caption}>Saldo disponível</h2>
        {balance ? <MoneyText cents={balance.value} className={styles.balance ?? ""} /> : null}
        <Link to={pathOf("StatementPage")}>Ver extrato</Link>
      </section>
      <Upcoming days={home.upcoming} />
      {home.paying.length > 0 ? <Paying batches={home.paying} /> : null}
    </aside>
  );
}

const weekdays = ["dom", "seg", "ter", "qua", "qui", "sex", "sáb"];
const barMax = 72;

function Upcoming({ days }: { days: Home["upcoming"] }) {
  const most = Math.max(1, ...days.map(({ reserved, unfunded }) => reserved + unfunded));
  const height = (cents: number) => Math.ceil((cents / most) * barMax);
  const sum = (of: (day: Home["upcoming"][number]) => number) => days.reduce((all, day) => all + of(day), 0);
  const [reserved, unfunded] = [sum((day) => day.reserved), sum((day) => day.unfunded)];
  return (
    <section className={styles.part}>
      <h2 className={styles.heading}>Sai nos próximos 7 dias</h2>
      <ul className={styles.days}>
        {days.map((day) => (
          <li key={day.date}>
            <span className="sr-only">
              {formatDate(day.date)}: {formatMoney(day.reserved)} já reservado, {formatMoney(day.unfunded)}{" "}
              sem saldo ainda
            </span>
            <span className={styles.bar} aria-hidden title={formatMoney(day.reserved + day.unfunded)}>
              <span className={styles.unfunded} style={{ height: height(day.unfunded) }} />
              <span className={styles.reserved} style={{ height: height(day.reserved) }} />
            </span>
            <span className={styles.day} aria-hidden>
              {weekdays[new Date(`${day.date}T12:00:00Z`).getUTCDay()]}
              <br />
              {day.date.slice(8)}
            </span>
          </li>
        ))}
      </ul>
      <dl className={styles.sums}>
        <div>
          <dt>
            <span className={styles.reserved} aria-hidden /> Já reservado
          </dt>
          <dd>
            <MoneyText cents={reserved} />
          </dd>
        </div>
        <div>
          <dt>
            <span className={styles.unfunded} aria-hidden /> Sem saldo ainda
          </dt>
          <dd>
            <MoneyText cents={unfunded} />
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Paying({ batches }: { batches: Home["paying"] }) {
  return (
    <section className={styles.part}>
      <h2 className={styles.heading}>Lotes em pagamento</h2>
      <ul className={styles.paying}>
        {batches.map((batch) => (
          <li key={batch.id}>
            <Link to={pathOf("BatchesPage")} search={{ lote: batch.id }} className={styles.batch ?? ""}>
              <span className={styles.name}>{batch.name}</span>
              <span className="num">
                {batch.paid_count}/{batch.payments_count}
                {batch.failed_count > 0 ? ` · ${counted(batch.failed_count, "falha", "falhas")}` : ""}
              </span>
            </Link>
            <progress
              value={batch.paid_count}
              max={batch.payments_count}
              aria-label={`Pagos em ${batch.name}`}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
