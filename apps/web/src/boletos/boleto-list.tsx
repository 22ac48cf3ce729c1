import type { Boleto, listBoletos } from "@malote/contracts/boletos";
import type { ResponseOf } from "@malote/contracts/contract";
import { marksText } from "@malote/domain/data-marks";
import { boletoDescriptionMax } from "@malote/domain/limits";
import { IconBolt } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { memo, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { PaymentList, PaymentRow, useRefreshPayments } from "../payments/index.ts";
import { awaitsRegister, type BoletoFilters, boletoPageQuery } from "./api.ts";
import styles from "./boleto-list.module.css";
import { hasFailed, lookOfBoleto, noteOf } from "./boleto-status.ts";
import { beneficiaryName, boletoName, daysText, lineText, priceText } from "./boleto-text.ts";

interface BoletoListProps {
  batchId: string;
  filters: BoletoFilters;
  pollMs: number | false;
  onOpen: (boleto: Boleto) => void;
  /** Content of a list without results. */
  empty: ReactNode;
}

/** Boletos of a batch (BAT-038). */
export function BoletoList({ batchId, filters, pollMs, onOpen, empty }: BoletoListProps) {
  const refresh = useRefreshPayments(batchId);
  const waits = useQuery({
    ...boletoPageQuery(batchId, filters, 0, { pollMs }),
    select: awaitsRegister,
  }).data;
  const waited = useRef(false);
  const refreshSums = useEffectEvent(() => void refresh());
  // New prices change the sums and the checks of the batch.
  useEffect(() => {
    if (waited.current && waits === false) refreshSums();
    waited.current = waits === true;
  }, [waits]);
  return (
    <PaymentList<ResponseOf<typeof listBoletos>>
      pageQuery={(page) => boletoPageQuery(batchId, filters, page, { pollMs })}
      words={{ one: "boleto", many: "boletos", all: "todos" }}
      hasFailed={hasFailed}
      empty={empty}
      row={(boleto) => <BoletoRow boleto={boleto} onOpen={onOpen} />}
    />
  );
}

interface BoletoRowProps {
  boleto: Boleto;
  onOpen: (boleto: Boleto) => void;
}

const BoletoRow = memo(function BoletoRow({ boleto, onOpen }: BoletoRowProps) {
  const payee = beneficiaryName(boleto);
  const days = daysText(boleto);
  return (
    <PaymentRow
      tile={boleto.type === "COLLECTION" ? <IconBolt size={18} /> : (boleto.bank?.code ?? "?")}
      title={boletoName(boleto)}
      titleMax={boletoDescriptionMax.onCard}
      under={payee ? `${payee} · ${days}` : capitalised(days)}
      where={<span className={styles.code}>{lineText(boleto)}</span>}
      value={boleto.value}
      look={lookOfBoleto(boleto)}
      note={noteOf(boleto)}
      detail={priceText(boleto)}
      marked={marksText(boleto.data_marks)}
      onOpen={() => onOpen(boleto)}
    />
  );
});

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
