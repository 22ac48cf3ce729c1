import { type ReactNode, useEffect, useRef } from "react";

interface FocusedHeadingProps {
  id?: string;
  className?: string | undefined;
  children: ReactNode;
}

/** Of what takes the place of a form that was sent: the focus, whose button is gone, goes to it and is not lost to the page. */
export function FocusedHeading({ id, className, children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 id={id} className={className} ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
