/** Requests a sheet, waits for it and saves it (PAY-036, PAY-037, CRD-010). */
import { useEffect, useRef, useState } from "react";
import { errorSentence } from "../shell/call.ts";
import { saveReport } from "../shell/save-report.ts";
import { useUnsavedWork } from "../shell/unsaved-work.ts";
import { toast } from "../ui/toasts.tsx";

export interface Report {
  ask: () => Promise<{ id: string }>;
  read: (id: string) => Promise<{ link: string | null; filename: string | null }>;
  fetch: (id: string) => Promise<Blob>;
}

const pollMs = 2_000;
const failed = "Ocorreu um erro ao exportar";

/** Returns whether one is in progress, and how to start. Asks a person who leaves the page meanwhile. */
export function useReport(): { isExporting: boolean; start: (report: Report) => void } {
  const [isExporting, setExporting] = useState(false);
  const left = useRef(false);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
    };
  }, []);
  useUnsavedWork(isExporting);

  async function make(report: Report): Promise<void> {
    const { id } = await report.ask();
    for (;;) {
      const { link, filename } = await report.read(id);
      if (left.current) return;
      if (link) return saveReport(await report.fetch(id), filename ?? "Recebimentos.csv");
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }
  return {
    isExporting,
    start(report) {
      if (isExporting) return;
      setExporting(true);
      make(report)
        .catch((error: unknown) => {
          const text = errorSentence(error, failed);
          if (text) toast.bad(text);
        })
        .finally(() => setExporting(false));
    },
  };
}
