import type { Billet, listBillets } from "@malote/contracts/billets";
import type { ResponseOf } from "@malote/contracts/contract";
import { billetDescriptionMax } from "@malote/domain/limits";
import { IconBolt } from "@tabler/icons-react";
import { memo, type ReactNode } from "react";
import { PaymentList, PaymentRow } from "../payments/index.ts";
import { type BilletFilters, billetPageQuery } from "./api.ts";
import styles from "./billet-list.module.css";
import { hasFailed, lookOfBillet, noteOf } from "./billet-status.ts";
import { beneficiaryName, billetName, dueText, lineText, priceText } from "./billet-text.ts";

interface BilletListProps {
  batchId: string;
  filters: BilletFilters;
  pollMs: number | false;
  onOpen: (billet: Billet) => void;
  /** What to show when nothing is found. */
  empty: ReactNode;
}

/** The billets of a batch (BAT-038). */
export function BilletList({ batchId, filters, pollMs, onOpen, empty }: BilletListProps) {
  return (
    <PaymentList<ResponseOf<typeof listBillets>>
      pageQuery={(page) => billetPageQuery(batchId, filters, page, { pollMs })}
      words={{ one: "boleto", many: "boletos", all: "todos" }}
      hasFailed={hasFailed}
      empty={empty}
      row={(billet) => <BilletRow billet={billet} onOpen={onOpen} />}
    />
  );
}

interface BilletRowProps {
  billet: Billet;
  onOpen: (billet: Billet) => void;
}

const BilletRow = memo(function BilletRow({ billet, onOpen }: BilletRowProps) {
  const due = dueText(billet.due_date);
  const payee = beneficiaryName(billet);
  return (
    <PaymentRow
      tile={billet.type === "COLLECTION" ? <IconBolt size={18} /> : (billet.bank?.code ?? "?")}
      title={billetName(billet)}
      titleMax={billetDescriptionMax.onCard}
      under={payee ? `${payee} · vence ${due}` : `Vence ${due}`}
      where={<span className={styles.code}>{lineText(billet)}</span>}
      value={billet.value}
      look={lookOfBillet(billet)}
      note={noteOf(billet)}
      detail={priceText(billet)}
      onOpen={() => onOpen(billet)}
    />
  );
});
