import type { Receiver } from "@malote/contracts/receivers";
import { maskTaxId } from "@malote/domain/tax-id";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { receiverSearchMin, receiverSearchQuery } from "../receivers/api.ts";
import { GuidedTour } from "../shell/guided-tour.tsx";
import { SuggestField } from "../ui/suggest-field.tsx";
import { useDebounced } from "../ui/use-debounced.ts";
import { destinationText, receiverName } from "./destination-text.ts";
import styles from "./transfer-wizard.module.css";

const typingPauseMs = 250;

const tourTarget = "receiver-search";

/** RCV-021: choosing a saved receiver fills the form. */
export function ReceiverSearch({ onChoose }: { onChoose: (receiver: Receiver) => void }) {
  const [text, setText] = useState("");
  const typed = text.trim();
  const searchTerm = useDebounced(typed, typingPauseMs);
  const found = useQuery(receiverSearchQuery(searchTerm));
  const isCurrent = searchTerm === typed && !found.isFetching;
  const receivers = searchTerm.length >= receiverSearchMin ? (found.data?.data ?? []) : [];
  const field = (
    <SuggestField
      label="Buscar um recebedor cadastrado"
      data-autofocus
      data-tour={tourTarget}
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
  return (
    <>
      {field}
      {/* RCV-022: a hint that is shown once. */}
      <GuidedTour
        checkpoint="HAS_SEEN_RECEIVER_SEARCH_TOUR"
        target={`[data-tour="${tourTarget}"]`}
        title="Busque aqui seus recebedores"
      >
        Quem você cadastrou ou já pagou preenche o formulário.
      </GuidedTour>
    </>
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
