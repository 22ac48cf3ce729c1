import type { ReactNode } from "react";
import { useBrand } from "./brand.ts";

/** Text with a link to support; the text alone until the brand is known. */
export function SupportLink({ children, className }: { children: ReactNode; className?: string }) {
  const { supportUrl } = useBrand();
  return supportUrl ? (
    <a href={supportUrl} target="_blank" rel="noreferrer" className={className}>
      {children}
    </a>
  ) : (
    children
  );
}
