import "@mantine/core/styles/Popover.css";
import "@mantine/core/styles/Menu.css";
import { Menu } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { chipClass } from "./chip.tsx";

interface ChoiceChipProps<Value extends string> {
  label: string;
  /** null is "all", written as `allLabel`. */
  value: Value | null;
  allLabel: string;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value | null) => void;
}

/** A filter with one choice out of a few, shown as a pill that says what is chosen. */
export function ChoiceChip<Value extends string>({
  label,
  value,
  allLabel,
  options,
  onChange,
}: ChoiceChipProps<Value>) {
  const chosen = options.find((option) => option.value === value)?.label ?? allLabel;
  const rows = [{ value: null, label: allLabel }, ...options];
  return (
    <Menu position="bottom-start" width={240}>
      <Menu.Target>
        <button type="button" className={chipClass(value !== null)} aria-label={`${label}: ${chosen}`}>
          {chosen}
          <IconChevronDown size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {rows.map((row) => (
          <Menu.RadioItem
            key={row.value ?? "all"}
            value={row.value ?? ""}
            checked={row.value === value}
            closeMenuOnClick
            onChange={() => onChange(row.value)}
          >
            {row.label}
          </Menu.RadioItem>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
