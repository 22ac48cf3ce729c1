import { IconDownload } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";
import { Button } from "../ui/button.tsx";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { type Report, useReport } from "./report.ts";

/** PAY-037: shows the progress, and asks before the page is left meanwhile. */
export function ExportButton({ report, disabled = false }: { report: Report; disabled?: boolean }) {
  const { isExporting, start } = useReport();
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => isExporting && current.pathname !== next.pathname,
    enableBeforeUnload: false,
    withResolver: true,
  });
  // The sheet is ready: polling ends, and the person stays on the page.
  const { reset } = leaving;
  useEffect(() => {
    if (!isExporting) reset?.();
  }, [isExporting, reset]);
  return (
    <>
      <Button
        icon={<IconDownload aria-hidden />}
        busy={isExporting}
        disabled={disabled}
        onClick={() => start(report)}
      >
        {isExporting ? "Exportando..." : "Exportar"}
      </Button>
      <ConfirmDialog
        opened={leaving.status === "blocked" && isExporting}
        title="Sair sem a planilha?"
        confirmLabel="Sair da página"
        cancelLabel="Esperar a planilha"
        onConfirm={() => leaving.proceed?.()}
        onClose={() => reset?.()}
      >
        <p>A exportação ainda está em andamento. Se você sair agora, ela não será baixada.</p>
      </ConfirmDialog>
    </>
  );
}
