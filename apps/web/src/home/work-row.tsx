import type { WorkItem, WorkKind } from "@malote/contracts/home";
import {
  IconAlertTriangle,
  IconCalendarTime,
  IconCheck,
  IconCopy,
  IconFileText,
  IconKey,
  IconListCheck,
  IconQrcode,
  IconShieldExclamation,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Button, buttonClass } from "../ui/button.tsx";
import { formatMoney } from "../ui/format.ts";
import { MoneyText } from "../ui/money-text.tsx";
import { toast } from "../ui/toasts.tsx";
import { useCopy } from "../ui/use-copy.ts";
import { fundingCodeQuery } from "./api.ts";
import styles from "./home.module.css";
import { wordsOf } from "./work-words.ts";

const icons: Record<WorkKind, typeof IconCheck> = {
  approve_batch: IconCheck,
  approve_request: IconCheck,
  fund_batch: IconQrcode,
  resolve_failures: IconAlertTriangle,
  choose_dates: IconCalendarTime,
  answer_infraction: IconShieldExclamation,
  answer_claim: IconKey,
  pay_invoice: IconFileText,
  first_steps: IconListCheck,
};

interface WorkRowProps {
  item: WorkItem;
  now: Date;
  /** The most urgent item has the primary button. */
  isFirst: boolean;
}

export function WorkRow({ item, now, isFirst }: WorkRowProps) {
  const { title, detail, verb, to, amount, tone } = wordsOf(item, now);
  const Icon = icons[item.kind];
  return (
    <li className={styles.item} data-tone={tone}>
      <span className={styles.tile} aria-hidden>
        <Icon size={18} stroke={1.8} />
      </span>
      <div className={styles.words}>
        <strong className={styles.name}>{title}</strong>
        <span className={styles.detail}>{detail}</span>
      </div>
      {amount === null ? <span /> : <MoneyText cents={amount} className={styles.amount ?? ""} />}
      <Link
        to={to}
        className={`${buttonClass({ size: "sm", ...(isFirst && { look: "primary" as const }) })} ${styles.verb}`}
        aria-label={`${verb}: ${title}`}
      >
        {verb}
      </Link>
      {item.kind === "fund_batch" && item.missing > 0 ? <FundingCode value={item.missing} /> : null}
      {item.kind === "first_steps" ? <Steps steps={item.steps} /> : null}
    </li>
  );
}

const copiedMs = 2_000;
/** People only compare the start and the end of the code; a bank reads the rest. */
const codeStart = 20;
const codeEnd = 12;

/** Shows the Pix code for exactly the missing amount, without leaving the page. */
function FundingCode({ value }: { value: number }) {
  const { data: code } = useQuery(fundingCodeQuery(value));
  const { state, copy } = useCopy(code ?? "", copiedMs);
  if (!code) return null;
  async function copyCode() {
    if (!(await copy())) toast.bad("Não foi possível copiar. Selecione o texto e use Ctrl+C.");
  }
  return (
    <div className={styles.code}>
      <code title={code}>{`${code.slice(0, codeStart)}…${code.slice(-codeEnd)}`}</code>
      <Button size="sm" icon={<IconCopy size={16} aria-hidden />} onClick={() => void copyCode()}>
        {state === "copied" ? "Código copiado" : `Copiar código Pix de ${formatMoney(value)}`}
      </Button>
    </div>
  );
}

const stepNames = {
  withdrawal_account: "Conta para saque",
  second_factor: "Autenticação em dois fatores",
  receiver: "Primeiro recebedor",
  batch: "Primeiro lote",
} as const;

function Steps({ steps }: { steps: Extract<WorkItem, { kind: "first_steps" }>["steps"] }) {
  return (
    <ul className={styles.steps}>
      {(Object.keys(stepNames) as (keyof typeof stepNames)[]).map((step) => (
        <li key={step} data-done={steps[step] || undefined}>
          <span aria-hidden>{steps[step] ? "✓" : "○"}</span> {stepNames[step]}
          <span className="sr-only">{steps[step] ? ", feito" : ", por fazer"}</span>
        </li>
      ))}
    </ul>
  );
}
