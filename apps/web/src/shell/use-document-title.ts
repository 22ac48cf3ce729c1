import { useEffect } from "react";
import { useBrand } from "./brand.ts";

/**
 * Sets `Seus lotes · Malote`, so that tabs and the browser's history can be distinguished. Without a title the last one
 * stays.
 */
export function useDocumentTitle(title: string | undefined): void {
  const { name } = useBrand();
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · ${name}`;
  }, [title, name]);
}
