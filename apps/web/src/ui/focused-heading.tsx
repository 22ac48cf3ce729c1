import { type ReactNode, useEffect, useRef } from "react";

/** Of what takes the place of a form that was sent: the focus, whose button is gone, goes to it and is not lost to the page. */
export function FocusedHeading({ id, children }: { id?: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 id={id} ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
