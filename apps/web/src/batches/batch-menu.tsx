import { cancelScheduledBatch, deleteBatch } from "@malote/contracts/batch-life";
import { renameBatch } from "@malote/contracts/batches";
import {
  IconCalendarX,
  IconDots,
  IconDownload,
  IconPencil,
  IconReceipt,
  IconTrash,
} from "@tabler/icons-react";
import { may } from "../shell/session.ts";
import { IconButton } from "../ui/button.tsx";
import { Menu, MenuDivider, MenuItem } from "../ui/menu.tsx";
import type { BatchDesk } from "./use-batch-desk.ts";
import { useReport } from "./use-report.ts";

/** Menu of the rare actions: name, report, receipts, and last the destructive one. */
export function BatchMenu({ desk }: { desk: BatchDesk }) {
  const { batch, session } = desk;
  const report = useReport(batch);
  const isDraft = batch.status === "DRAFT";
  const isRemovable = isDraft || batch.status === "WAITING";
  // An approver may be reading a batch's name, so it cannot change while the batch is open or closes.
  const keepsName = batch.status === "WAITING_APPROVAL" || batch.status === "PENDING";
  const mayRename = !keepsName && may(renameBatch, session);
  const mayDelete = isRemovable && may(deleteBatch, session);
  const mayCancel = desk.isAllScheduled && may(cancelScheduledBatch, session);
  if (isDraft && !mayRename && !mayDelete) return null;
  return (
    <Menu
      align="end"
      opener={
        <IconButton label="Mais ações">
          <IconDots size={20} aria-hidden />
        </IconButton>
      }
    >
      {mayRename ? (
        <MenuItem icon={<IconPencil size={18} aria-hidden />} onClick={() => desk.openDialog("rename")}>
          Renomear lote
        </MenuItem>
      ) : null}
      {isDraft ? null : (
        <>
          <MenuItem icon={<IconDownload size={18} aria-hidden />} onClick={report.download}>
            Baixar relatório
          </MenuItem>
          <MenuItem icon={<IconReceipt size={18} aria-hidden />} onClick={() => desk.openDialog("receipts")}>
            Baixar comprovantes
          </MenuItem>
        </>
      )}
      {mayCancel ? (
        <>
          <MenuDivider />
          <MenuItem
            danger
            icon={<IconCalendarX size={18} aria-hidden />}
            onClick={() => desk.openDialog("cancel")}
          >
            Cancelar lote
          </MenuItem>
        </>
      ) : null}
      {mayDelete ? (
        <>
          <MenuDivider />
          <MenuItem
            danger
            icon={<IconTrash size={18} aria-hidden />}
            onClick={() => desk.openDialog("delete")}
          >
            Excluir lote
          </MenuItem>
        </>
      ) : null}
    </Menu>
  );
}
