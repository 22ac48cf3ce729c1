import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { focusBack, focusInto, keepTabInside, rememberOpener } from "./focus.ts";
import { closeTopLayer, useDialogOnTop, useTopLayer } from "./layers.ts";
import styles from "./modal-layer.module.css";
import { isOnMessage } from "./toasts.tsx";

interface ModalLayerProps {
  onClose: () => void;
  /** Requires an answer: no Escape, no click outside. */
  mustAnswer?: boolean;
  /** Place of the box: in the middle, near the top, at the left edge, or over everything. */
  place?: "middle" | "top" | "side" | "full";
  className?: string | undefined;
  label?: string;
  labelledBy?: string;
  children: ReactNode;
}

/**
 * Shared behaviour of all dialogs: a modal `<dialog>` in the browser's top layer, the page behind inert and not
 * scrolling, the focus returned on closing.
 */
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
  const dialog = useRef<HTMLDialogElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const pressBeganBeside = useRef(false);
  const isLeaving = useRef(false);
  // Read before a field of the dialog takes the focus by itself.
  const [opener] = useState(() => document.activeElement);
  // The content is rendered into an open dialog: in a closed one nothing can be measured or take the focus.
  const [isOpen, setIsOpen] = useState(false);
  const toasts = useDialogOnTop();

  const isOnTop = useTopLayer(true, (event) => {
    if (event.key === "Tab" && dialog.current) keepTabInside(dialog.current, event);
    if (event.key !== "Escape") return;
    // The browser would close the element by itself, even one that requires an answer.
    event.preventDefault();
    if (!mustAnswer) onClose();
  });
  useEffect(holdPageStill, []);
  useLayoutEffect(() => {
    const own = dialog.current;
    if (!own) return;
    isLeaving.current = false;
    own.showModal();
    setIsOpen(true);
    rememberOpener(own, opener);
    // Runs before the dialog leaves the page, so that the next one finds the focus where it belongs.
    return () => {
      isLeaving.current = true;
      own.close();
      focusBack(opener, own);
    };
  }, [opener]);
  useEffect(() => {
    if (isOpen && box.current) focusInto(box.current);
  }, [isOpen]);

  /**
   * The browser closes the element on repeated back gestures, even when `cancel` is prevented. Reopens it; the owner
   * decides.
   */
  function closedByBrowser(own: HTMLDialogElement) {
    if (isLeaving.current || own.open) return;
    own.showModal();
    closeTopLayer();
  }
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      ref={dialog}
      className={styles.scrim}
      data-place={place}
      aria-label={label}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        // A cancelled file chooser inside the dialog fires an event of the same name.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        closeTopLayer();
      }}
      onClose={(event) => closedByBrowser(event.currentTarget)}
      onPointerDown={(event) => {
        // A tap outside a list that is open above the dialog closes only the list.
        pressBeganBeside.current = event.target === event.currentTarget && isOnTop();
      }}
      // Acts on click: on a press, the click of the same tap would reach the element below.
      onClick={(event) => {
        const isBeside = event.target === event.currentTarget && pressBeganBeside.current;
        if (isBeside && !mustAnswer && !isOnMessage(event)) onClose();
      }}
    >
      <div ref={box} tabIndex={-1} className={`${styles.box} ${className}`}>
        {isOpen ? children : null}
      </div>
      <div ref={toasts} />
    </dialog>,
    document.body,
  );
}

let holders = 0;

/** The page behind must not scroll, nor jump sideways when its scroll bar disappears. */
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
