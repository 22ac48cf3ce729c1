import { priceOf } from "@malote/domain/boleto";
import { daysBetween, parseDate, saoPauloDate, saoPauloTime } from "@malote/domain/calendar";
import { daysText } from "@malote/domain/lookup-findings";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../ui/button.tsx";
import { formatDate, formatDateTime, formatMoney } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { systemNow } from "../ui/system-time.ts";
import { registerOf } from "./boleto-form.ts";
import { registerQuery } from "./register-api.ts";

interface RegisterNoticeProps {
  barcode: string | undefined;
  paymentDate: string | null;
  value: number | null;
}

/** Shows the payee of a boleto and its additions, according to the clearing house's register. */
export function RegisterNotice({ barcode, paymentDate, value }: RegisterNoticeProps) {
  const asked = useQuery(registerQuery(barcode));
  const register = asked.data;
  if (barcode === undefined || asked.isPending) return null;
  if (!register || register.status === "unavailable")
    return (
      <Notice
        tone="yellow"
        title="Registro do boleto não consultado"
        action={
          <Button size="sm" busy={asked.isFetching} onClick={() => void asked.refetch()}>
            Consultar de novo
          </Button>
        }
      >
        O registro de boletos não respondeu: juros, multa e desconto não foram conferidos. Consulte de novo
        antes de fechar o lote.
      </Notice>
    );
  if (register.status === "not_registered")
    return (
      <Notice tone="yellow" title="Boleto não registrado">
        Os bancos não pagam um boleto sem registro. Peça outro a quem cobra.
      </Notice>
    );
  const owner = register.beneficiary && `${register.beneficiary.name} · ${register.beneficiary.cpf_cnpj}`;
  if (register.status === "paid")
    return (
      <Notice tone="yellow" title={owner}>
        O registro informa que este boleto já foi pago.
      </Notice>
    );
  const now = systemNow();
  const today = saoPauloDate(now);
  const due = register.due_date ? parseDate(register.due_date) : undefined;
  const days = due && due < today ? daysBetween(due, today) : 0;
  const draft = { barcode, value, paymentDate };
  const price = priceOf(draft, { today, now: saoPauloTime(now) }, registerOf(register));
  const part = (name: string, cents: number) => (cents > 0 ? [`${name} ${formatMoney(cents)}`] : []);
  const lines = [
    ...(days > 0 ? [`Vencido há ${daysText(days)}`] : []),
    ...(price
      ? [
          `valor registrado ${formatMoney(register.value ?? 0)}`,
          ...part("multa", price.fine),
          ...part("juros", price.interest),
          ...part("desconto", price.discount),
          ...part("abatimento", price.abatement),
          // Fine and interest are those of the payment day.
          `a pagar ${price.runsOn === today ? "" : `em ${formatDate(price.runsOn)} `}${formatMoney(price.total)}`,
        ]
      : []),
    ...(register.limit_date ? [`pagável até ${formatDate(register.limit_date)}`] : []),
    ...(register.asked_at
      ? [
          `consultado em ${formatDateTime(register.asked_at)}${register.asked_by ? ` por ${register.asked_by}` : ""}`,
        ]
      : []),
  ];
  return (
    <Notice tone={days > 0 ? "yellow" : "green"} title={owner}>
      {lines.join(" · ")}
    </Notice>
  );
}
