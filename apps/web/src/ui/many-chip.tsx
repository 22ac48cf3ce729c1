import { IconChevronDown } from "@tabler/icons-react";
import { useId, useRef, useState } from "react";
import { Checkbox } from "./checkbox.tsx";
import { chipClass } from "./chip.tsx";
import styles from "./many-chip.module.css";
import { Popover } from "./popover.tsx";

interface ManyChipProps<Value extends string> {
  label: string;
  /** An empty choice is "all", written as `allLabel`. */
  values: readonly Value[];
  allLabel: string;
  options: readonly { value: Value; label: string }[];
  onChange: (values: Value[]) => void;
}

/** A filter with several choices out of a few, shown as a pill with the choice. */
export function ManyChip<Value extends string>(props: ManyChipProps<Value>) {
  const { label, values, allLabel, options, onChange } = props;
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  const [opened, setOpened] = useState(false);
  const chosen = options.filter(({ value }) => values.includes(value));
  const [first] = chosen;
  const said = !first ? allLabel : chosen.length === 1 ? first.label : `${first.label} +${chosen.length - 1}`;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={chipClass(chosen.length > 0)}
        aria-label={`${label}: ${chosen.map((option) => option.label).join(", ") || allLabel}`}
        aria-expanded={opened}
        aria-controls={opened ? panelId : undefined}
        onClick={() => setOpened(!opened)}
      >
        {said}
        <IconChevronDown size={16} aria-hidden />
      </button>
      {opened ? (
        <Popover
          anchor={button}
          width={260}
          id={panelId}
          role="group"
          aria-label={label}
          onClose={() => setOpened(false)}
        >
          <div className={styles.list}>
            {options.map((option) => {
              const checked = values.includes(option.value);
              const flip = () =>
                onChange(
                  checked ? values.filter((value) => value !== option.value) : [...values, option.value],
                );
              return (
                // biome-ignore lint/a11y/noStaticElementInteractions: only a larger target; the box does the same
                // biome-ignore lint/a11y/useKeyWithClickEvents: see above
                <div
                  key={option.value}
                  className={styles.line}
                  onClick={(event) => {
                    if (!(event.target as HTMLElement).closest("label")) flip();
                  }}
                >
                  <Checkbox label={option.label} checked={checked} onChange={flip} />
                  <span aria-hidden>{option.label}</span>
                </div>
              );
            })}
          </div>
        </Popover>
      ) : null}
    </>
  );
}
