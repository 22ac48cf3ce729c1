import type { listBanks } from "@malote/contracts/company";
import type { ResponseOf } from "@malote/contracts/contract";
import { foldText } from "@malote/domain/fold-text";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Select, type SelectProps } from "../ui/select.tsx";
import { banksQuery } from "./api.ts";

/** Enough lines to scroll through; a code or three letters find the rest. */
const shownMax = 60;

interface BankSelectProps extends Omit<SelectProps, "data" | "value" | "onChange" | "filter"> {
  /** The bank's ISPB, or empty. */
  value: string;
  onChange: (ispb: string) => void;
  /** A first line that selects no bank, for filters. */
  allLabel?: string;
}

/** Search by code (`341`, also `1` for `001`) and by name without accents. */
export function BankSelect(props: BankSelectProps) {
  return <BankSelectOf banks={useQuery(banksQuery)} {...props} />;
}

interface BankSelectOfProps extends BankSelectProps {
  banks: UseQueryResult<ResponseOf<typeof listBanks>>;
}

/** The same field, for banks from another query. */
export function BankSelectOf({ banks, value, onChange, allLabel, ...rest }: BankSelectOfProps) {
  const known = (banks.data?.data ?? []).map(({ id, code, name }) => ({
    value: id,
    label: code ? `${code} · ${name}` : name,
  }));
  const data = allLabel ? [{ value: "", label: allLabel }, ...known] : known;
  return (
    <Select
      placeholder={banks.isError ? "Não foi possível carregar os bancos" : "Código ou nome"}
      nothingFoundMessage="Nenhum banco com esse código ou nome"
      {...rest}
      searchable
      autoComplete="off"
      limit={shownMax}
      data={data}
      value={value || null}
      onChange={(ispb) => onChange(ispb ?? "")}
      filter={({ options, search }) => {
        const wanted = foldText(search);
        const found = options.filter(
          (option) => "label" in option && foldText(option.label).includes(wanted),
        );
        return found.sort((left, right) => fitOf(right, wanted) - fitOf(left, wanted));
      }}
    />
  );
}

/**
 * Sorts the code first, then the name as typed, then names that begin with it: `bradesco` is 237 and not another bank
 * of its group.
 */
function fitOf({ label }: { label: string }, wanted: string): number {
  if (wanted === "") return 0;
  const [code = "", name = label] = label.split(" · ");
  if (code.startsWith(wanted.padStart(3, "0"))) return 3;
  const folded = foldText(name);
  return folded === wanted ? 2 : folded.startsWith(wanted) ? 1 : 0;
}
