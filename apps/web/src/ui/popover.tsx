import {
  type HTMLAttributes,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import { loadPart } from "../shell/load-part.ts";
import type { Hanging } from "./follow-anchor.ts";
import { useTopLayer } from "./layers.ts";
import styles from "./popover.module.css";

interface PopoverProps extends HTMLAttributes<HTMLDivElement> {
  /** Button or field that it is anchored to. */
  anchor: RefObject<HTMLElement | null>;
  onClose: () => void;
  align?: Hanging["align"];
  /** Left out: as wide as the anchor. */
  width?: number;
  children: ReactNode;
}

/**
 * Loads the positioning code. The frame calls it after the first page is drawn, so that the first panel opens at once.
 */
export const loadFollowAnchor = () => loadPart(() => import("./follow-anchor.ts"));

/**
 * A small panel anchored to its opener, in the browser's top layer, so that nothing around it clips it. Escape, a tap
 * outside or leaving it by Tab closes it.
 */
export function Popover(props: PopoverProps) {
  const { anchor, onClose, align = "start", width, className = "", children, ...rest } = props;
  const panel = useRef<HTMLDivElement>(null);

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
    let beganBeside = false;
    const onPress = ({ target }: Event) => {
      beganBeside = !isOwn(target);
    };
    // Acts at the end of the tap: if the press removed an element, the click of the same tap would reach the
    // one below.
    const onTap = ({ target }: Event) => {
      if (beganBeside && !isOwn(target)) close.current();
    };
    const onFocus = ({ target }: Event) => {
      if (!isOwn(target)) close.current();
    };
    document.addEventListener("pointerdown", onPress);
    document.addEventListener("pointerup", onTap);
    document.addEventListener("focusin", onFocus);
    return () => {
      document.removeEventListener("pointerdown", onPress);
      document.removeEventListener("pointerup", onTap);
      document.removeEventListener("focusin", onFocus);
    };
  }, [anchor]);

  useLayoutEffect(() => panel.current?.showPopover(), []);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isGone = false;
    const place = async () => {
      const { followAnchor } = await loadFollowAnchor();
      const [opener, own] = [anchor.current, panel.current];
      if (!isGone && opener && own) stop = followAnchor(opener, own, { align, width });
    };
    // When the positioning code cannot be loaded, the panel shows in the corner where the browser puts it.
    place().catch(() => panel.current?.setAttribute("data-placed", ""));
    return () => {
      isGone = true;
      stop?.();
    };
  }, [anchor, align, width]);

  return (
    <div {...rest} ref={panel} popover="manual" className={`${styles.panel} ${className}`}>
      {children}
    </div>
  );
}
