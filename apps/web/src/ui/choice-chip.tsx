import { IconCheck, IconChevronDown } from "@tabler/icons-react";
import { chipClass } from "./chip.tsx";
import { Menu, MenuChoice } from "./menu.tsx";

interface ChoiceChipProps<Value extends string> {
  label: string;
  /** null is "all", written as `allLabel`. */
  value: Value | null;
  allLabel: string;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value | null) => void;
}

/** A filter with one choice out of a few, shown as a pill with the choice. */
export function ChoiceChip<Value extends string>(props: ChoiceChipProps<Value>) {
  const { label, value, allLabel, options, onChange } = props;
  const chosen = options.find((option) => option.value === value)?.label ?? allLabel;
  const rows = [{ value: null, label: allLabel }, ...options];
  return (
    <Menu
      opener={
        <button type="button" className={chipClass(value !== null)} aria-label={`${label}: ${chosen}`}>
          {chosen}
          <IconChevronDown size={16} aria-hidden />
        </button>
      }
    >
      {rows.map((row) => (
        <MenuChoice
          key={row.value ?? "all"}
          checked={row.value === value}
          onChoose={() => onChange(row.value)}
        >
          <span>{row.label}</span>
          {row.value === value ? <IconCheck size={18} aria-hidden /> : null}
        </MenuChoice>
      ))}
    </Menu>
  );
}
