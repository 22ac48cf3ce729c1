import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { focusBack, focusInto, keepTabInside, rememberOpener } from "./focus.ts";
import { useTopLayer } from "./layers.ts";
import styles from "./modal-layer.module.css";

interface ModalLayerProps {
  onClose: () => void;
  /** Must be answered: no Escape, no click beside it. */
  mustAnswer?: boolean;
  /** Where the box is: in the middle, near the top, or over everything. */
  place?: "middle" | "top" | "full";
  className?: string | undefined;
  label?: string;
  labelledBy?: string;
  children: ReactNode;
}

/** What all dialogs share: over the page, the focus kept inside and given back, the page behind held still. */
export function ModalLayer(props: ModalLayerProps) {
  const {
    onClose,
    mustAnswer = false,
    place = "middle",
    className = "",
    label,
    labelledBy,
    children,
  } = props;
  const box = useRef<HTMLDivElement>(null);
  // Read before a field of the dialog takes the focus by itself.
  const [opener] = useState(() => document.activeElement);

  useTopLayer(true, (event) => {
    if (event.key === "Tab" && box.current) keepTabInside(box.current, event);
    if (event.key === "Escape" && !mustAnswer) onClose();
  });
  useEffect(holdPageStill, []);
  useEffect(() => {
    if (box.current) focusInto(box.current);
  }, []);
  // Before the box leaves the page, so the next dialog finds the focus where it belongs.
  useLayoutEffect(() => {
    const own = box.current;
    if (own) rememberOpener(own, opener);
    return () => focusBack(opener, own);
  }, [opener]);

  return createPortal(
    <div
      className={styles.scrim}
      data-place={place}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget && !mustAnswer) onClose();
      }}
    >
      <div
        ref={box}
        role="dialog"
        aria-modal="true"
        aria-label={label}
        aria-labelledby={labelledBy}
        tabIndex={-1}
        className={`${styles.box} ${className}`}
      >
        {children}
      </div>
    </div>,
    document.body,
  );
}

let holders = 0;

/** The page behind must not scroll, nor jump sideways when its scroll bar goes. */
function holdPageStill(): () => void {
  const page = document.documentElement;
  if (holders === 0) {
    const bar = innerWidth - page.clientWidth;
    page.style.overflow = "hidden";
    if (bar > 0) page.style.paddingRight = `${bar}px`;
  }
  holders += 1;
  return () => {
    holders -= 1;
    if (holders > 0) return;
    page.style.overflow = "";
    page.style.paddingRight = "";
  };
}
