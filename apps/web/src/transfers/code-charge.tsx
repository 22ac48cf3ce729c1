import { lookUpPixCode } from "@malote/contracts/lookups";
import type { PixCode } from "@malote/contracts/pix-code";
import { saoPauloDate } from "@malote/domain/calendar";
import { pixCodeProblem } from "@malote/domain/pix-charge";
import { formatPixKey } from "@malote/domain/pix-key";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { call } from "../shell/call.ts";
import { Button } from "../ui/button.tsx";
import { formatDate, formatDateTime, formatMoney } from "../ui/format.ts";
import { Notice } from "../ui/notice.tsx";
import { systemNow } from "../ui/system-time.ts";
import { chargeOfCode } from "./transfer-form.ts";
import type { TransferFormState } from "./use-transfer-form.ts";

/** Charge of a pasted code: its payee, amount and expiry. A fixed amount is copied into the form. */
export function CodeCharge({ state: { form, change } }: { state: TransferFormState }) {
  const emv = form.emv.trim();
  const isWhole = emv !== "" && pixCodeProblem(emv) === undefined;
  const code = useQuery({
    queryKey: ["pix-code", emv, form.payment_date],
    queryFn: ({ signal }) =>
      call(lookUpPixCode, {
        body: {
          emv,
          ...(form.payment_date?.match(/^\d{4}-\d{2}-\d{2}$/) && { payment_date: form.payment_date }),
        },
        signal,
      }),
    enabled: isWhole,
    staleTime: 30_000,
    retry: false,
  });
  const charge = isWhole ? code.data?.charge : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was answered is taken once, and a typed open value stays.
  useEffect(() => {
    if (charge)
      change({ charge: chargeOfCode(charge), ...(charge.amount !== null && { value: charge.amount }) });
  }, [charge]);
  if (!isWhole || code.isPending) return null;
  if (!charge)
    return (
      <Notice
        tone="yellow"
        title="Cobrança não consultada"
        action={
          <Button size="sm" busy={code.isFetching} onClick={() => void code.refetch()}>
            Consultar de novo
          </Button>
        }
      >
        Quem cobra não respondeu. Você pode salvar o pagamento no rascunho e consultar de novo antes de fechar
        o lote.
      </Notice>
    );
  return (
    <Notice tone={charge.status === "ACTIVE" ? "green" : "red"} title={ownerOf(charge)}>
      {lines(charge).join(" · ")}
    </Notice>
  );
}

type Charge = NonNullable<PixCode["charge"]>;

const ownerOf = (charge: Charge) =>
  [charge.name, charge.cpf_cnpj, formatPixKey(charge.pix_key_type, charge.pix_key)]
    .filter(Boolean)
    .join(" · ");

/** TRF-004: a due date, and additions or deductions, of the type that has them. */
function dueLines(charge: Charge): string[] {
  if (charge.type !== "DUE_DATE_COLLECTION") return [];
  const part = (name: string, value: number | null) => (value ? [`${name} ${formatMoney(value)}`] : []);
  const late = charge.due_date !== null && charge.due_date < saoPauloDate(systemNow());
  return [
    ...(charge.due_date ? [`${late ? "Venceu" : "Vence"} em ${formatDate(charge.due_date)}`] : []),
    ...part("multa", charge.fine_amount),
    ...part("juros", charge.interest_amount),
    ...part("desconto", charge.discount_amount),
    ...part("abatimento", charge.abatment_amount),
  ];
}

function lines(charge: Charge): string[] {
  return [
    charge.amount === null ? "Valor aberto: informe quanto pagar" : `Valor ${formatMoney(charge.amount)}`,
    ...dueLines(charge),
    ...(charge.until ? [`por este valor até ${formatDateTime(charge.until)}`] : []),
  ];
}
