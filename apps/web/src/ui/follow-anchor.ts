/** Positions a panel at its anchor. A chunk of its own, loaded after the first page is drawn. */
import { autoUpdate, computePosition, flip, offset, shift, size } from "@floating-ui/dom";

export interface Hanging {
  align: "start" | "end";
  /** Left out: as wide as the anchor. */
  width: number | undefined;
}

const gap = 6;
const margin = 8;

/**
 * Keeps the panel below its anchor when there is room, else above, within the part of the window that the virtual
 * keyboard leaves. Returns a function that stops it.
 */
export function followAnchor(anchor: HTMLElement, panel: HTMLElement, { align, width }: Hanging): () => void {
  const place = async () => {
    // Otherwise `flip` measures the height that the previous pass set.
    const { scrollTop } = panel;
    panel.style.maxHeight = "";
    const { x, y } = await computePosition(anchor, panel, {
      strategy: "fixed",
      placement: `bottom-${align}`,
      middleware: [
        offset(gap),
        flip({ padding: margin }),
        shift({ padding: margin }),
        size({
          padding: margin,
          apply({ availableWidth, availableHeight, rects }) {
            panel.style.width = `${Math.min(width ?? rects.reference.width, availableWidth)}px`;
            panel.style.maxHeight = `${Math.max(availableHeight, 0)}px`;
          },
        }),
      ],
    });
    panel.style.left = `${x}px`;
    panel.style.top = `${y}px`;
    panel.scrollTop = scrollTop;
    panel.dataset["placed"] = "";
  };
  return autoUpdate(anchor, panel, () => void place());
}
