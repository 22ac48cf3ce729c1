import { IconSquare, IconSquareCheck } from "@tabler/icons-react";
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type Ref,
  use,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import styles from "./menu.module.css";
import { Popover } from "./popover.tsx";

interface MenuProps {
  /** Button that opens it. */
  opener: ReactElement<ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> }>;
  children: ReactNode;
  align?: "start" | "end";
  width?: number;
  defaultOpened?: boolean;
}

const CloseMenu = createContext<() => void>(() => undefined);

/** A button and its menu, navigated by arrows, Home, End and initials. */
export function Menu({ opener, children, align = "start", width = 240, defaultOpened = false }: MenuProps) {
  const [opened, setOpened] = useState(defaultOpened);
  const button = useRef<HTMLButtonElement>(null);
  const ownId = useId();
  const openerId = opener.props.id ?? ownId;

  function choose() {
    setOpened(false);
    // Runs before the choice acts, so that a dialog it opens returns the focus to this button.
    button.current?.focus();
  }
  return (
    <>
      {cloneElement(opener, {
        ref: button,
        id: openerId,
        "aria-haspopup": "menu",
        "aria-expanded": opened,
        onClick: () => setOpened(!opened),
        onKeyDown: (event) => {
          if (event.key !== "ArrowDown" || opened) return;
          event.preventDefault();
          setOpened(true);
        },
      })}
      {opened ? (
        <Popover
          anchor={button}
          align={align}
          width={width}
          onClose={() => setOpened(false)}
          role="menu"
          aria-labelledby={openerId}
          className={styles.menu ?? ""}
          onKeyDown={walk}
        >
          <CloseMenu value={choose}>
            <FirstItem />
            {children}
          </CloseMenu>
        </Popover>
      ) : null}
    </>
  );
}

/** Moves the focus to the chosen line, else to the first one. */
function FirstItem() {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const items = itemsOf(mark.current?.parentElement);
    const wanted =
      items.find((item) => item.matches('[role="menuitemradio"][aria-checked="true"]')) ?? items[0];
    wanted?.focus({ preventScroll: true });
  }, []);
  return <span ref={mark} hidden />;
}

function itemsOf(menu: Element | null | undefined): HTMLElement[] {
  return [...(menu?.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([disabled])') ?? [])];
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = itemsOf(event.currentTarget);
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = nextItem(items, at, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function nextItem(items: HTMLElement[], at: number, key: string): HTMLElement | undefined {
  if (key === "ArrowDown" || key === "ArrowRight") return items[(at + 1) % items.length];
  if (key === "ArrowUp" || key === "ArrowLeft") return items.at(at - 1);
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  if (key.length !== 1 || key === " ") return undefined;
  const startsSo = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase());
  return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(startsSo);
}

interface ItemLook {
  icon?: ReactNode;
  end?: ReactNode;
  danger?: boolean;
  children: ReactNode;
}

interface MenuItemProps extends ItemLook {
  onClick: () => void;
  disabled?: boolean;
}

export function MenuItem({ icon, end, danger = false, children, onClick, disabled = false }: MenuItemProps) {
  const close = use(CloseMenu);
  return (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      disabled={disabled}
      className={styles.item}
      data-danger={danger || undefined}
      onClick={() => {
        close();
        onClick();
      }}
    >
      {icon}
      <span>{children}</span>
      {end}
    </button>
  );
}

export function MenuLink({
  icon,
  end,
  children,
  ...rest
}: Omit<ItemLook, "danger"> & AnchorHTMLAttributes<HTMLAnchorElement>) {
  const close = use(CloseMenu);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter follows the link, and that is a click
    // biome-ignore lint/a11y/useValidAnchor: it does lead somewhere; the click only puts the menu away
    <a {...rest} role="menuitem" tabIndex={-1} className={styles.item} onClick={close}>
      {icon}
      <span>{children}</span>
      {end}
    </a>
  );
}

interface MenuChoiceProps {
  checked: boolean;
  onChoose: () => void;
  /** The choice is visible at once and more may follow. */
  stays?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** One choice out of a few. */
export function MenuChoice({ checked, onChoose, stays = false, className, children }: MenuChoiceProps) {
  const close = use(CloseMenu);
  return (
    <button
      type="button"
      role="menuitemradio"
      aria-checked={checked}
      tabIndex={-1}
      className={className ?? styles.item}
      onClick={() => {
        if (!stays) close();
        onChoose();
      }}
    >
      {children}
    </button>
  );
}

interface MenuCheckProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  hint: string;
  children: ReactNode;
}

/** An option of the other lines, on or off. The menu stays open. */
export function MenuCheck({ checked, onChange, hint, children }: MenuCheckProps) {
  const hintId = useId();
  return (
    <>
      <button
        type="button"
        role="menuitemcheckbox"
        aria-checked={checked}
        aria-describedby={hintId}
        tabIndex={-1}
        className={styles.item}
        onClick={() => onChange(!checked)}
      >
        {checked ? <IconSquareCheck size={18} aria-hidden /> : <IconSquare size={18} aria-hidden />}
        <span>{children}</span>
      </button>
      <p id={hintId} className={`small muted ${styles.hint}`}>
        {hint}
      </p>
    </>
  );
}

export function MenuDivider() {
  return <hr className={styles.divider} />;
}
