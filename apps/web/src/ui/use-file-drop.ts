import { type ChangeEvent, type DragEvent, useRef, useState } from "react";

/**
 * A place to drop one file on, or to choose it from: props for the place and for its hidden file input. Of several that are
 * dropped at once it is given the first, and how many there were.
 */
export function useFileDrop(onFile: (file: File, dropped: number) => void) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  // Passing over a child leaves the parent first; only leaving the place itself counts.
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
      // Without this the browser would open the file instead of giving it to us.
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
