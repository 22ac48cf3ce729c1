import type { ReactNode } from "react";
import { Chip } from "../ui/chip.tsx";
import { ChoiceChip } from "../ui/choice-chip.tsx";
import { formatCount } from "../ui/format.ts";
import { SearchField } from "../ui/search-field.tsx";
import styles from "./batch-screen.module.css";
import type { BatchDesk } from "./use-batch-desk.ts";

const withErrors = "com-erro";

interface FilterWords<Status> {
  /** Value in the address bar for each status, in the order of the menu. */
  statuses: Readonly<Record<string, { status: Status; label: string }>>;
  /** `todas` in the address bar, `Todas` on the chip. */
  all: { word: string; label: string };
  /** Chip of the mistakes, as `Linhas com erro`. */
  withErrors: string;
}

/**
 * The filter of the address, or the default: a draft with errors opens on them. Once no errors are left, a kept address
 * of the mistakes shows all payments, because the button of that filter has disappeared.
 */
export function usePaymentFilters<Status>(desk: BatchDesk, words: FilterWords<Status>) {
  const { address } = desk;
  const asked = address.pagamentos;
  const hasErrors = desk.errorsCount > 0;
  const isKnown =
    asked !== undefined &&
    ((asked === withErrors && hasErrors) || asked === words.all.word || Object.hasOwn(words.statuses, asked));
  const word = isKnown ? asked : hasErrors ? withErrors : words.all.word;
  const status = word === withErrors ? ("WITH_ERRORS" as const) : (words.statuses[word]?.status ?? null);
  return {
    word,
    filters: { status, search: address.dados },
    showsErrors: word === withErrors,
    isFiltered: status !== null || address.dados !== "",
  };
}

interface PaymentFiltersProps<Status> {
  desk: BatchDesk;
  words: FilterWords<Status>;
  word: string;
  onChoose: (word: string) => void;
  head?: ReactNode;
}

export function PaymentFilters<Status>({ desk, words, word, onChoose, head }: PaymentFiltersProps<Status>) {
  const { batch, address } = desk;
  const options = Object.entries(words.statuses).map(([value, { label }]) => ({ value, label }));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the search element is not known to every browser we serve
    <div className={styles.filters} role="search" aria-label="Filtros dos pagamentos">
      {desk.errorsCount > 0 ? (
        <Chip on={word === withErrors} onClick={() => onChoose(withErrors)}>
          {words.withErrors} · {formatCount(desk.errorsCount)}
        </Chip>
      ) : null}
      <Chip on={word === words.all.word} onClick={() => onChoose(words.all.word)}>
        {words.all.label} · {formatCount(batch.payments_count)}
      </Chip>
      <ChoiceChip
        label="Status"
        allLabel="Status"
        value={Object.hasOwn(words.statuses, word) ? word : null}
        options={options}
        onChange={(value) => onChoose(value ?? words.all.word)}
      />
      <SearchField
        label="Dados do pagamento"
        className={styles.search ?? ""}
        value={address.dados}
        onSearch={(dados) => address.filter({ dados: dados || null })}
      />
      {head}
    </div>
  );
}
