import type { ResponseOf } from "@malote/contracts/contract";
import type { searchReceivers } from "@malote/contracts/transfers";
import { maskTaxId } from "@malote/domain/tax-id";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { SuggestField } from "../ui/suggest-field.tsx";
import { receiverSearchMin, receiversQuery } from "./api.ts";
import { destinationText, receiverName } from "./destination-text.ts";
import styles from "./transfer-wizard.module.css";

export type Receiver = ResponseOf<typeof searchReceivers>["data"][number];

const typingPauseMs = 250;

/** RCV-021: choosing somebody already paid fills the form. */
export function ReceiverSearch({ onChoose }: { onChoose: (receiver: Receiver) => void }) {
  const [text, setText] = useState("");
  const typed = text.trim();
  const wanted = usePaused(typed);
  const found = useQuery(receiversQuery(wanted));
  const isCurrent = wanted === typed && !found.isFetching;
  const receivers = wanted.length >= receiverSearchMin ? (found.data?.data ?? []) : [];
  return (
    <SuggestField
      label="Buscar um recebedor cadastrado"
      data-autofocus
      placeholder="Nome, CPF, CNPJ ou chave Pix"
      description="A partir de 3 letras ou números. Escolher preenche os campos abaixo."
      leftSection={<IconSearch size={18} aria-hidden />}
      maxLength={100}
      value={text}
      onChange={setText}
      listLabel="Recebedores encontrados"
      found={
        typed.length < receiverSearchMin
          ? undefined
          : receivers.map((receiver) => ({
              value: receiver.id,
              label: <ReceiverLine receiver={receiver} />,
            }))
      }
      nothing={
        !isCurrent
          ? "Buscando…"
          : found.isError
            ? "Não foi possível buscar. Preencha os dados abaixo."
            : "Nenhum recebedor encontrado. Preencha os dados abaixo."
      }
      onChoose={(id) => {
        const receiver = receivers.find((one) => one.id === id);
        if (receiver) onChoose(receiver);
        setText("");
      }}
    />
  );
}

function ReceiverLine({ receiver }: { receiver: Receiver }) {
  return (
    <span className={styles.receiver}>
      <span className="cut strong">{receiverName(receiver)}</span>
      <span className="small muted cut">
        {[receiver.cpf_cnpj && maskTaxId(receiver.cpf_cnpj), destinationText(receiver)]
          .filter(Boolean)
          .join(" · ")}
      </span>
    </span>
  );
}

/** The text once typing has paused, so that not every letter asks the server. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), typingPauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
