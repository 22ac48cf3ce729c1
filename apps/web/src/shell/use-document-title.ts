import { useEffect } from "react";
import { useBrand } from "./brand.ts";

/** Sets `Seus lotes · Malote`, so that tabs and the browser's history can be distinguished. */
export function useDocumentTitle(title: string): void {
  const { name } = useBrand();
  useEffect(() => {
    document.title = `${title} · ${name}`;
  }, [title, name]);
}
