import type { CheckpointId } from "@malote/contracts/company";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { Button } from "../ui/button.tsx";
import { Popover } from "../ui/popover.tsx";
import { checkpoints } from "./checkpoints.ts";
import styles from "./guided-tour.module.css";

/** SES-081: a part of the page may arrive late; one that never does causes no message. */
export const lookUp = { triesMax: 5, pauseMs: 1_000 } as const;

/** True when a dialog covers the element: a hint would be drawn above that dialog and take its Escape. */
function isCovered(element: HTMLElement): boolean {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1);
  return top !== undefined && !top.contains(element);
}

/**
 * Returns the element that a tour points at, once it exists; tries at once and then a second apart, five times in all.
 */
export function useTourTarget(selector: string, isWanted: boolean): HTMLElement | undefined {
  const [found, setFound] = useState<HTMLElement>();
  useEffect(() => {
    if (!isWanted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = (triesLeft: number) => {
      const element = document.querySelector<HTMLElement>(selector);
      if (element && !isCovered(element)) setFound(element);
      else if (triesLeft > 1) timer = setTimeout(() => look(triesLeft - 1), lookUp.pauseMs);
    };
    look(lookUp.triesMax);
    return () => clearTimeout(timer);
  }, [selector, isWanted]);
  return isWanted ? found : undefined;
}

interface GuidedTourProps {
  /** Checkpoint that records that this person has seen it. */
  checkpoint: CheckpointId;
  /** Selector of the element that the hint points at. */
  target: string;
  title: string;
  children?: ReactNode;
}

/**
 * A hint beside a part of the page, shown to each person once. It stays hidden while it is unknown whether it was seen
 * (FST-025), and showing it counts as seen.
 */
export function GuidedTour({ checkpoint, target, title, children }: GuidedTourProps) {
  const [isOver, setIsOver] = useState(false);
  const seen = useQuery(checkpoints.exists(checkpoint));
  const element = useTourTarget(target, seen.data === false && !isOver);
  if (!element) return null;
  return (
    <Hint checkpoint={checkpoint} element={element} title={title} onClose={() => setIsOver(true)}>
      {children}
    </Hint>
  );
}

interface HintProps extends Omit<GuidedTourProps, "target"> {
  element: HTMLElement;
  onClose: () => void;
}

const hintWidth = 380;

function Hint({ checkpoint, element, title, children, onClose }: HintProps) {
  const queryClient = useQueryClient();
  const anchor = useMemo(() => ({ current: element }), [element]);
  useEffect(() => {
    void checkpoints.create(checkpoint);
    // Cached as seen once it closes, whatever closes it.
    return () => void queryClient.setQueryData(checkpoints.exists(checkpoint).queryKey, true);
  }, [checkpoint, queryClient]);
  // A person who starts to type no longer needs the hint.
  useEffect(() => {
    element.addEventListener("input", onClose);
    return () => element.removeEventListener("input", onClose);
  }, [element, onClose]);
  return (
    <Popover
      anchor={anchor}
      width={hintWidth}
      onClose={onClose}
      role="group"
      aria-label="Dica"
      className={styles.hint ?? ""}
    >
      <div role="status" className={styles.words}>
        <strong>{title}</strong>
        {children ? <span className="small muted">{children}</span> : null}
      </div>
      <Button
        size="sm"
        onClick={() => {
          onClose();
          element.focus();
        }}
      >
        Entendi
      </Button>
    </Popover>
  );
}
