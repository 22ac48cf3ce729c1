import {
  type CSSProperties,
  type HTMLAttributes,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { useTopLayer } from "./layers.ts";
import styles from "./popover.module.css";

interface PopoverProps extends HTMLAttributes<HTMLDivElement> {
  /** The button or field it hangs from. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  align?: "start" | "end";
  /** Left out: as wide as the anchor. */
  width?: number;
  children: ReactNode;
}

const gap = 6;
const margin = 8;

/** A small panel hanging from its opener. Escape, a click elsewhere or walking away by Tab closes it. */
export function Popover(props: PopoverProps) {
  const { anchor, onClose, align = "start", width, className = "", children, ...rest } = props;
  const panel = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<CSSProperties>({});

  useTopLayer(true, (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onClose();
    if (panel.current?.contains(document.activeElement)) anchor.current?.focus();
  });

  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    const isOwn = (target: EventTarget | null) =>
      target instanceof Node && (panel.current?.contains(target) || anchor.current?.contains(target));
    const onLeave = (event: Event) => {
      if (!isOwn(event.target)) close.current();
    };
    document.addEventListener("pointerdown", onLeave);
    document.addEventListener("focusin", onLeave);
    return () => {
      document.removeEventListener("pointerdown", onLeave);
      document.removeEventListener("focusin", onLeave);
    };
  }, [anchor]);

  useLayoutEffect(() => {
    const put = () => {
      if (anchor.current && panel.current) setPlace(placeBeside(anchor.current, panel.current, align, width));
    };
    put();
    const watch = typeof ResizeObserver === "undefined" ? undefined : new ResizeObserver(put);
    if (panel.current) watch?.observe(panel.current);
    addEventListener("resize", put);
    addEventListener("scroll", put, { capture: true, passive: true });
    return () => {
      watch?.disconnect();
      removeEventListener("resize", put);
      removeEventListener("scroll", put, { capture: true });
    };
  }, [anchor, align, width]);

  return (
    <div {...rest} ref={panel} className={`${styles.panel} ${className}`} style={place}>
      {children}
    </div>
  );
}

/** Below the anchor where there is room, else above, and never out of the window. */
function placeBeside(
  anchor: HTMLElement,
  panel: HTMLElement,
  align: "start" | "end",
  wanted: number | undefined,
): CSSProperties {
  const at = anchor.getBoundingClientRect();
  const width = Math.min(wanted ?? at.width, innerWidth - 2 * margin);
  const start = align === "start" ? at.left : at.right - width;
  const left = Math.max(margin, Math.min(start, innerWidth - margin - width));
  const [above, below] = [at.top - gap - margin, innerHeight - at.bottom - gap - margin];
  const isAbove = panel.scrollHeight > below && above > below;
  return isAbove
    ? { width, left, bottom: innerHeight - at.top + gap, maxHeight: above }
    : { width, left, top: at.bottom + gap, maxHeight: below };
}
