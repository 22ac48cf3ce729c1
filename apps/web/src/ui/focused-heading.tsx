import { type ReactNode, useEffect, useRef } from "react";

interface FocusedHeadingProps {
  id?: string;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * Heading of content that replaces a sent form: it takes the focus, which would otherwise be lost with the form's
 * button.
 */
export function FocusedHeading({ id, className, children }: FocusedHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h2 id={id} className={className} ref={heading} tabIndex={-1}>
      {children}
    </h2>
  );
}
