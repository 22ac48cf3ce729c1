import type { Transfer } from "@malote/contracts/transfers";
import { marksText } from "@malote/domain/data-marks";
import type { Issue } from "@malote/domain/issues";
import { issueSentence, issueText } from "@malote/domain/issues";
import { transferCardTextMax } from "@malote/domain/limits";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { memo } from "react";
import { PaymentRow } from "../payments/index.ts";
import { IconButton } from "../ui/button.tsx";
import { formatDate } from "../ui/format.ts";
import {
  destinationText,
  keyHolderMark,
  keyHolderName,
  methodNames,
  receiverName,
  taxIdText,
  tileText,
} from "./destination-text.ts";
import { failReason, lookOfTransfer } from "./transfer-status.ts";

interface TransferRowProps {
  transfer: Transfer;
  onOpen: (transfer: Transfer) => void;
  /** Shows or hides the repair panel under a bad row; left out when nothing can be repaired. */
  repair?: { opened: boolean; toggle: () => void } | undefined;
}

/** One payment on one line (TRF-010 to TRF-013). */
export const TransferRow = memo(function TransferRow({ transfer, onOpen, repair }: TransferRowProps) {
  const to = transfer.destination_bank_account;
  const holder = keyHolderName(transfer);
  const name = holder ?? receiverName(to);
  const note = noteOf(transfer);
  const under = [
    to.name ? taxIdText(to.cpf_cnpj) : holder ? keyHolderMark : "",
    transfer.sheet_row === null ? "" : `linha ${transfer.sheet_row}`,
    transfer.payment_date ? formatDate(transfer.payment_date) : "",
  ].filter(Boolean);
  return (
    <PaymentRow
      tile={tileText(transfer)}
      title={name}
      titleMax={transferCardTextMax.name}
      under={under.join(" · ") || methodNames[transfer.payment_method]}
      where={destinationText(to)}
      value={transfer.value}
      look={lookOfTransfer(transfer)}
      note={note}
      noteIsWrong={note === wrongPixKey}
      problem={problemOf(transfer)}
      marked={marksText(transfer.data_marks)}
      onOpen={() => onOpen(transfer)}
      end={
        repair ? (
          <IconButton
            label={repair.opened ? `Fechar a correção de ${name}` : `Corrigir ${name}`}
            aria-expanded={repair.opened}
            onClick={repair.toggle}
          >
            {repair.opened ? (
              <IconChevronDown size={18} aria-hidden />
            ) : (
              <IconChevronRight size={18} aria-hidden />
            )}
          </IconButton>
        ) : null
      }
    />
  );
});

/** All mistakes of a draft, uncut. */
function problemOf({ errors, payment_method }: Transfer): string | undefined {
  const isByKey = payment_method === "PIX";
  const sentences = (errors as Issue[]).map((issue) => issueSentence(issue, isByKey));
  return sentences.length > 0 ? [...new Set(sentences)].join(" · ") : undefined;
}

/** TRF-012: shown in red. */
const wrongPixKey = "Chave Pix inválida";
/**
 * When the key has another holder, the document may be the mistake, so the person who corrects it reads the bank's
 * reason.
 */
const isAboutKey = (reason: string) => /chave/i.test(reason) && !/titular/i.test(reason);

/** Text that a pill cannot hold: the bank's reason, the warning. */
function noteOf(transfer: Transfer): string | undefined {
  const reason = failReason(transfer);
  if (reason) {
    return transfer.payment_method === "PIX" && isAboutKey(reason) ? wrongPixKey : reason;
  }
  if (transfer.errors.length > 0) return undefined;
  const [warning] = transfer.warnings as Issue[];
  return warning && transfer.status === "CREATED" ? issueText(warning) : undefined;
}
