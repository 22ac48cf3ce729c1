import { type ChangeEvent, type DragEvent, useRef, useState } from "react";

/**
 * Props for a place to drop or choose one file, and for its hidden file input. When several files are dropped, it
 * passes the first, and their number.
 */
export function useFileDrop(onFile: (file: File, dropped: number) => void) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  // Moving over a child fires a leave event of the parent first; only leaving the place itself counts.
  const isLeaving = (event: DragEvent) =>
    !(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget));
  function take({ 0: first, length }: FileList) {
    if (first) onFile(first, length);
  }
  return {
    over,
    open: () => input.current?.click(),
    areaProps: {
      onDragEnter: (event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      },
      // Without this the browser would open the file instead of passing it to the page.
      onDragOver: (event: DragEvent) => event.preventDefault(),
      onDragLeave: (event: DragEvent) => {
        if (isLeaving(event)) setOver(false);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer.files);
      },
    },
    inputProps: {
      ref: input,
      type: "file" as const,
      hidden: true,
      tabIndex: -1,
      onChange: (event: ChangeEvent<HTMLInputElement>) => {
        if (event.currentTarget.files) take(event.currentTarget.files);
        // The same file may be chosen again after it was corrected.
        event.currentTarget.value = "";
      },
    },
  };
}
